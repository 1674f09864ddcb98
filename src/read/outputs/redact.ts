import * as z from 'zod';
import { count, text } from './shapes.ts';

/** The output of `noesis redact -j`. */
export const redactedCopy = z.strictObject({
  output: text.describe('the absolute path of the folder of the copy'),
  files: z.array(text).describe('the files of the copy'),
  left_out: z
    .array(text)
    .describe('files of the episode that are not copied: its seal, and files that are not JSON'),
  replaced: z
    .array(
      z.strictObject({
        rule: text,
        places: count.describe('the number of replaced values'),
        different: count.describe('the number of different secrets'),
      }),
    )
    .describe('what was replaced, by rule'),
  no_longer_valid: z.array(text).describe('guarantees of the original that the copy does not have'),
});

export type RedactedCopy = z.infer<typeof redactedCopy>;
