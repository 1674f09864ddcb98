import { createReadStream } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { Budget, usualMaxUnpacked } from '../../base/archives/budget.ts';
import {
  type Compression,
  compressionOf,
  LONGEST_MAGIC,
  unpackedName,
  unpackedPath,
} from '../../base/archives/format.ts';
import { entriesOfTar, entriesOfZip, uncompressed, unpackedBytes } from '../../base/archives/open.ts';
import { ArchiveFault, type ArchiveProblem } from '../../base/archives/problem.ts';
import { FileError, LogError, TargetError } from '../../base/errors.ts';
import { pushAll } from '../../base/files/push-all.ts';
import { nameOfLog } from '../../dialects/registry.ts';
import { ArchiveReader, type ArchiveSource, type UnpackSettings } from '../../find/archive.ts';
import { compressedLog } from '../../find/compressed-log.ts';
import type { DocumentFile } from '../../find/document-copy.ts';
import type { DocumentSource } from '../../find/document-source.ts';
import { type Episode, plainFile, unreadable } from '../../find/episode.ts';
import { type PrivateCopy, privateCopy } from '../../find/private-copy.ts';
import { mayBeDocument } from '../../find/require-log.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { Spool } from '../../log/spool.ts';
import { escapeText } from '../../show/render/escape.ts';
import type { Context } from '../context.ts';
import { Interrupted } from '../io.ts';
import type { TargetFailures } from './target-failures.ts';

/** How much may be unpacked, and where. */
export const unpackSettings = (
  { io }: Context,
  maxUnpacked = usualMaxUnpacked(io.tmpDir),
): UnpackSettings => ({ place: io, limits: { maxUnpacked } });

/** Detects the compression of a stream; returns it with all its bytes. */
async function sniffed(
  source: AsyncIterable<Buffer>,
): Promise<{ compression: Compression | undefined; bytes: AsyncIterable<Buffer> }> {
  const chunks = source[Symbol.asyncIterator]();
  // A pipe may deliver single bytes.
  let head = Buffer.alloc(0);
  for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
    head = Buffer.concat([head, next.value]);
    if (head.length >= LONGEST_MAGIC) break;
  }
  async function* bytes(): AsyncGenerator<Buffer> {
    yield head;
    for (let next = await chunks.next(); !next.done; next = await chunks.next()) yield next.value;
  }
  return { compression: compressionOf(head), bytes: bytes() };
}

async function* tarOf(source: AsyncIterable<Buffer>, budget: Budget) {
  const { compression, bytes } = await sniffed(source);
  yield* entriesOfTar(bytes, compression, budget);
}

/** Copies standard input, decompressed. Throws `unreadable` if that fails. */
export async function spooledInput(context: Context): Promise<Spool> {
  const { spool } = await import('../../log/spool.ts');
  try {
    const { compression, bytes } = await sniffed(context.io.stdin);
    const budget = new Budget(unpackSettings(context).limits);
    return await spool(uncompressed(bytes, compression, budget), context.io);
  } catch (error) {
    const hint = 'write it to a file first: noesis verify FILE reports the details';
    if (error instanceof ArchiveFault) requireWhole('standard input', [error.problem], hint);
    throw error;
  }
}

/** The target of `--tar`: a tar with any name, compressed or not; `-` for standard input. */
export function tarTarget(context: Context, name: string): VerifyTarget {
  const log = name === '-' ? '-' : resolve(context.io.cwd, name);
  return { name: basename(log), dir: undefined, log, packed: { kind: 'tar', compression: undefined } };
}

function sourceOf(context: Context, { log = '', packed }: VerifyTarget): ArchiveSource {
  const { dialect } = context;
  if (log === '-')
    return { label: '-', again: false, dialect, entries: (budget) => tarOf(context.io.stdin, budget) };
  const entries = (budget: Budget) =>
    packed?.kind === 'zip' ? entriesOfZip(log, budget) : tarOf(createReadStream(log), budget);
  return { label: log, again: true, dialect, entries };
}

/** Opens a target that is an archive; undefined for others. */
export function archiveReader(
  context: Context,
  target: VerifyTarget,
  settings: UnpackSettings,
): ArchiveReader | undefined {
  const { packed } = target;
  if (packed === undefined || packed.kind === 'file') return undefined;
  return new ArchiveReader(sourceOf(context, target), settings);
}

