import * as z from 'zod';
import type { TimelineRow } from '../describe/session-timeline.ts';
import type { Span } from '../describe/spans.ts';
import {
  copiedMark,
  cost,
  count,
  type Fields,
  lacks,
  line,
  milliseconds,
  part,
  partUsage,
  text,
  time,
  timeOfRun,
  tokens,
} from './shapes.ts';

const SPAN = {
  line,
  call_line: line.optional().describe('for a result on another line than its call: the line of the call'),
  id: text.optional(),
  parent: text.optional().describe('the id of its cause'),
  name: text.describe('a tool, a step or a type'),
  phase: text.optional(),
  start: time.optional(),
  end: time.optional(),
  duration_ms: milliseconds.optional().describe('milliseconds of work'),
  at_least_ms: milliseconds
    .optional()
    .describe('how long it worked at least, in milliseconds, if the log does not have its end'),
  at_most_ms: milliseconds
    .optional()
    .describe('how long it worked at most, in milliseconds, if the log does not say more'),
  waited_ms: milliseconds
    .optional()
    .describe('milliseconds in which it waited for a person, between `start` and `end`'),
  status: z.enum(['ok', 'error', 'veto', 'open']).describe('`open`: the log does not say that it ended'),
  copied: copiedMark,
} satisfies Fields<Span>;

export const span = z.strictObject(SPAN).meta({ id: 'span' });

/** A line of the output of `noesis timeline -j`. */
export const timelineLine = z.union([
  z
    .strictObject({
      part,
      ...SPAN,
      status: z
        .enum(['ok', 'error', 'veto', 'open', 'unknown'])
        .describe(
          '`open`: the log does not say that it ended; `unknown`: its end may be on a damaged line, or missing',
        ),
      kind: z.enum(['turn', 'call', 'damaged']).describe('`damaged`: lines that are left out'),
      turn: count.describe('the number of the turn; 0 before the first'),
      rolled_back: z.literal(true).optional().describe('the turn was taken out of the conversation'),
      tool: text.optional().describe('of a call'),
      agent: text.optional().describe('the subagent that made a call'),
      result_line: line.optional().describe('the line of the result of a call, if it is another one'),
      lacks,
    } satisfies Fields<TimelineRow> & { readonly part: z.ZodType })
    .describe('a turn, a call or damaged lines of a session, without `--records` and filters'),
  z
    .strictObject({
      part,
      ...SPAN,
      kind: z.literal('damaged').optional().describe('lines that are left out'),
    })
    .describe('an event; of a session a record, with `--records` or a filter; or damaged lines between them'),
  z
    .strictObject({
      totals: z.strictObject({
        time: timeOfRun.optional(),
        tokens: tokens.optional().describe('with those of `subagents`'),
        lacks,
        cost: cost.optional(),
        subagents: partUsage.optional(),
      }),
    })
    .describe('the last line, without filters, if the log says where the time went or has tokens'),
]);
