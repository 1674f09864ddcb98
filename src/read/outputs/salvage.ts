import * as z from 'zod';
import { count, line, text } from './shapes.ts';

const BYTES = {
  byteStart: count.describe('the offset of its first byte in the source'),
  byteEnd: count.describe('the offset of its end in the source'),
};
const source = text.describe('the path of the damaged log');

const kept = z.strictObject({
  kind: z.literal('kept').describe('consecutive lines that each were an intact record'),
  source,
  line: line.describe('the first line, from 1'),
  records: count.describe('the number of records on consecutive lines'),
  ...BYTES,
});

const repaired = z.strictObject({
  kind: z.literal('repaired').describe('a record that was recovered from a damaged line'),
  source,
  line,
  ...BYTES,
  code: text.describe('the finding'),
  how: text.describe('how it was repaired'),
});

const lost = z.strictObject({
  kind: z.enum(['lost', 'replaced']).describe('bytes that are not a record, or were repaired to be one'),
  source,
  line,
  lines: count
    .optional()
    .describe('the number of lines from `line` on, if more than one; code and message are for the first'),
  ...BYTES,
  code: text.describe('the finding'),
  message: text,
  rejectedStart: count.describe('the offset of its first byte in the file of rejected bytes'),
  rejectedEnd: count.describe('the offset of its end in that file'),
});

const summary = z.strictObject({
  kind: z.literal('summary').describe('the last line'),
  sources: z.array(text).describe('the damaged log'),
  kept: count.describe('the number of intact records'),
  repaired: count.describe('the number of repaired records'),
  lost: count.describe('the number of lost places'),
  lostBytes: count.describe('their bytes'),
  sha256: text.describe('the hash of the new log'),
  bytes: count.describe('the size of the new log'),
  sealed: z
    .boolean()
    .describe('the new log is exactly the one that the seal of the episode lists, and the seal was kept'),
  leftOut: z.array(text).describe('files that only belong to the damaged log and were not copied'),
});

/** A line of the output of `noesis salvage -j`, and of the account next to the copy. */
export const salvageLine = z.union([kept, repaired, lost, summary]);

export type KeptLine = z.infer<typeof kept>;
export type RepairedLine = z.infer<typeof repaired>;
export type LostLine = z.infer<typeof lost>;
export type SummaryLine = z.infer<typeof summary>;