/** An unpacked episode, until it is removed. */
interface Unpacked {
  readonly episodes: readonly Episode[];
  /** Replaces unpacked paths in a text with the packed ones. */
  readonly shown: (text: string) => string;
  dispose(): void;
}

const STOPS: ReadonlySet<ArchiveProblem['kind']> = new Set(['corrupt', 'too-large']);

/** Throws if something could not be unpacked, because it may be important. */
function requireWhole(
  label: string,
  problems: readonly ArchiveProblem[],
  hint = 'run noesis verify for the details',
): void {
  const worst = problems.find(({ kind }) => STOPS.has(kind)) ?? problems[0];
  if (worst === undefined) return;
  const { kind, message, entry } = worst;
  const text = `${label}: ${message}${entry === undefined ? '' : ` (${entry})`}`;
  const place = { file: label };
  if (STOPS.has(kind)) throw new FileError('unreadable', text, { place, hint });
  throw new LogError('log-corrupt', text, {
    place,
    hint: `${hint}, or unpack the archive and read the copy; it was not read, because a part of a run may be missing`,
  });
}

/** Writes a stream to a private file, as an episode. */
async function episodeOfCopy(
  context: Context,
  path: string,
  bytes: (budget: Budget) => AsyncIterable<string | Buffer>,
  name = unpackedName(basename(path)),
  source: Pick<DocumentSource, 'parts' | 'beside'> = {},
): Promise<Unpacked> {
  let copy: PrivateCopy;
  try {
    copy = await privateCopy(name, bytes, unpackSettings(context), source);
  } catch (error) {
    if (error instanceof ArchiveFault) requireWhole(context.shortPath(path), [error.problem]);
    throw error;
  }
  const { parts } = copy;
  const place = unpackedPath(path);
  const log = { name: nameOfLog(place) ?? basename(path), dir: undefined, log: copy.path, place };
  const episodes = [{ ...log, ...(parts && { parts }) }];
  const [copies, originals] = [join(dirname(copy.path), '/'), join(dirname(path), '/')];
  const shown = (text: string) =>
    (parts ?? []).reduce(
      (said, part) => said.replaceAll(part, part.replace(copies, originals)),
      text.replaceAll(copy.path, path),
    );
  return { episodes, shown, dispose: () => copy.remove() };
}

/** Opens a file whose records are not one per line, and says what its line numbers count; undefined for other files. */
async function documentWithRemark(
  context: Context,
  path: string,
  label: string,
  isQuiet = false,
): Promise<DocumentSource | undefined> {
  if (!mayBeDocument(path, basename(label))) return undefined;
  const source = await (await import('../../find/document-source.ts')).documentAt(path, basename(label));
  if (source?.remark !== undefined && !isQuiet) await context.say(escapeText(`${label} ${source.remark}`));
  return source;
}

/** Copies the records of a document, one per line. */
export async function documentLines(
  context: Context,
  path: string,
  label: string,
  isQuiet = false,
): Promise<Unpacked | undefined> {
  const document = await documentWithRemark(context, path, label, isQuiet);
  if (document === undefined) return undefined;
  const { linesWithin } = await import('../../find/document-source.ts');
  // The copy is a log by its name, even if it has only one record.
  return episodeOfCopy(
    context,
    path,
    (budget) => linesWithin(document, budget),
    `${basename(path)}.jsonl`,
    document,
  );
}

/** The document of a target, which must be a single file. */
export async function documentOf(
  context: Context,
  target: VerifyTarget,
  isQuiet: boolean,
): Promise<DocumentFile | undefined> {
  const path = target.fileName === '-' ? undefined : plainFile(target);
  const source =
    path === undefined
      ? undefined
      : await documentWithRemark(context, path, context.shortPath(path), isQuiet);
  return path === undefined || source === undefined ? undefined : { ...source, path };
}

