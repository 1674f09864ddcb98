import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { hashFile } from '../../../base/files/digest.ts';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { sizeOf } from '../../../base/files/paths.ts';
import type { Findings } from '../../../findings/findings.ts';

const count = z.int().min(0);
const act = z.object({
  rule: z.string(),
  line: count,
  message: z.string(),
  guess: z.literal(true).optional(),
});
const digest = z.object({ sha256: z.string(), bytes: count });

/** The file next to a repaired session: what was changed, and of which log. */
export const repairedCopySchema = z.object({
  schema: z.literal('noesis.doctor-copy/1'),
  program: z.string(),
  /** The version whose rules were used. */
  rules: z.string(),
  /** The damaged log. */
  source: digest.extend({ name: z.string() }),
  copy: digest.extend({ session: z.string() }),
  /** Every change. */
  acts: z.array(act),
  /** What was left out: offsets into the source, and into the file of rejected bytes. */
  rejected: z.array(
    z.object({
      line: count,
      byte_start: count,
      byte_end: count,
      why: z.string(),
      rejected_start: count,
      rejected_end: count,
    }),
  ),
  before: z.object({ parts: count, of: count, refused: count }),
  after: z.object({ parts: count, of: count, refused: count }),
  resume: z.string().nullable(),
});

export type RepairedCopy = z.infer<typeof repairedCopySchema>;

/** The name of a file next to a log. `isHidden`: the program takes files with the beginning of its names for its own. */
export const sideFileOf = (log: string, kind: 'rejected' | 'doctor.json', isHidden = false): string =>
  join(dirname(log), `${isHidden ? '.' : ''}${basename(log)}.${kind}`);

/** What the file next to a log says of it, and whether the log still begins as it was repaired; undefined for none. */
function repairedCopyAt(log: string): { readonly copy: RepairedCopy; readonly isSame: boolean } | undefined {
  for (const isHidden of [false, true]) {
    const read = readEpisodeFile(dirname(log), basename(sideFileOf(log, 'doctor.json', isHidden)));
    if (read.kind !== 'read') continue;
    const parsed = repairedCopySchema.safeParse(jsonOf(read.bytes));
    if (!parsed.success) continue;
    const { bytes, sha256 } = parsed.data.copy;
    const isSame = sizeOf(log) >= bytes && hashFile(log, bytes).sha256 === sha256;
    return { copy: parsed.data, isSame };
  }
  return undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/** Reports that a log is a repaired copy. The file next to it says so; `verify` checks that it is still this log. */
export function checkRepairedCopy(log: string, findings: Findings): void {
  const found = repairedCopyAt(log);
  if (found === undefined) return;
  const { acts, source, rules, program } = found.copy;
  const changes = acts.length === 1 ? '1 change' : `${acts.length} changes`;
  findings.report({
    code: 'session/repaired-copy',
    file: basename(log),
    message: found.isSame
      ? `noesis doctor made this log from ${source.name} (sha256 ${source.sha256}), with ${changes} by the rules of ${program} ${rules}`
      : `the file next to this log says that noesis doctor made it from ${source.name}, but the log no longer begins as it was made`,
    ...(!found.isSame && { severity: 'warn' as const }),
  });
}
