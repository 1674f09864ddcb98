import * as z from 'zod';
import type {
  CallItem,
  DividerItem,
  NoteItem,
  PartStory,
  SaidItem,
  Story,
  StoryPoint,
  StoryTurn,
} from '../../dialects/kit/story.ts';
import { CALL_STATUSES } from '../../dialects/sessions/kit/session.ts';
import {
  configuration,
  copied,
  copiedMark,
  cost,
  count,
  dialect,
  episode,
  type Fields,
  failedCalls,
  furtherLog,
  lacks,
  line,
  milliseconds,
  partUsage,
  text,
  time,
  timeOfRun,
  tokens,
  tone,
  unanswered,
} from './shapes.ts';
import { fileChange } from './show.ts';

const ITEM = {
  line,
  time: time.optional(),
  agent: text.optional().describe('the subagent that did it; absent for the agent itself'),
};

const point = z
  .strictObject({ text, tone: tone.optional(), line: line.optional() } satisfies Fields<StoryPoint>)
  .meta({ id: 'story_point' });

/** A subagent has turns, which have calls, which have subagents. */
const partStory: z.ZodType = z
  .lazy(() =>
    z.strictObject({
      name: text.describe(
        'if it has its own log, a name that commands accept as a target; else `agent` of its steps in the log of the session',
      ),
      log: text
        .optional()
        .describe(
          'the path of its own log, in which its lines are; absent if they are in that of the session',
        ),
      title: text.optional(),
      status: text,
      tone: tone.optional(),
      calls: count,
      ...failedCalls,
      tokens: tokens.optional(),
      cost: cost.optional(),
      lacks,
      damaged: count.optional().describe('damaged lines, which are left out'),
      turns: z.array(turn).optional().describe('with `--all`, if it has its own log'),
      subagents: z.array(partStory).optional().describe('its own subagents'),
    } satisfies Fields<Omit<PartStory, 'charges'>>),
  )
  .meta({ id: 'part_story' });

const said = z
  .strictObject({
    kind: z.enum(['prompt', 'answer', 'thinking']),
    ...ITEM,
    speaker: text.optional().describe('who says it, if neither the user nor the agent'),
    text,
  } satisfies Fields<SaidItem>)
  .meta({ id: 'said' });

const call = z
  .strictObject({
    kind: z.literal('call'),
    ...ITEM,
    tool: text,
    input: text.describe('the most informative argument'),
    status: z.enum(CALL_STATUSES).describe('`unknown`: its result may be on a damaged line, or missing'),
    exit_code: z.number().int().optional(),
    duration_ms: milliseconds.optional().describe('milliseconds in which it worked'),
    at_least_ms: milliseconds
      .optional()
      .describe('how long it worked at least: the log does not have its end'),
    at_most_ms: milliseconds
      .optional()
      .describe('how long it worked at most: it waited for a person, or was stopped when the program ended'),
    waited_ms: milliseconds.optional().describe('milliseconds that a person took in addition'),
    result_line: line.optional().describe('the line of the result'),
    copied: copiedMark,
    output: text.optional(),
    changes: z.array(fileChange).optional(),
    points: z.array(point).optional().describe('the decisions before it'),
    subagents: z.array(partStory).optional().describe('the subagents that it started'),
  } satisfies Fields<Omit<CallItem, 'more_lines'>>)
  .meta({ id: 'call' });

const note = z
  .strictObject({
    kind: z.literal('note'),
    ...ITEM,
    title: text,
    tone: tone.optional(),
    text: text.optional(),
    points: z.array(point).optional(),
  } satisfies Fields<NoteItem>)
  .meta({ id: 'note' });

const divider = z
  .strictObject({
    kind: z.literal('divider'),
    ...ITEM,
    title: text,
    tone: tone.optional(),
    text: text.optional(),
    damaged: count.optional().describe('the number of damaged lines that are left out here'),
    changes: z
      .array(fileChange)
      .optional()
      .describe('what a result says of files whose call is not in the log'),
  } satisfies Fields<DividerItem>)
  .meta({ id: 'divider' });

const turn = z
  .strictObject({
    turn: count.describe('from 1; 0 for everything before the first prompt'),
    line,
    part: furtherLog,
    title: text.optional(),
    time: time.optional(),
    status: text.optional(),
    tone: tone.optional(),
    duration_ms: milliseconds.optional().describe('milliseconds in which the program worked on it'),
    waited_ms: milliseconds.optional().describe('milliseconds that a person took in addition'),
    idle_ms: milliseconds.optional().describe('milliseconds from its end to the next prompt'),
    compacted_ms: milliseconds
      .optional()
      .describe('milliseconds in addition to `idle_ms`, in which the program compacted the conversation'),
    unknown_ms: milliseconds
      .optional()
      .describe('milliseconds in addition to these, in which a call may have worked'),
    unsure_ms: milliseconds
      .optional()
      .describe(
        'milliseconds in addition to these: after its first damaged line, the program worked or waited in this turn or in another one',
      ),
    tokens: tokens.optional(),
    cost: cost.optional(),
    lacks,
    is_unanswered: unanswered,
    rolled_back: z.literal(true).optional().describe('it was taken out of the conversation'),
    copied: z.literal(true).optional().describe('all of it was copied from another session, where it counts'),
    items: z.array(z.discriminatedUnion('kind', [said, call, note, divider])),
  } satisfies Fields<Omit<StoryTurn, 'charges' | 'all_calls'>>)
  .meta({ id: 'turn' });

/** The output of `noesis read -j`. */
export const readRun = z.strictObject({
  schema: z.literal('noesis.read/1'),
  episode,
  dialect,
  ...({
    title: text.optional(),
    status: text.describe('how it ended or where it is, in the words of the dialect'),
    tone: tone.optional(),
    time: timeOfRun.optional(),
    tokens: tokens.optional().describe('with those of `subagents` and `parts`'),
    lacks,
    subagents: partUsage.optional().describe('the part that subagents with separate logs used'),
    parts: partUsage.optional().describe('the part in further logs of the session'),
    tokens_by_turn: z.literal(false).optional().describe('the log has tokens, but not by turn'),
    unsure_tokens: count
      .optional()
      .describe('the tokens that no turn has, because they follow a damaged line'),
    copied,
    tokens_by_model: z.record(text, tokens).optional().describe('by model'),
    cost: cost.optional(),
    agents: z.record(text, text).optional().describe('the titles of the subagents that items name'),
    turns: z.array(turn),
    subagent_runs: z
      .array(partStory)
      .optional()
      .describe('the subagents that no call is known to have started'),
  } satisfies Fields<Omit<Story, 'charges'>>),
  configuration: configuration.optional().describe('what the configuration changed'),
  subagent_logs: z.array(text).optional().describe('the logs of subagents'),
  further_logs: z.array(text).optional().describe('the logs in which the session continues'),
});