/** Unpacks the compressed logs and documents among unpacked episodes. */
async function unpackedWithin(
  context: Context,
  what: Unpacked,
  isQuiet: boolean,
  outside = (path: string) => path,
): Promise<Unpacked> {
  const copies: Unpacked[] = [];
  const dispose = () => {
    for (const one of [...copies, what]) one.dispose();
  };
  try {
    const episodes: Episode[] = [];
    for (const episode of what.episodes) {
      const copy = await unpacked(context, episode, isQuiet, (path) => outside(what.shown(path)));
      if (copy) copies.push(copy);
      pushAll(episodes, copy?.episodes ?? [episode]);
    }
    const shown = (text: string) => what.shown(copies.reduce((said, copy) => copy.shown(said), text));
    return { episodes, shown, dispose };
  } catch (error) {
    dispose();
    throw error;
  }
}

/**
 * Unpacks a target completely: a compressed log, a document, or an archive. Undefined for others. `isQuiet`: does not
 * say what the lines of documents are. `shown`: the path for the user.
 */
export async function unpacked(
  context: Context,
  target: VerifyTarget,
  isQuiet = false,
  shown = (path: string) => path,
): Promise<Unpacked | undefined> {
  const reader = archiveReader(context, target, unpackSettings(context));
  if (reader === undefined) {
    const copied = await copyOfFile(context, target, isQuiet, shown);
    const { parts } = target;
    return parts === undefined
      ? copied
      : copied && { ...copied, episodes: copied.episodes.map((episode) => ({ parts, ...episode })) };
  }
  try {
    const episodes = await reader.whole(target.inside);
    requireWhole(context.shortPath(reader.label), reader.problems);
    if (episodes.length === 0) {
      const where = join(context.shortPath(reader.label), target.inside ?? '');
      throw new TargetError('target-missing', `no run in ${where}`, {
        place: { file: reader.label },
        hint: 'add --dialect generic to find logs of unknown dialects too',
      });
    }
    const what = { episodes, shown: (text: string) => reader.shown(text), dispose: () => reader.dispose() };
    return await unpackedWithin(context, what, isQuiet);
  } catch (error) {
    reader.dispose();
    throw error;
  }
}

/** Unpacks a compressed log, or copies a document with a record per line; undefined for other files. */
async function copyOfFile(
  context: Context,
  target: VerifyTarget,
  isQuiet: boolean,
  shown: (path: string) => string,
): Promise<Unpacked | undefined> {
  const log = compressedLog(target);
  if (log)
    return unpackedWithin(
      context,
      await episodeOfCopy(context, log.path, (budget) => unpackedBytes(log.path, log.compression, budget)),
      isQuiet,
      shown,
    );
  const path = plainFile(target);
  return path === undefined
    ? undefined
    : documentLines(context, path, context.shortPath(shown(path)), isQuiet);
}

/** The only unpacked episode. Throws `log-missing` if there are several. */
export function onlyEpisode(context: Context, { episodes, shown }: Unpacked, target: string): Episode {
  const [first] = episodes;
  if (first !== undefined && episodes.length === 1) return first;
  const example = first && context.shortPath(shown(first.dir ?? first.log ?? ''));
  throw new TargetError('log-missing', `${target} contains ${episodes.length} runs`, {
    place: { file: target },
    hint: example === undefined ? 'name one of them' : `name one of them, such as ${example}`,
  });
}

/**
 * Yields the episodes of targets. Packed ones are unpacked only while they are in use. One that
 * cannot be unpacked is a failure.
 */
export async function* eachEpisode(
  context: Context,
  targets: readonly VerifyTarget[],
  failures: TargetFailures,
): AsyncGenerator<{ readonly target: VerifyTarget; readonly shown: (text: string) => string }> {
  for (const target of targets) {
    let what: Unpacked | undefined;
    const file = context.shortPath(target.log ?? target.dir ?? target.name);
    if (target.unlisted !== undefined) {
      await failures.take(unreadable(target, file), file);
      continue;
    }
    try {
      what = await unpacked(context, target, targets.length > 1);
    } catch (error) {
      await failures.take(error, file);
      continue;
    }
    const { episodes, shown } = what ?? { episodes: [target], shown: (text: string) => text };
    try {
      for (const episode of episodes) {
        if (context.io.interrupted.aborted) throw new Interrupted();
        yield { target: episode, shown };
      }
    } finally {
      what?.dispose();
    }
  }
}
