import * as z from 'zod';
import type { EpisodeSummary } from '../../find/summary.ts';
import {
  cost,
  count,
  dialect,
  episode,
  type Fields,
  lacks,
  milliseconds,
  partUsage,
  text,
  time,
  tokens,
  tone,
} from './shapes.ts';

type Listed = Omit<EpisodeSummary, 'charges' | 'tokens_by_model'> & { readonly id: string };

/** A run in the output of `noesis list -j`. */
export const listedRun = z.strictObject({
  episode,
  id: text.describe(
    'a short name that commands accept as a target; of logs with one id, the path from the current folder (`path` is the same from everywhere)',
  ),
  path: text.describe('the absolute path of its folder, or of its log'),
  dialect: dialect.optional(),
  task: text.optional().describe('its task or title'),
  status: text.optional().describe('its status, in the words of the dialect'),
  tone: tone.optional(),
  result: text.optional().describe('its outcome in a few words'),
  why: text.optional().describe('why it did not succeed'),
  started_at: time.optional(),
  written_at: time.optional().describe('the time of the last record, or when the log was written'),
  took_ms: milliseconds.optional().describe('how long it lasted, in milliseconds, as `show` says'),
  turns: count.optional(),
  model: text
    .optional()
    .describe('the model with the most answers; of several, the one with the most tokens'),
  models: z.array(text).optional().describe('all models in this order, if there are several'),
  tokens: tokens.optional().describe('with those of `subagents` and `parts`'),
  lacks,
  cost: cost.optional(),
  subagents: partUsage.optional().describe('the part of the tokens that subagents with separate logs used'),
  parts: partUsage.optional().describe('the part of the tokens in further logs of the session'),
  cwd: text.optional().describe('the working folder of the agent'),
  project: text.optional().describe('the name of that folder, or of the folder of the root'),
  forked_from: text.optional().describe('the id of the session that it was forked from'),
  copy_of: text
    .optional()
    .describe(
      'the id of the session of which `doctor` made this repaired copy; the name of its log if it is not listed, and its path if `salvage` made the copy',
    ),
  repaired_as: text
    .optional()
    .describe('the id of the repaired copy that `doctor` made of this session as it is now'),
  chain: text.optional().describe('how its records seem to be chained by hashes; nothing is verified'),
  log_bytes: count.optional().describe('the size of the log'),
  sealed: z.boolean().describe('a seal exists; it is not verified'),
} satisfies Fields<Listed>);
