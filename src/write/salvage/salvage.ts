import { rmSync, statSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { DEFAULT_MAX_UNPACKED } from '../../base/archives/budget.ts';
import { cannotWrite, errorCode, NoesisError, UsageError } from '../../base/errors.ts';
import { listFiles, readEpisodeFile } from '../../base/files/files.ts';
import { makeFolders } from '../../base/files/make-folders.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { salvageAccountOf } from '../../dialects/kit/lines-left-out.ts';
import { documentAt, type WholeDocument } from '../../find/document-source.ts';
import { placesInDocument } from '../../findings/place.ts';
import { isOfLock } from '../lock-file.ts';
import { Account, type OnEntries, type SalvageSummary } from './account.ts';
import { Output, Source } from './files.ts';
import { readCopy } from './read-copy.ts';

/** A damaged log. */
export interface DamagedLog {
  readonly log: string;
  /** The episode's folder; undefined for a single log. */
  readonly dir: string | undefined;
}

interface SalvageOptions {
  /** The folder to create; undefined: only report. */
  readonly to: string | undefined;
  /** Receives the entries as they are found, then the summary. */
  readonly onEntries?: OnEntries;
  /** The maximum number of bytes of other files to copy. */
  readonly maxCopied?: number | undefined;
  /** Paths to remove if the process is interrupted. */
  readonly leftovers?: Set<() => void>;
}

/** The files of a seal, which belongs to the original log. */
interface SealFiles {
  readonly names: readonly string[];
  /** The hash of the log in the seal. */
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

/** A file of the episode, apart from its log. */
interface OtherFile {
  readonly name: string;
  readonly path: string;
  /** False for a link that leads out of the episode. It is not copied. */
  readonly inside: boolean;
}

/** Lists the files next to a log. Throws `usage` if they are too large to copy. */
function otherFiles({ dir, log }: DamagedLog, maxCopied: number): OtherFile[] {
  if (dir === undefined) return [];
  const others: OtherFile[] = [];
  let bytes = 0;
  for (const { name, inside } of listFiles(dir).files) {
    if (name === basename(log) || isOfLock(name, log)) continue;
    const path = join(dir, name);
    if (inside) bytes += statSync(path).size;
    others.push({ name, path, inside });
  }
  if (bytes <= maxCopied) return others;
  throw new UsageError('usage', `the other files of ${dir} have ${bytes} bytes, more than ${maxCopied}`, {
    place: { file: dir },
    hint: 'raise --max-copied, or copy the log to another folder and salvage it there',
  });
}

/** Copies the other files of the episode. Returns what was left out. */
async function copyOthers(
  others: readonly OtherFile[],
  to: string | undefined,
  leave: readonly string[],
): Promise<string[]> {
  const leftOut: string[] = [];
  for (const { name, path, inside } of others) {
    if (!inside || leave.includes(name)) leftOut.push(name);
    else if (to !== undefined) {
      makeFolders(dirname(join(to, name)));
      await copyFile(path, join(to, name));
    }
  }
  return leftOut;
}

async function makeFolder(to: string): Promise<void> {
  makeFolders(dirname(to));
  try {
    await mkdir(to);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new UsageError('usage', `${to} already exists`, {
      place: { file: to },
      hint: 'give a folder that does not exist; salvage creates it, so that nothing is overwritten',
    });
  }
}

/** Copies a JSON document up to its last whole record before the first damage. */
function copyDocument({ records, intact, damage }: WholeDocument, source: Source, to: Account): void {
  const kept = damage?.offset ?? intact.length;
  to.document(records, kept, intact.subarray(kept));
  if (damage === undefined) return;
  const { code, message } = damage;
  const { line } = placesInDocument(intact).between(kept, kept);
  to.lost({ line, byteStart: kept, byteEnd: source.size, code, message }, false);
}

async function write(
  damaged: DamagedLog,
  others: readonly OtherFile[],
  dialect: Dialect,
  { to, onEntries }: SalvageOptions,
): Promise<SalvageSummary> {
  const name = basename(damaged.log);
  const at = (file: string) => (to === undefined ? undefined : join(to, file));
  const source = new Source(damaged.log);
  const outputs: Output[] = [];
  const output = (file: string) => {
    outputs.push(new Output(at(file)));
    return outputs.at(-1) as Output;
  };
  try {
    const [log, rejected, account] = [
      output(name),
      output(`${name}.rejected`),
      output(salvageAccountOf(name)),
    ];
    const taken = new Account(source, { log, rejected, account }, onEntries);
    const document = (await documentAt(damaged.log))?.whole;
    if (document) copyDocument(document, source, taken);
    else await readCopy(source, dialect, name, taken);
    const seal = await sealOf(damaged, dialect);
    const sealed = seal.log === log.sha256;
    const summary: SalvageSummary = {
      kind: 'summary',
      sources: [source.path],
      kept: taken.records,
      repaired: taken.repairs,
      lost: taken.losses,
      lostBytes: taken.lostBytes,
      sha256: log.sha256,
      bytes: log.size,
      sealed,
      leftOut: await copyOthers(others, to, sealed ? [] : seal.names),
    };
    await taken.end(summary);
    for (const one of outputs) one.sync();
    // If the new log is the sealed one, removes the files that salvage adds, because the seal does not list them.
    if (sealed) for (const one of [rejected, account]) one.remove();
    return summary;
  } finally {
    for (const one of outputs) one.close();
    source.close();
  }
}

/**
 * Copies every intact record of a damaged episode or log, in order. Rejected bytes go to a separate file,
 * with an account of where each came from. The original is not changed.
 *
 * @throws NoesisError `usage` if the folder exists or the episode is too large, `unwritable`.
 * @throws the file system's error if the log cannot be read.
 */
export async function salvage(
  damaged: DamagedLog,
  dialect: Dialect,
  options: SalvageOptions,
): Promise<SalvageSummary> {
  const { to, leftovers } = options;
  const others = otherFiles(damaged, options.maxCopied ?? DEFAULT_MAX_UNPACKED);
  if (to === undefined) return write(damaged, others, dialect, options);
  try {
    await makeFolder(to);
  } catch (error) {
    if (error instanceof NoesisError || errorCode(error) === undefined) throw error;
    throw cannotWrite(to, error);
  }
  const remove = () => rmSync(to, { recursive: true, force: true });
  leftovers?.add(remove);
  try {
    return await write(damaged, others, dialect, options);
  } catch (error) {
    remove();
    throw error instanceof NoesisError || errorCode(error) === undefined ? error : cannotWrite(to, error);
  } finally {
    leftovers?.delete(remove);
  }
}
