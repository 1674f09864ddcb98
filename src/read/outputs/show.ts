import * as z from 'zod';
import {
  type Account,
  type AccountStep,
  COUNTED_IN,
  type SubagentUse,
  type ToolUse,
  type WrittenFile,
} from '../../dialects/kit/account.ts';
import type { FileChange } from '../../dialects/kit/file-change.ts';
import type { ModelUsage, RunUsage } from '../../dialects/kit/usage.ts';
import type { PartOfSession } from '../../dialects/resume.ts';
import { LEVELS } from '../../findings/level.ts';
import { chainSchema, findingSchema } from '../../findings/report-schema.ts';
import { VERDICTS } from '../../findings/report-words.ts';
import {
  type ChangedFile,
  type ChangesOfRun,
  type CopiedChanges,
  POSSIBLE_CHANGES,
  type PossibleChange,
  UNFINISHED,
} from '../describe/changes-of-story.ts';
import type { EventAccount, EventLink } from '../describe/event-of-log.ts';
import type { LogAccount } from '../describe/gathering.ts';
import type { NetChange } from '../describe/net-changes.ts';
import type { OutlyingTime } from '../describe/span.ts';
import {
  configuration,
  copied,
  copiedMark,
  cost,
  count,
  dialect,
  endingReason,
  episode,
  type Fields,
  failedCalls,
  furtherLog,
  lacks,
  line,
  loadedTurns,
  milliseconds,
  part,
  partUsage,
  remark,
  resume,
  skippedLines,
  stored,
  text,
  time,
  timeOfRun,
  tokens,
  tone,
  unanswered,
} from './shapes.ts';
import { span } from './span.ts';

const accountStep = z
  .strictObject({
    id: text,
    status: text,
    tone: tone.optional(),
    text,
    calls: count.optional().describe('the calls of a turn'),
    tokens: count.optional().describe('those of a turn, if the log has them by turn'),
    failed: failedCalls.failed.optional(),
    refused: failedCalls.refused,
    interrupted: failedCalls.interrupted,
    no_result: failedCalls.no_result,
    is_unanswered: unanswered,
    rolled_back: z.literal(true).optional().describe('the turn was taken out of the conversation'),
    copied: copiedMark,
    duration_ms: milliseconds.optional(),
    line: line.optional().describe('the line of its last event'),
    part: furtherLog,
    cost: cost.optional(),
    lacks,
  } satisfies Fields<Omit<AccountStep, 'charges'>>)
  .meta({ id: 'account_step' });

const subagentUse = z
  .strictObject({
    id: text,
    title: text.optional(),
    status: text.optional(),
    tokens: count
      .optional()
      .describe(
        'those of its records, in its own log or in that of the session, else those that the log of the session names',
      ),
    counted: z
      .enum(COUNTED_IN)
      .optional()
      .describe(
        'its tokens count in the total and in its step, only in the total, or in nothing, because its log is missing',
      ),
    line: line.describe('where it started'),
    part: furtherLog,
    calls: count.optional().describe('the calls among its records, in its own log or in that of the session'),
    failed: failedCalls.failed.optional(),
    refused: failedCalls.refused,
    interrupted: failedCalls.interrupted,
    no_result: failedCalls.no_result,
    cost: cost.optional(),
    lacks,
  } satisfies Fields<Omit<SubagentUse, 'charges'>>)
  .meta({ id: 'subagent_use' });

const writtenFile = z
  .strictObject({
    path: text,
    edits: count,
    line: line.describe('the line of the last write'),
    part,
  } satisfies Fields<WrittenFile>)
  .meta({ id: 'written_file' });

/** What only some dialects have. */
const FACTS = {
  title: text.optional().describe('the title of a session'),
  session: z.record(text, stored).optional().describe('what the log of a session says about it'),
  compactions: count.optional().describe('how often a session was compacted'),
  links: z.array(text).optional().describe('the addresses that a session names as its results'),
  gates: z
    .array(z.strictObject({ gate: text, passed: count, failed: count, line }))
    .optional()
    .describe('the gates of a workflow'),
  cast: z
    .array(z.strictObject({ name: text, said: count, model: text.optional() }))
    .optional()
    .describe('who takes part in a run'),
  runs: z
    .array(
      z.strictObject({
        run: text,
        status: text,
        result: text.optional(),
        task: text.optional(),
        line: line.optional().describe('where it started'),
        scores: stored.optional(),
      }),
    )
    .optional()
    .describe('the runs of a log with many'),
};

const toolUse = z
  .strictObject({
    tool: text,
    calls: count,
    ...failedCalls,
    failed_line: line.optional().describe('the line of the last call that did not succeed'),
    failed_part: part.describe('the log with `failed_line`, if it is not that of the run'),
    took_ms: milliseconds.describe('milliseconds, without the time that a person took'),
    untimed: count
      .optional()
      .describe('calls that are not in `took_ms`, because the log does not say how long they took'),
    is_minimum: z
      .literal(true)
      .optional()
      .describe('`took_ms` has calls whose end is not in the log, as long as they are known to have worked'),
  } satisfies Fields<ToolUse>)
  .meta({ id: 'tool_use' });

