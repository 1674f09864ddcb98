import { rmSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { errorCode, FileError, NoesisError, reasonOf, UsageError } from '../../errors.ts';
import { listFiles, readEpisodeFile } from '../../files/files.ts';
import { NEWLINE } from '../../json/ascii.ts';
import { Turns } from '../../time/turns.ts';
import { isOfLock } from '../lock-file.ts';
import { keptEntries, type LostEntry, type SalvageEntry, type SalvageSummary } from './account.ts';
import { Output, Source } from './files.ts';
import { type ReadCopy, readCopy } from './read-copy.ts';

/** So many entries of the account are written at a time: a log may be lost in as many places as it has lines. */
const ENTRIES_AT_ONCE = 1000;

/** A damaged log. */
export interface DamagedLog {
  readonly log: string;
  /** The episode's folder; undefined for a log alone. */
  readonly dir: string | undefined;
}

export interface SalvageOptions {
  /** The folder to make; undefined: only the account is given. */
  readonly to: string | undefined;
  /** What is to be removed should the process end on the way. */
  readonly leftovers?: Set<() => void>;
}

/** Writes the records that are kept. */
async function writeLog({ kept }: ReadCopy, source: Source, output: Output): Promise<void> {
  const newline = Buffer.of(NEWLINE);
  const turns = new Turns();
  for (const { mended, byteStart, byteEnd } of kept) {
    if (turns.isDue) await turns.give();
    if (mended) output.write(mended);
    else for (const piece of source.read(byteStart, byteEnd)) output.write(piece);
    output.write(newline);
  }
}

async function writeRejected({ path, lost }: ReadCopy, source: Source, output: Output): Promise<LostEntry[]> {
  const turns = new Turns();
  const entries: LostEntry[] = [];
  for (const { replaced, ...range } of lost.toSorted((a, b) => a.byteStart - b.byteStart)) {
    if (turns.isDue) await turns.give();
    const rejectedStart = output.size;
    for (const piece of source.read(range.byteStart, range.byteEnd)) output.write(piece);
    const kind = replaced ? 'replaced' : 'lost';
    entries.push({ kind, source: path, ...range, rejectedStart, rejectedEnd: output.size });
  }
  return entries;
}

/** Writes what came of it, a line for each entry. */
async function writeAccount(entries: readonly SalvageEntry[], output: Output): Promise<void> {
  const turns = new Turns();
  for (let at = 0; at < entries.length; at += ENTRIES_AT_ONCE) {
    if (turns.isDue) await turns.give();
    const some = entries.slice(at, at + ENTRIES_AT_ONCE);
    output.write(Buffer.from(some.map((entry) => `${JSON.stringify(entry)}\n`).join('')));
  }
}

/** What closes an episode: it belongs to the log as it was. */
interface SealFiles {
  readonly names: readonly string[];
  /** The hash of the log that the seal lists. */
  readonly log: string | undefined;
}

async function sealOf({ dir, log }: DamagedLog, dialect: Dialect): Promise<SealFiles> {
  const [sealing, writing] = [await dialect.sealing?.(), await dialect.writing?.()];
  if (dir === undefined || sealing === undefined) return { names: [], log: undefined };
  const marks = [writing?.sealFile?.(log)].filter((mark) => mark !== undefined);
  const listing = readEpisodeFile(dir, sealing.listingName);
  return {
    names: [sealing.listingName, ...marks.map((mark) => basename(mark))],
    log: listing.kind === 'read' ? sealing.hashOf(listing.bytes, basename(log)) : undefined,
  };
}

/** Copies what else the episode has. Returns what was left out. */
async function copyOthers(
  { dir, log }: DamagedLog,
  to: string | undefined,
  leave: readonly string[],
): Promise<string[]> {
  if (dir === undefined) return [];
  const leftOut: string[] = [];
  for (const { name, inside } of listFiles(dir).files) {
    if (name === basename(log) || isOfLock(name, log)) continue;
    if (!inside || leave.includes(name)) {
      leftOut.push(name);
      continue;
    }
    if (to === undefined) continue;
    await mkdir(dirname(join(to, name)), { recursive: true });
    await copyFile(join(dir, name), join(to, name));
  }
  return leftOut;
}

async function makeFolder(to: string): Promise<void> {
  try {
    await mkdir(to);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new UsageError('usage', `${to} is there already`, {
      place: { file: to },
      hint: 'salvage makes the folder itself, so that nothing is written over: name one that does not exist',
    });
  }
}

/** What was salvaged: the account of it, entry by entry, the summary last. */
export interface Salvage {
  readonly entries: readonly SalvageEntry[];
  readonly summary: SalvageSummary;
}

async function write(
  damaged: DamagedLog,
  copy: ReadCopy,
  dialect: Dialect,
  to: string | undefined,
): Promise<Salvage> {
  const name = basename(damaged.log);
  const at = (file: string) => (to === undefined ? undefined : join(to, file));
  const source = new Source(copy.path);
  const log = new Output(at(name));
  try {
    const kept = await keptEntries(copy);
    await writeLog(copy, source, log);
    const seal = await sealOf(damaged, dialect);
    const sealed = seal.log === log.sha256;
    // Beside a log that is again the one that was sealed lies nothing that its seal does not list.
    const beside = (suffix: string) => (sealed ? undefined : at(`${name}${suffix}`));
    const rejected = new Output(beside('.rejected'));
    const told = await writeRejected(copy, source, rejected);
    rejected.close();
    const lost = told.filter(({ kind }) => kind === 'lost');
    const leftOut = await copyOthers(damaged, to, sealed ? [] : seal.names);
    const repaired = copy.kept.filter(({ repair }) => repair !== undefined).length;
    const summary: SalvageSummary = {
      kind: 'summary',
      sources: [copy.path],
      kept: copy.kept.length - repaired,
      repaired,
      lost: lost.length,
      lostBytes: lost.reduce((sum, { byteStart, byteEnd }) => sum + byteEnd - byteStart, 0),
      sha256: log.sha256,
      bytes: log.size,
      sealed,
      leftOut,
    };
    const entries = [...kept, ...told, summary];
    const account = new Output(beside('.salvage'));
    await writeAccount(entries, account);
    account.close();
    return { entries, summary };
  } finally {
    log.close();
    source.close();
  }
}

/**
 * Copies every intact record of a damaged episode or log, in order. The other bytes are written next to the copy, with an
 * account of where each came from. The original is not touched.
 *
 * @throws NoesisError `usage` if the folder exists, `unwritable`.
 * @throws the file system's error if the log cannot be read.
 */
export async function salvage(
  damaged: DamagedLog,
  dialect: Dialect,
  { to, leftovers }: SalvageOptions,
): Promise<Salvage> {
  const copy = await readCopy(damaged.log, dialect, basename(damaged.log));
  if (to === undefined) return write(damaged, copy, dialect, undefined);
  try {
    await makeFolder(to);
  } catch (error) {
    if (error instanceof NoesisError || errorCode(error) === undefined) throw error;
    throw unwritable(to, error);
  }
  const remove = () => rmSync(to, { recursive: true, force: true });
  leftovers?.add(remove);
  try {
    return await write(damaged, copy, dialect, to);
  } catch (error) {
    remove();
    throw error instanceof NoesisError || errorCode(error) === undefined ? error : unwritable(to, error);
  } finally {
    leftovers?.delete(remove);
  }
}

function unwritable(to: string, error: unknown): NoesisError {
  return new FileError('unwritable', `cannot write ${to}: ${reasonOf(error)}`, {
    place: { file: to },
    hint: 'nothing of it is left there',
    cause: error,
  });
}
