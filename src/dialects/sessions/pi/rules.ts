import * as z from 'zod';
import { objectIn } from '../../kit/members.ts';
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
  start: 'a session header',
  resultsFollow: true,
  targets: ['firstKeptEntryId', 'targetId', 'fromId'],
  severities: {
    'order/start-repeated': 'warn',
    'lineage/forward-cause': 'warn',
    'tool/unanswered': 'warn',
  },
};
