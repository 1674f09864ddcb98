import * as z from 'zod';
import type { Durations, FailureStatistics } from '../describe/run-fold.ts';
import type { GroupStatistics } from '../describe/run-groups.ts';
import type { ModelStatistics, Statistics } from '../describe/stats.ts';
import {
  configuration,
  cost,
  count,
  type Fields,
  failedCalls,
  lacks,
  line,
  milliseconds,
  partUsage,
  text,
  tokens,
} from './shapes.ts';

const durations = z
  .strictObject({
    count,
    untimed: count.optional().describe('how many of them have no known duration'),
    p50: milliseconds.optional().describe('the median, in milliseconds'),
    p95: milliseconds.optional().describe('the 95th percentile, in milliseconds'),
    max: milliseconds.optional(),
  } satisfies Fields<Durations>)
  .meta({ id: 'durations' });

const failure = z
  .strictObject({
    name: text.describe('a tool, a type or a step'),
    reason: text.describe('why, with numbers and ids replaced'),
    message: text.optional().describe('the last reason, as the log has it'),
    input: text.optional().describe('the input of the last one, such as a command; shortened'),
    count,
    episode: text.optional().describe('the last run with it'),
    line: line.describe('the line of the call or event in that run'),
    result_line: line.optional().describe('the line of the result of the call'),
  } satisfies Fields<FailureStatistics>)
  .meta({ id: 'failure' });

const modelStatistics = z
  .strictObject({
    answers: count,
    tokens,
    tools: z.record(text, count).describe('calls by tool'),
    cost: cost.optional(),
  } satisfies Fields<ModelStatistics>)
  .meta({ id: 'model_statistics' });

const group = z
  .strictObject({
    runs: count,
    calls: durations,
    ...failedCalls,
    tokens: tokens.optional().describe('absent for tools'),
    lacks,
    cost: cost.optional(),
  } satisfies Fields<GroupStatistics>)
  .meta({ id: 'group' });

const byName = z.record(text, durations);

/** The output of `noesis stats -j`. */
export const statistics = z.strictObject({
  ...({
    episodes: count.describe('the number of runs'),
    events: count,
    statuses: z.record(text, count).describe('runs by status'),
    success_rate: z
      .number()
      .optional()
      .describe(
        'the share of finished runs that succeeded, from 0 to 1; a session succeeded if it ended with an answer',
      ),
    runs: durations.describe('durations from the first record to the last'),
    worked: durations.optional().describe('times of model and tools, without waiting'),
    waited_ms: milliseconds.optional().describe('milliseconds in which runs waited for a person'),
    idle_ms: milliseconds.optional().describe('milliseconds in which nothing happened'),
    unknown_ms: milliseconds
      .optional()
      .describe('milliseconds in which anything may have happened, so `worked` and the two above are minima'),
    phases: byName.describe('by phase'),
    names: byName.describe('by tool, type or step'),
    tools: byName.optional().describe('the calls among `names`, by tool'),
    types: byName.optional().describe('all others among `names`, by type or step'),
    other_logs: z
      .strictObject({ subagents: count, further: count } satisfies Fields<
        NonNullable<Statistics['other_logs']>
      >)
      .optional()
      .describe('logs in addition to one per run'),
    vetoes: z.record(text, count).describe('by policy'),
    failures: z.record(text, count).describe('by reason, with numbers and ids replaced'),
    failed: z.array(failure).describe('the most frequent first'),
    refused: z
      .array(failure)
      .describe('calls and events that a person, a rule or a limit refused or stopped'),
    groups: z.record(text, group).optional().describe('with `--by`'),
    failed_calls: z
      .record(text, count)
      .optional()
      .describe('by how they failed: `failed`, `refused`, `interrupted`, `no result`'),
    copied_calls: count
      .optional()
      .describe('calls that logs contain as copies, as after a fork; each counts once, where it was made'),
    copied_tokens: count
      .optional()
      .describe(
        'tokens that several logs contain, and that count once: the runs alone have `tokens` and these',
      ),
    undated: z
      .strictObject({ runs: count, calls: count } satisfies Fields<NonNullable<Statistics['undated']>>)
      .optional()
      .describe('left out of a time range because they have no time'),
    models: z.record(text, modelStatistics).describe('by model'),
    days: z.record(text, count).describe('runs by the day in UTC on which they started'),
    tokens: tokens.optional().describe('with those of `subagents` and `parts`'),
    lacks,
    subagents: partUsage.optional().describe('the part that subagents with separate logs used'),
    parts: partUsage.optional().describe('the part in further logs of sessions'),
    cost: cost.optional(),
    tokens_by_day: z
      .record(text, tokens)
      .optional()
      .describe('by the day of the answers in UTC, without the tokens of the runs in `totals_only`'),
    totals_only: count
      .optional()
      .describe(
        'runs whose logs have only one sum of their tokens, which `--by` counts on the day of their start',
      ),
  } satisfies Fields<Statistics>),
  configuration: configuration.optional().describe('what the configuration changed'),
});
