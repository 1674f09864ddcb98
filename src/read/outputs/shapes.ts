import * as z from 'zod';
import type { Account, EndingReason, TimeOfRun } from '../../dialects/kit/account.ts';
import type { Copied } from '../../dialects/kit/copied.ts';
import type { FailedCalls } from '../../dialects/kit/failed-calls.ts';
import type { Cost, PriceSources } from '../../dialects/kit/prices.ts';
import type { Tone } from '../../dialects/kit/state-view.ts';
import type { Lacks, Tokens } from '../../dialects/kit/tokens.ts';
import type { PartUsage } from '../../dialects/kit/usage.ts';
import type { ReportConfiguration } from '../../findings/report.ts';
import type { SkippedLines } from '../../log/corrupt-lines.ts';

type SnakeCase<Name extends string> = Name extends `${infer Letter}${infer Rest}`
  ? `${Letter extends Lowercase<Letter> ? Letter : `_${Lowercase<Letter>}`}${SnakeCase<Rest>}`
  : Name;

/**
 * The fields that the JSON of a value has, each with a schema. With `satisfies`, a field that is added to the type and not
 * to the schema, or the reverse, does not compile.
 */
export type Fields<T> = {
  readonly [Name in keyof T as Name extends string ? SnakeCase<Name> : never]-?: z.ZodType;
};

export const text = z.string();
export const count = z.number().int().min(0);
export const line = z.number().int().min(1).describe('a line of the log, from 1');
export const time = z.string().describe('a time in ISO 8601');
export const milliseconds = z.number().describe('milliseconds');
/** The name of the log of a subagent. */
export const part = text
  .optional()
  .describe('the log of a subagent, or a further log of the run; absent for the log of the run');
/** The name of a further log. */
export const furtherLog = text
  .optional()
  .describe('the further log of the run that has the line; absent for the log of the run');
export const unanswered = z
  .literal(true)
  .optional()
  .describe('the next turn began without an answer to it; the log does not say that it was interrupted');
/** A value as a log or a state stores it. */
export const stored = z.unknown().describe('as stored');
export const dialect = z.string().describe('the dialect of the log');
export const episode = z.string().describe('the id or the name of the run');

/** The members of an object that counts calls without success. */
export const failedCalls = {
  failed: count.describe('calls that failed, were refused or stopped, or have no result'),
  refused: count.optional().describe('those of `failed` that a person, a rule or a limit refused'),
  interrupted: count.optional().describe('those of `failed` that were stopped'),
  no_result: count.optional().describe('those of `failed` of which the log has no result'),
} satisfies Fields<FailedCalls>;

const TONES = ['good', 'bad', 'doubtful', 'muted', 'name'] as const satisfies readonly Tone[];
export const tone = z.enum(TONES).describe('whether that is good or bad, in words that all dialects share');

export const tokens = z
  .strictObject({
    input: count.describe('input that was neither read from a cache nor written to one'),
    cached: count.describe('input read from a cache'),
    cache_write: count.describe('input written to a cache'),
    cache_write_1h: count.optional().describe('the part of `cache_write` that is kept for one hour'),
    output: count.describe('the whole output, with `reasoning`'),
    reasoning: count.describe('the reasoning in the output; 0 if the log does not count it'),
  } satisfies Fields<Tokens>)
  .meta({ id: 'tokens' });

const priceSources = z.strictObject({
  file: text.optional().describe('the configuration that has them'),
  list: text.optional().describe('the date of the built-in list'),
  stored_by: z.array(text).optional().describe('programs whose stored costs are included'),
} satisfies Fields<PriceSources>);

export const cost = z
  .strictObject({
    amount: text.nullable().describe('an exact decimal number; null if no cost is known'),
    currency: text,
    prices: priceSources.describe('where the prices are from'),
    unpriced: z.array(text).optional().describe('models without a price, which the amount leaves out'),
    missing: z
      .record(text, z.array(text))
      .optional()
      .describe('by model: the kinds of tokens without a price'),
    at_least: z.record(text, text).optional().describe('by model: why it may have cost more'),
    is_minimum: z.literal(true).optional().describe('the log does not have all the tokens, see `lacks`'),
  } satisfies Fields<Cost>)
  .meta({ id: 'cost' });

