import * as z from 'zod';
import type { Difference } from '../../findings/projection/difference.ts';
import type { Evidence } from '../../findings/projection/evidence.ts';
import type { Comparison, NotCompared } from '../../findings/projection/projector.ts';
import { type Fields, line, stored, text } from './shapes.ts';

const evidence = z
  .strictObject({ event_id: text.optional(), line } satisfies Fields<Evidence>)
  .meta({ id: 'evidence' });

/** The output of `noesis project --diff -j`. */
export const stateComparison = z.strictObject({
  equal: z.boolean(),
  at: line.optional().describe('the last line that was read, with `--at`'),
  compared: z.array(text).describe('the compared paths; each covers everything below'),
  differences: z.array(
    z.strictObject({
      path: text,
      projected: stored.optional().describe('the value that the log gives; absent if it gives none'),
      stored: stored.optional().describe('the value in the stored state; absent if it has none'),
      evidence: evidence.optional().describe('the event that the projected value comes from'),
      named_by: evidence.optional().describe('an event that mentions this place without a value'),
    } satisfies Fields<Difference>),
  ),
  not_compared: z.array(
    z.strictObject({
      path: text.describe('it covers everything below'),
      reason: text,
      line: line.optional().describe('the line of the log that explains it'),
    } satisfies Fields<NotCompared>),
  ),
  underivable: z.array(text).describe('parts that the stored state may have but the log has no evidence for'),
} satisfies Fields<Comparison & { readonly equal: boolean; readonly at: number }>);
