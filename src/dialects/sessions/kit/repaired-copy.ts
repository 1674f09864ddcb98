import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { hashFile } from '../../../base/files/digest.ts';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { sizeOf, statusOf } from '../../../base/files/paths.ts';
import type { Findings } from '../../../findings/findings.ts';
import { isNamedAsCopy } from './copy-name.ts';

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

/** Why bytes were left out that are no record: one was on that line, or more. */
export const NOT_A_RECORD = 'not a record';

/** That a line had nothing but NUL bytes, where a record was. */
export const lineOfNuls = (bytes: number): string => `a line of ${bytes} NUL bytes was removed`;
const LINE_OF_NULS = /^a line of \d+ NUL bytes was removed$/;

/** The number of lines of the original whose bytes could not be read as records. */
export const linesLost = ({ acts, rejected }: RepairedCopy): number =>
  new Set([
    ...rejected.filter(({ why }) => why === NOT_A_RECORD).map(({ line }) => line),
    ...acts.filter(({ message }) => LINE_OF_NULS.test(message)).map(({ line }) => line),
  ]).size;

/** The name of a file next to a log. `isHidden`: the program takes files with the beginning of its names for its own. */
export const sideFileOf = (log: string, kind: 'rejected' | 'doctor.json', isHidden = false): string =>
  join(dirname(log), `${isHidden ? '.' : ''}${basename(log)}.${kind}`);

/** The copy of the original that is made before a log is repaired in place. */
export const backupOf = (log: string, sha256: string): string => `${log}.before-doctor-${sha256}`;

/** What the file next to a log says of it. */
interface FoundCopy {
  readonly copy: RepairedCopy;
  /** Whether the log still begins as it was repaired. */
  readonly isSame: boolean;
  readonly isHidden: boolean;
}

/** What the file next to a log says of it; undefined for none. */
function repairedCopyAt(log: string): FoundCopy | undefined {
  for (const isHidden of [false, true]) {
    const read = readEpisodeFile(dirname(log), basename(sideFileOf(log, 'doctor.json', isHidden)));
    if (read.kind !== 'read') continue;
    const parsed = repairedCopySchema.safeParse(jsonOf(read.bytes));
    if (!parsed.success) continue;
    const { bytes, sha256 } = parsed.data.copy;
    const isSame = sizeOf(log) >= bytes && hashFile(log, bytes).sha256 === sha256;
    return { copy: parsed.data, isSame, isHidden };
  }
  return undefined;
}

/** The account of a repaired copy that nobody has continued; undefined for other logs. */
export function unchangedCopy(log: string): RepairedCopy | undefined {
  if (!isNamedAsCopy(log)) return undefined;
  const found = repairedCopyAt(log);
  return found?.isSame && sizeOf(log) === found.copy.copy.bytes ? found.copy : undefined;
}

/** The account of a repaired copy, also of one that was continued; undefined for other logs. */
export function accountOfCopy(log: string): RepairedCopy | undefined {
  if (!isNamedAsCopy(log)) return undefined;
  const found = repairedCopyAt(log);
  return found?.isSame ? found.copy : undefined;
}

/** The account of a copy that was made from a log with this hash; undefined if no such copy is at this path. */
export function copyMadeFrom(sha256: string, log: string): RepairedCopy | undefined {
  const found = isAt(log) ? repairedCopyAt(log) : undefined;
  return found?.isSame && found.copy.source.sha256 === sha256 ? found.copy : undefined;
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The names of the files that repairs wrote next to the logs of a folder, if they still fit them: the accounts, the bytes that
 * were left out, and the originals of logs that were repaired in place. Another file could hide a log under such a name.
 */
export function filesOfRepairs(dir: string, names: readonly string[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of names) {
    const log = /^\.?(.+)\.doctor\.json$/.exec(name)?.[1];
    if (log === undefined || !names.includes(log)) continue;
    const path = join(dir, log);
    const repaired = repairedCopyAt(path);
    if (repaired?.isSame !== true) continue;
    const { copy, isHidden } = repaired;
    const account = sideFileOf(path, 'doctor.json', isHidden);
    if (basename(account) !== name) continue;
    const rejected = sideFileOf(path, 'rejected', isHidden);
    const length = copy.rejected.at(-1)?.rejected_end;
    const backup = backupOf(path, copy.source.sha256);
    found.add(name);
    // Each piece of what was left out ends with a newline, which the account does not count.
    if (length !== undefined && isAt(rejected) && sizeOf(rejected) === length + 1)
      found.add(basename(rejected));
    if (isAt(backup) && hashFile(backup).sha256 === copy.source.sha256) found.add(basename(backup));
  }
  return found;
}

const isAt = (path: string): boolean => statusOf(path)?.isFile() === true;

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
