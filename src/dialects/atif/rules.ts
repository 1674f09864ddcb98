import * as z from 'zod';
import type { EventReporter } from '../../findings/check.ts';
import type { Row } from '../../log/row.ts';
import { textIn } from '../excerpt.ts';
import type { SessionRules } from '../kit/session.ts';
import { instant } from '../session-shapes.ts';
import { ATIF } from './catalogue.ts';

const text = z.string();
const count = z.int().nonnegative().nullish();
const results = z.array(z.looseObject({})).nullish();
const trajectory = z.looseObject({
  schema_version: text,
  agent: z.looseObject({ name: text, version: text }),
});
const identified = trajectory.extend({ session_id: text });
const call = z.looseObject({ tool_call_id: text, function_name: text, arguments: z.looseObject({}) });
const step = z.looseObject({
  step_id: z.int(),
  timestamp: instant.nullish(),
  source: z.enum(['system', 'user', 'agent']),
  message: z.union([text, z.array(z.looseObject({ type: text }))]),
  tool_calls: z.array(call).nullish(),
  observation: z.looseObject({ results }).nullish(),
  metrics: z.looseObject({ prompt_tokens: count, completion_tokens: count, cached_tokens: count }).nullish(),
});

const OF_AGENT = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'];

function agentOnly(report: EventReporter, row: Row): void {
  const { source } = row.event;
  const member = OF_AGENT.find((name) => row.event[name] != null);
  if (member === undefined || (source !== 'user' && source !== 'system')) return;
  const message = `a step of the source ${source} has \`${member}\``;
  report.at(row, { code: 'event/agent-only', message, path: [member] });
}

/** The checks of trajectories (atif.md §5). */
export const RULES: SessionRules = {
  types: ['trajectory', 'system', 'user', 'agent'],
  schemaOf: (event) => {
    if (event['schema_version'] === undefined) return step;
    // Version 1.7 made the id of the session optional.
    return /v1\.[0-6]$/.test(textIn(event, 'schema_version') ?? '') ? identified : trajectory;
  },
  example: step,
  start: 'the trajectory',
  counts: 'step_id',
  wrongType: 'error',
  checks: (report) => [{ row: (row) => agentOnly(report, row) }],
  own: ATIF,
  severities: {
    'order/start-repeated': 'info',
    'sequence/gap': 'error',
    'sequence/duplicate': 'error',
    'sequence/backwards': 'error',
  },
};
