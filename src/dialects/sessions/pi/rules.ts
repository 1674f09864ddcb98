import * as z from 'zod';
import type { JsonObject } from '../../../base/json/value.ts';
import type { EventRemark } from '../../../findings/check.ts';
import { numberIn, numbersIn, objectIn } from '../../kit/members.ts';
import type { SessionRules } from '../kit/format.ts';
import { instant } from '../kit/shapes.ts';

const text = z.string();
const typed = z.looseObject({ type: text });
const header = typed.extend({ id: text, timestamp: instant, cwd: text });
const message = z.looseObject({ role: text });
const answer = message.extend({ content: z.array(typed), usage: z.looseObject({}), stopReason: text });
const forms = (entry: z.ZodObject) => ({
  entry,
  message: entry.extend({ message }),
  answer: entry.extend({ message: answer }),
});
const first = typed.extend({ timestamp: instant });
const [old, now] = [forms(first), forms(first.extend({ id: text, parentId: text.nullable() }))];

const COSTS = ['input', 'output', 'cacheRead', 'cacheWrite'];

/** In dollars: what adding up the parts of a cost may lose. */
const LOST = 1e-6;

/** A remark if the cost of an answer is not the sum of its parts. */
function costFaults(event: JsonObject): EventRemark[] {
  const cost = objectIn(objectIn(objectIn(event, 'message'), 'usage'), 'cost');
  const [total, parts] = [numberIn(cost, 'total'), Object.values(numbersIn(cost, COSTS))];
  const sum = parts.reduce((all, part) => all + part, 0);
  if (total === undefined || parts.length < COSTS.length || Math.abs(total - sum) <= LOST * Math.max(1, sum))
    return [];
  const message = `the cost is ${total}, but its parts add up to ${sum}`;
  const path = ['message', 'usage', 'cost', 'total'];
  return [{ code: 'usage/total', message, path, expected: String(sum), actual: String(total) }];
}

/** The checks of pi's sessions (pi.md §6). */
export const RULES: SessionRules = {
  types: [
    ...['user', 'assistant', 'toolResult', 'bashExecution', 'custom', 'hookMessage', 'system']
      .concat('branchSummary', 'compactionSummary')
      .map((role) => `message/${role}`),
    ...['session', 'model_change', 'thinking_level_change', 'compaction', 'branch_summary', 'label'],
    ...['session_info', 'custom', 'custom_message', 'usage', 'context_edit', 'title', 'session_init'],
    ...['title_change', 'mode_change', 'service_tier_change', 'model_usage', 'credential_pin'],
    ...['ttsr_injection', 'reset_boundary'],
  ],
  schemaOf: (event, start) => {
    const { type } = event;
    if (type === 'title' || type === 'session') return type === 'title' ? typed : header;
    // Entries of version 1 have no ids. Without a header the version is unknown, so ids are not required either.
    const form = start?.['version'] === undefined ? old : now;
    if (type !== 'message') return form.entry;
    return objectIn(event, 'message')['role'] === 'assistant' ? form.answer : form.message;
  },
  example: now.message,
  remarks: costFaults,
  start: 'a session header',
  resultsFollow: true,
  targets: ['firstKeptEntryId', 'targetId', 'fromId'],
  severities: {
    'order/start-repeated': 'warn',
    'lineage/forward-cause': 'warn',
    'tool/unanswered': 'warn',
  },
};
