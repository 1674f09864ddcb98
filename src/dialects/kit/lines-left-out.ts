import { basename, dirname } from 'node:path';
import { hashFile } from '../../base/files/digest.ts';
import { readEpisodeFile } from '../../base/files/files.ts';
import { isFile, sizeOf } from '../../base/files/paths.ts';
import { jsonIn } from '../../base/json/parse.ts';
import type { JsonValue } from '../../base/json/value.ts';
import { isNamedAsCopy } from '../sessions/kit/copy-name.ts';
import { numberIn, textIn } from './members.ts';

// A copy without the damaged lines of its log looks intact, but what was on these lines is still missing.

/** The account that `salvage` writes next to a copy. */
export const salvageAccountOf = (log: string): string => `${log}.salvage`;

/** A copy that `salvage` or `doctor` made. */
interface Salvaged {
  /** The damaged log: its name, or its path as it was given. */
  readonly source: string;
  /** The number of damaged lines that have something which is not in the copy. */
  readonly lines: number;
}

/** What `salvage` wrote about a log that it made, also if that was continued; undefined for other logs. */
export function salvaged(log: string): Salvaged | undefined {
  const account = salvageAccountOf(log);
  if (!isFile(account)) return undefined;
  const read = readEpisodeFile(dirname(account), basename(account));
  const lines = read.kind === 'read' ? Buffer.from(read.bytes).toString('utf8').trimEnd().split('\n') : [];
  const entries = lines.map((line): JsonValue | undefined => jsonIn(line));
  const summary = entries.at(-1);
  const [bytes, sha256] = [numberIn(summary, 'bytes'), textIn(summary, 'sha256')];
  if (bytes === undefined || sha256 === undefined || sizeOf(log) < bytes) return undefined;
  if (hashFile(log, bytes).sha256 !== sha256) return undefined;
  const lost = entries.filter((entry) => textIn(entry, 'kind') === 'lost');
  // A line may have several damaged parts.
  const counts = new Map(lost.map((entry) => [numberIn(entry, 'line'), numberIn(entry, 'lines') ?? 1]));
  const count = [...counts.values()].reduce((sum, one) => sum + one, 0);
  const [source = ''] = entries.flatMap((entry) => textIn(entry, 'source') ?? []);
  return { source, lines: count };
}

/** What a log was made from, by `doctor` or `salvage`, and how many damaged lines were left out; undefined for other logs. */
export async function repairOf(log: string): Promise<Salvaged | undefined> {
  const made = salvaged(log);
  if (!isNamedAsCopy(log)) return made;
  const { accountOfCopy, linesLost } = await import('../sessions/kit/repaired-copy.ts');
  const copy = accountOfCopy(log);
  if (copy === undefined) return made;
  return { source: copy.source.name, lines: (made?.lines ?? 0) + linesLost(copy) };
}

/** The number of damaged lines that `doctor` or `salvage` left out when it made this log; 0 if neither did. */
export const linesLeftOut = async (log: string): Promise<number> => (await repairOf(log))?.lines ?? 0;
