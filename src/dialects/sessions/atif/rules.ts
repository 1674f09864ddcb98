import * as z from 'zod';
import type { JsonObject } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import type { EventRemark } from '../../../findings/check.ts';
import type { SessionRules } from '../kit/format.ts';
import { instant } from '../kit/shapes.ts';

const text = z.string();
const free = z.unknown().optional();
const count = z.int().nonnegative().nullish();
const source = z.looseObject({ media_type: text, path: text }).nullish();
const content = z.union([text, z.array(z.looseObject({ type: text, source }))]);
const results = z.array(z.looseObject({ content: content.nullish() })).nullish();
const trajectory = z.looseObject({
  schema_version: text,
  agent: z.looseObject({ name: text, version: text }),
  ...{ session_id: free, trajectory_id: free, final_metrics: free, continued_trajectory_ref: free },
  ...{ subagent_trajectories: free, notes: free, extra: free },
});
const identified = trajectory.extend({ session_id: text });
const call = z.looseObject({ tool_call_id: text, function_name: text, arguments: z.looseObject({}) });
const step = z.looseObject({
  step_id: z.int(),
  timestamp: instant.nullish(),
  source: z.enum(['system', 'user', 'agent']),
  message: content,
  tool_calls: z.array(call).nullish(),
  observation: z.looseObject({ results }).nullish(),
  metrics: z.looseObject({ prompt_tokens: count, completion_tokens: count, cached_tokens: count }).nullish(),
  ...{ model_name: free, reasoning_effort: free, reasoning_content: free },
  ...{ is_copied_context: free, llm_call_count: free, extra: free },
});

/** Members that only a step of the agent may have. */
const OF_AGENT = ['model_name', 'reasoning_effort', 'reasoning_content', 'tool_calls', 'metrics'];

/** Faults that the schema cannot express (atif.md §5). */
function* faultsOf(step: JsonObject): Generator<EventRemark> {
  const { source, llm_call_count: asked } = step;
  const has = (name: string) => step[name] != null;
  const [member, used] = [OF_AGENT.find(has), ['metrics', 'reasoning_content'].find(has)];
  const message = `only a step of the agent may have \`${member}\`, but the source is ${named(source)}`;
  if (member && source !== 'agent') yield { code: 'event/agent-only', message, path: [member] };
  const none = `the step has \`${used}\`, but it asked no model`;
  if (used && asked === 0) yield { code: 'event/llm-count', message: none, path: ['llm_call_count'] };
}

/** The checks of trajectories (atif.md §5). */
export const RULES: SessionRules = {
  types: ['trajectory', 'system', 'user', 'agent'],
  schemaOf: ({ schema_version: version }) => {
    if (version === undefined) return step;
    // Version 1.7 made the session id optional.
    return typeof version === 'string' && /v1\.[0-6]$/.test(version) ? identified : trajectory;
  },
  example: step,
  start: 'the trajectory',
  counts: 'step_id',
  wrongType: 'error',
  isClosed: true,
  remarks: faultsOf,
  versions: ['schema_version', /^ATIF-v1\.[0-8]$/],
  severities: { 'order/start-repeated': 'info' },
};