const modelUsage = z
  .strictObject({ answers: count, tokens, cost: cost.optional() } satisfies Fields<ModelUsage>)
  .meta({ id: 'model_usage' });

type Shown = Omit<Account, 'usage' | 'waits' | 'mayLack' | 'facts' | 'sections' | 'grows' | 'hasTurns'> &
  Omit<RunUsage, 'charges'> &
  Omit<
    LogAccount,
    'account' | 'usage' | 'corruption' | 'skippedInParts' | 'counts' | 'start' | 'over' | 'end'
  >;

/** The output of `noesis show -j`. */
export const shownRun = z.strictObject({
  episode,
  dialect,
  verdict: z.enum(VERDICTS).optional().describe('as `verify` gives it; absent for a long log'),
  level: z.enum(LEVELS).optional().describe('how much the verdict proves'),
  chains: z.array(chainSchema).optional().describe('the chains of its records'),
  ...({
    is_part: z.literal(true).optional().describe('the log continues a session that begins in another one'),
    task: text.optional(),
    task_is_cut: z.literal(true).optional().describe('the task in the log has more lines than `task`'),
    status: text.optional().describe('how it ended or where it is, in the words of the dialect'),
    tone: tone.optional(),
    is_over: z.boolean().optional().describe('whether the run has ended; absent if the log does not say'),
    is_many: z.literal(true).optional().describe('the log has many runs, each with its own end'),
    why: z.array(endingReason).optional().describe('why it ended; the latest reason is last'),
    on_the_way: z.array(endingReason).optional().describe('earlier failures that did not end it'),
    steps: z.array(accountStep).optional().describe('its steps or tasks, or the turns of a session'),
    tools: z.array(toolUse).optional().describe('the tools of a session, the longest time first'),
    time: timeOfRun.optional().describe('where the time went'),
    agents: z.array(subagentUse).optional().describe('the subagents of a session'),
    files: z.array(writtenFile).optional().describe('the files that a session wrote'),
    cwd: text.optional().describe('the working folder of the agent'),
    resume: resume
      .optional()
      .describe('what the program would load of a session that is damaged or has branches'),
    tokens: tokens.optional().describe('with those of `subagents` and `parts`'),
    lacks,
    models: z.record(text, modelUsage).optional().describe('by model'),
    days: z.record(text, tokens).optional().describe('by day in UTC'),
    cost: cost.optional(),
    recorded_tokens: count
      .optional()
      .describe('the sum over all records, if it differs, because records repeat an answer'),
    tokens_by_turn: z.literal(false).optional().describe('the log has tokens, but not by turn'),
    unsure_tokens: count
      .optional()
      .describe('the tokens that no turn has, because they follow a damaged line'),
    subagents: partUsage.optional().describe('the part that subagents with separate logs used'),
    parts: partUsage.optional().describe('the part in further logs of the session'),
    events: count.describe('the records of all its logs'),
    bytes: count.describe('the size of all its logs'),
    slowest: z
      .array(
        z.strictObject({
          line,
          part: furtherLog,
          result_line: line.optional(),
          name: text,
          duration_ms: milliseconds.describe('milliseconds, without `waited_ms`'),
          waited_ms: milliseconds.optional().describe('milliseconds in which it waited for a person'),
        } satisfies Fields<LogAccount['slowest'][number]>),
      )
      .describe('the slowest events'),
    more_failed: count.describe('failed events that are not listed'),
    last: z.strictObject({ line, part: furtherLog, name: text }).optional().describe('the last event'),
    outlying: z
      .array(
        z.strictObject({
          line,
          before_ms: milliseconds.optional().describe('milliseconds before the first event of the log'),
          after_ms: milliseconds.optional().describe('milliseconds after the last event of the log'),
        } satisfies Fields<OutlyingTime>),
      )
      .optional()
      .describe(
        'the earliest and the latest time, if they are more than a day outside those of the other events',
      ),
    copied,
    skipped: skippedLines.optional().describe('damaged lines, which are left out'),
  } satisfies Fields<Shown>),
  ...FACTS,
  part_of: z
    .strictObject({
      session: text.describe('the id of that session'),
      is_further: z
        .boolean()
        .describe('the log continues the session itself; other parts are logs of subagents'),
      title: text.optional().describe('the task of the subagent, if its program names it'),
    } satisfies Fields<PartOfSession>)
    .optional()
    .describe('the session that the log is a part of'),
  copy_of: text.optional().describe('the damaged log that `doctor` or `salvage` made this one from'),
  counts: z.record(text, count).describe('the number of events by phase or type, the most frequent first'),
  started_at: time.optional().describe('the first time in its log or further logs'),
  ended_at: time.optional().describe('the last time in its log or further logs'),
  duration_ms: milliseconds
    .optional()
    .describe('how long it lasted, in milliseconds; events that follow the end of a run do not count'),
  resume_refused: text
    .optional()
    .describe('why its program would not load the session, or the API would refuse it'),
  resume_command: text
    .optional()
    .describe('the command that continues a session, if its program would find it'),
  last_refusal: remark
    .optional()
    .describe('the error with which the API refused the last request, if it may refuse the next one too'),
  resume_turns: loadedTurns
    .optional()
    .describe('which turns that command loads, if it does not load the newest'),
  resume_unchecked: text.optional().describe('why noesis does not know what that command loads'),
  resume_deletes: z
    .array(text)
    .optional()
    .describe('the logs that any start of that program deletes, so that they must be copied first'),
  configuration: configuration.optional().describe('what the configuration changed'),
});

