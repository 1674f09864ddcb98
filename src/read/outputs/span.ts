import * as z from 'zod';
import type { Span } from '../describe/spans.ts';
import {
  cost,
  type Fields,
  lacks,
  line,
  milliseconds,
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
  at_most_ms: milliseconds
    .optional()
    .describe('how long it worked at most, in milliseconds, if the log does not say more'),
  waited_ms: milliseconds
    .optional()
    .describe('milliseconds in which it waited for a person, between `start` and `end`'),
  status: z.enum(['ok', 'error', 'veto', 'open']).describe('`open`: it has not ended'),
} satisfies Fields<Span>;

export const span = z.strictObject(SPAN).meta({ id: 'span' });

/** A line of the output of `noesis timeline -j`. */
export const timelineLine = z.union([
  z.strictObject({
    part: text.optional().describe('the log of a subagent; absent for the log of the run'),
    ...SPAN,
  }),
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
