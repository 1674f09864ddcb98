import * as z from 'zod';
import { count, line, text } from './shapes.ts';

const root = text.describe('the RFC 6962 root of the lines, in base64');
const lines = count.describe('the number of whole lines');

/** The output of `noesis checkpoint -j`. */
export const takenCheckpoint = z.strictObject({
  schema: z.literal('noesis.checkpoint/1'),
  origin: text.describe('the name of the log in the checkpoint'),
  size: lines,
  root,
  uncovered: count.describe('bytes after the last newline, which the checkpoint does not cover'),
  verifierKey: text.describe('the public key, as a verifier of notes takes it'),
});

/** The output of `noesis checkpoint --verify -j`. */
export const checkedCheckpoint = z.strictObject({
  schema: z.literal('noesis.extension/1'),
  extends: z.boolean().describe('the log has only grown since the checkpoint'),
  level: z.enum(['anchored', 'none']).describe('how much this proves'),
  log: text.describe('the name of the log, or that of `--origin`'),
  origin: text.describe('the name of the log in the checkpoint'),
  before: z.strictObject({ size: lines, root }).describe('the log at the time of the checkpoint'),
  now: z.strictObject({ size: lines, root }),
  line: line.optional().describe('the first line that changed or is missing, if it is known'),
  lost: z.enum(['newline', 'end']).optional().describe('the part of that line that is missing'),
});

export type TakenCheckpointOutput = z.infer<typeof takenCheckpoint>;
export type CheckedCheckpointOutput = z.infer<typeof checkedCheckpoint>;
