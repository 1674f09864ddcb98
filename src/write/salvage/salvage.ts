import { rmSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Dialect } from '../../dialects/dialect.ts';
import { errorCode, FileError, NoesisError, reasonOf, UsageError } from '../../errors.ts';
import { listFiles, readEpisodeFile } from '../../files/files.ts';
import { NEWLINE } from '../../json/ascii.ts';
import { feed } from '../../log/feed.ts';
import { LogParser } from '../../log/parser.ts';
import { parseInstant } from '../../time/instant.ts';
import { Turns } from '../../time/turns.ts';
import { isOfLock } from '../lock-file.ts';
import { keptEntries, type LostEntry, type SalvageEntry, type SalvageSummary } from './account.ts';
import { Output, Sources } from './files.ts';
import { type MergedCopies, mergeCopies, type RecordReader, type SourcedRecord } from './merge.ts';
import { type ReadCopy, readCopy } from './read-copy.ts';

/** So many entries of the account are written at a time: a log may be lost in as many places as it has lines. */
const ENTRIES_AT_ONCE = 1000;

/** One damaged copy of a log. */
export interface DamagedCopy {
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

/** Reads records back for those who compare copies. */
function readerOf(sources: Sources, { view }: Dialect): RecordReader {
  return (copy, record) => {
    const text = sources.lineOf(copy, record);
    let id: string | undefined;
    let time: number | undefined;
    const parser = new LogParser(
      {
        record: (found) => {
          id = view.id(found);
          time = parseInstant(view.time(found) ?? '');
        },
        /* v8 ignore next -- what is kept is whole */
        corrupt: () => {},
      },
      { capacity: text.length + 1 },
    );
    feed(parser, text);
    parser.end();
    return { text: Buffer.from(text.toString('utf8').trim()), id, time };
  };
}

async function merged(
  copies: readonly ReadCopy[],
  sources: Sources,
  dialect: Dialect,
): Promise<MergedCopies> {
  const [only] = copies;
  if (copies.length === 1 && only)
    return { records: only.kept.map((record) => ({ copy: 0, record })), conflicts: [] };
  return mergeCopies(copies, readerOf(sources, dialect));
}

/** Writes the log that was put together. */
async function writeLog(records: readonly SourcedRecord[], sources: Sources, output: Output): Promise<void> {
  const newline = Buffer.of(NEWLINE);
  const turns = new Turns();
  for (const { copy, record } of records) {
    if (turns.isDue) await turns.give();
    if (record.mended) output.write(record.mended);
    else for (const piece of sources.read(copy, record.byteStart, record.byteEnd)) output.write(piece);
    output.write(newline);
  }
}

async function writeRejected(
  copies: readonly ReadCopy[],
  { conflicts }: MergedCopies,
  sources: Sources,
  output: Output,
): Promise<LostEntry[]> {
  const turns = new Turns();
  const entries: LostEntry[] = [];
  const ranges = [
    ...copies.flatMap(({ lost }, copy) => lost.map((range) => ({ ...range, copy }))),
    ...conflicts,
  ].sort((a, b) => a.copy - b.copy || a.byteStart - b.byteStart);
  for (const { copy, replaced, ...range } of ranges) {
    if (turns.isDue) await turns.give();
    const rejectedStart = output.size;
    for (const piece of sources.read(copy, range.byteStart, range.byteEnd)) output.write(piece);
    entries.push({
      kind: replaced ? 'replaced' : 'lost',
      source: (copies[copy] as ReadCopy).path,
      ...range,
      rejectedStart,
      rejectedEnd: output.size,
    });
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

async function sealOf({ dir, log }: DamagedCopy, dialect: Dialect): Promise<SealFiles> {
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
  { dir, log }: DamagedCopy,
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
  first: DamagedCopy,
  copies: readonly ReadCopy[],
  dialect: Dialect,
  to: string | undefined,
): Promise<Salvage> {
  const name = basename(first.log);
  const at = (file: string) => (to === undefined ? undefined : join(to, file));
  const sources = new Sources(copies);
  const log = new Output(at(name));
  try {
    const whole = await merged(copies, sources, dialect);
    const kept = await keptEntries(whole.records, copies);
    await writeLog(whole.records, sources, log);
    const seal = await sealOf(first, dialect);
    const sealed = seal.log === log.sha256;
    // Beside a log that is again the one that was sealed lies nothing that its seal does not list.
    const beside = (suffix: string) => (sealed ? undefined : at(`${name}${suffix}`));
    const rejected = new Output(beside('.rejected'));
    const told = await writeRejected(copies, whole, sources, rejected);
    rejected.close();
    const lost = told.filter(({ kind }) => kind === 'lost');
    const leftOut = await copyOthers(first, to, sealed ? [] : seal.names);
    const repaired = whole.records.filter(({ record }) => record.repair !== undefined).length;
    const summary: SalvageSummary = {
      kind: 'summary',
      sources: copies.map(({ path }) => path),
      kept: whole.records.length - repaired,
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
    sources.close();
  }
}

/**
 * Makes a copy of a damaged episode or log, out of one damaged copy or several, with every record that is whole in any of
 * them, in order. What is no record lies beside it, with an account of where each came from. Nothing that is there is
 * touched.
 *
 * @throws NoesisError `salvage-refused` where several are no copies of one log, `usage` where the folder is there
 * already, `unwritable`.
 * @throws the file system's error where a copy cannot be read.
 */
export async function salvage(
  damaged: readonly DamagedCopy[],
  dialect: Dialect,
  { to, leftovers }: SalvageOptions,
): Promise<Salvage> {
  const [first] = damaged;
  if (first === undefined) throw new UsageError('usage', 'nothing to salvage', { hint: 'name a log' });
  const copies: ReadCopy[] = [];
  for (const { log } of damaged) copies.push(await readCopy(log, dialect, basename(first.log)));
  if (to === undefined) return write(first, copies, dialect, undefined);
  try {
    await makeFolder(to);
  } catch (error) {
    if (error instanceof NoesisError || errorCode(error) === undefined) throw error;
    throw unwritable(to, error);
  }
  const remove = () => rmSync(to, { recursive: true, force: true });
  leftovers?.add(remove);
  try {
    return await write(first, copies, dialect, to);
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