const eventLink = z.strictObject({ span, text } satisfies Fields<EventLink>).meta({ id: 'event_link' });

/** The output of `noesis show RUN EVENT -j`. */
export const shownEvent = z.strictObject({
  ...({
    event: stored,
    span,
    type: text.optional(),
    agent: text.optional(),
    time: time.optional(),
    offset: milliseconds.optional().describe('milliseconds since the first time in the log'),
    cause: eventLink.optional().describe('the earlier event that led to it'),
    missing_cause: text.optional().describe('the id of a cause that is not in the log'),
    effects: z.array(eventLink).describe('the events that it led to'),
    more_effects: count.describe('effects that are not listed'),
  } satisfies Fields<EventAccount>),
  duration_ms: milliseconds.optional(),
  findings: z.array(findingSchema).describe('the findings of `verify` about this event'),
});

/** Fields of a change of a file, except its path. */
const CHANGE = {
  kind: z.enum(['edit', 'write', 'delete']),
  moved_from: text
    .describe(
      'the path of the file before the call, if the call moved it; that path then has a change `delete`',
    )
    .optional(),
  added: count.describe('added lines'),
  removed: count.describe('removed lines'),
  diff: text.describe('a unified diff without its header'),
} satisfies Fields<Omit<FileChange, 'path'>>;

export const fileChange = z
  .strictObject({ path: text.describe('as in the log'), ...CHANGE } satisfies Fields<FileChange>)
  .meta({ id: 'file_change' });

/** The output of `noesis show --changes -j`. */
export const shownChanges = z.strictObject({
  episode,
  dialect,
  ...({
    files: z
      .array(
        z.strictObject({
          path: text,
          added: count.describe('the sum of the added lines of all changes'),
          removed: count.describe('the sum of the removed lines of all changes'),
          net: z
            .strictObject({
              added: count,
              removed: count,
              diff: text.describe(
                'a unified diff without its header; after several changes without line numbers',
              ),
            } satisfies Fields<NetChange>)
            .optional()
            .describe('what all changes did together; absent if the log does not say how they fit together'),
          changes: z.array(
            z.strictObject({ line, part, ...CHANGE } satisfies Fields<ChangedFile['changes'][number]>),
          ),
        } satisfies Fields<ChangedFile>),
      )
      .describe('in the order of their first changes'),
    may_have_changed: z
      .array(
        z.strictObject({
          line,
          part,
          what: z
            .enum(POSSIBLE_CHANGES)
            .describe(
              '`elsewhere`: a repository, the machine or a service; `unknown`: the command is not known; `failed_edit`: an edit that its program reports as failed',
            ),
          command: text,
          failed: z
            .literal(true)
            .optional()
            .describe('the call failed; it may have changed something before'),
          unfinished: z
            .enum(UNFINISHED)
            .optional()
            .describe('the call was interrupted, or the log does not have its result'),
        } satisfies Fields<PossibleChange>),
      )
      .describe('commands that may have changed something; the log does not say what they did'),
    last_edit: line.optional().describe('the line of the last change'),
    last_test: line.optional().describe('the line of the last call that ran tests'),
    lost_since_edit: z
      .strictObject({
        lines: count.optional().describe('damaged lines'),
        records: count.optional().describe('records that later ones name and that the log does not have'),
      } satisfies Fields<NonNullable<ChangesOfRun['lost_since_edit']>>)
      .optional()
      .describe('what the log lacks after the last change, where a later call may have run tests'),
    copied: z
      .strictObject({
        from: text.optional().describe('the id of that session, if the log says it'),
        files: count,
      } satisfies Fields<CopiedChanges>)
      .optional()
      .describe(
        'the number of files that calls changed which were copied from another session, where they count',
      ),
  } satisfies Fields<ChangesOfRun>),
  skipped: skippedLines.optional().describe('damaged lines, which may have had more changes'),
});
