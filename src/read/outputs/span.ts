import * as z from 'zod';
import type { Span } from '../describe/spans.ts';
import { type Fields, line, milliseconds, text, time } from './shapes.ts';

const SPAN = {
  line,
  call_line: line.optional().describe('for a result on another line than its call: the line of the call'),
  id: text.optional(),
  parent: text.optional().describe('the id of its cause'),
  name: text.describe('a tool, a step or a type'),
  phase: text.optional(),
  start: time.optional(),
  end: time.optional(),
  duration_ms: milliseconds.optional(),
  status: z.enum(['ok', 'error', 'veto', 'open']).describe('`open`: it has not ended'),
} satisfies Fields<Span>;

export const span = z.strictObject(SPAN).meta({ id: 'span' });

/** A line of the output of `noesis timeline -j`. */
export const timelineSpan = z.strictObject({
  part: text.optional().describe('the log of a subagent; absent for the log of the run'),
  ...SPAN,
});