export const lacks = z
  .strictObject({
    requests: count
      .optional()
      .describe(
        'requests whose tokens are not counted; there may be more, because a compaction may make several',
      ),
    answers: count.optional().describe('answers of which the log has only some tokens'),
    subagents: count.optional().describe('subagents whose logs are missing'),
    logs: count
      .optional()
      .describe(
        'further logs of the session before which records are missing, which may also have had calls',
      ),
    lines: count.optional().describe('damaged lines, which may also have had calls'),
    records: count
      .optional()
      .describe('records that others name and the log does not have, which may also have had calls'),
  } satisfies Fields<Lacks>)
  .optional()
  .describe('what the tokens do not include, so that they and the cost are a minimum')
  .meta({ id: 'lacks' });

/** The mark of what was copied. */
export const copiedMark = z
  .literal(true)
  .optional()
  .describe('it was copied from another session, where it counts');
export const copied = z
  .strictObject({
    from: text.optional().describe('the id of that session, if the log says it'),
    turns: count,
    calls: count,
    lines: z.tuple([line, line]).describe('the lines of the first and the last copied record'),
  } satisfies Fields<Copied>)
  .optional()
  .describe('what the log has from another session, where it counts; turns and calls are marked')
  .meta({ id: 'copied' });

export const partUsage = z
  .strictObject({
    logs: count.describe('the number of logs'),
    tokens,
    lacks,
    cost: cost.optional(),
  } satisfies Fields<Omit<PartUsage, 'charges'>>)
  .meta({ id: 'part_usage' });

export const timeOfRun = z
  .strictObject({
    lasted_ms: milliseconds,
    model_ms: milliseconds,
    tools_ms: milliseconds.describe('milliseconds; calls at the same time count once'),
    waited_ms: milliseconds.describe('milliseconds in which the program waited for a person'),
    idle_ms: milliseconds.describe('milliseconds in which nothing happened'),
    unknown_ms: milliseconds
      .optional()
      .describe(
        'milliseconds in which anything may have happened: around damaged lines, or while a call may have worked',
      ),
    slowest: z
      .array(
        z.strictObject({
          line,
          part: furtherLog,
          tool: text,
          input: text,
          took_ms: milliseconds,
          waited_ms: milliseconds.optional().describe('milliseconds that a person took in addition'),
        } satisfies Fields<TimeOfRun['slowest'][number]>),
      )
      .describe('the slowest calls'),
  } satisfies Fields<TimeOfRun>)
  .meta({ id: 'time_of_run' });

export const endingReason = z
  .strictObject({
    kind: text.describe('the kind of event, such as `veto`'),
    text: text.describe('text of the log'),
    full_text: text.optional().describe('the whole of a last answer, if `text` is only its beginning'),
    tone,
    line: line.describe('the line of the event, or of the call'),
    result_line: line.optional().describe('the line of the result of the call'),
    part,
    facts: z
      .array(z.tuple([text, stored]))
      .optional()
      .describe('further facts, each a name and a value'),
  } satisfies Fields<EndingReason>)
  .meta({ id: 'ending_reason' });

export const skippedLines = z
  .strictObject({
    count,
    lines: z.array(line).describe('the first of them'),
    reason: text.describe('what is wrong with the first one'),
  } satisfies Fields<SkippedLines>)
  .meta({ id: 'skipped_lines' });

export const configuration = z
  .strictObject({
    path: text,
    rules: count.describe('the number of findings whose severity it sets'),
    settings: count.describe('the number of other settings that change how logs are read'),
    runs_dir: text.optional().describe('the folder of runs, if the file chose it'),
    prices: count.optional().describe('the number of models whose prices it has'),
  } satisfies Fields<ReportConfiguration>)
  .meta({ id: 'configuration' });

export const resume = z
  .strictObject({
    parts: count.describe('how many parts the program would load'),
    of: count.describe('how many parts the log has'),
    branches: count.describe('how many parts are on other branches'),
    refused: count.describe('how many things the API would refuse'),
    line: line.optional().describe('where the chain is cut'),
  } satisfies Fields<NonNullable<Account['resume']>>)
  .meta({ id: 'resume' });

/** A line of a log, and what is said of it. */
export const remark = z
  .strictObject({
    line: count.describe('a line of the log'),
    message: text,
  })
  .meta({ id: 'remark' });

export const loadedTurns = z
  .strictObject({
    of: count,
    loaded: z.array(count).describe('which of the turns are loaded, from 1'),
    newer: z.array(count).describe('turns that are not loaded, newer than any that is'),
  })
  .meta({ id: 'loaded_turns' });
