import { createReadStream } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { type Budget, usualMaxUnpacked } from '../../base/archives/budget.ts';
import { type Compression, compressionOf, LONGEST_MAGIC } from '../../base/archives/format.ts';
import { entriesOfTar, entriesOfZip, uncompressed } from '../../base/archives/open.ts';
import type { ArchiveProblem } from '../../base/archives/problem.ts';
import { FileError, LogError, TargetError } from '../../base/errors.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { ArchiveReader, type ArchiveSource } from '../../find/archive.ts';
import { type Episode, unreadable } from '../../find/episode.ts';
import {
  documentOfEpisode,
  type Mount,
  mountedWithin,
  mountFile,
  mountStream,
  type OpenDocument,
  withRun,
} from '../../find/mount.ts';
import type { UnpackSettings } from '../../find/private-folder.ts';
import type { VerifyTarget } from '../../findings/options.ts';
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

async function* uncompressedInput(source: AsyncIterable<Buffer>, budget: Budget) {
  const { compression, bytes } = await sniffed(source);
  yield* uncompressed(bytes, compression, budget);
}

/** Opens standard input: copied, so that it can be read more than once, and decompressed. Throws `unreadable` if that fails. */
export async function mountedInput(context: Context): Promise<Mount> {
  const { documentAt } = await import('../../find/document-source.ts');
  const mount = await mountStream(
    (budget) => uncompressedInput(context.io.stdin, budget),
    unpackSettings(context),
    async (copy) => {
      const document = await documentAt(copy, '-');
      if (document?.remark !== undefined) await context.say(`- ${escapeText(document.remark)}`);
      return document;
    },
  );
  try {
    const hint = 'write it to a file first: noesis verify FILE reports the details';
    requireWhole(mount.problems, () => INPUT, hint);
    return mount;
  } catch (error) {
    mount.dispose();
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

/** Standard input in a message. */
const INPUT = 'standard input';

const STOPS: ReadonlySet<ArchiveProblem['kind']> = new Set(['corrupt', 'too-large']);

/** Throws if something could not be unpacked, because it may be important. `labelOf`: the name of a packed file for the user. */
function requireWhole(
  problems: readonly ArchiveProblem[],
  labelOf: (file: string | undefined) => string,
  given?: string,
): void {
  const worst = problems.find(({ kind }) => STOPS.has(kind)) ?? problems[0];
  if (worst === undefined) return;
  const { kind, message, entry, file } = worst;
  const label = labelOf(file);
  const text = `${label}: ${message}${entry === undefined ? '' : ` (${entry})`}`;
  const place = { file: label };
  const details = given === undefined ? { command: `noesis verify ${plainShellWord(label)}` } : {};
  if (STOPS.has(kind))
    throw new FileError('unreadable', text, { place, hint: given ?? 'see the details with', ...details });
  const read = 'it was not read, because a part of a run may be missing';
  throw new LogError('log-corrupt', text, {
    place,
    hint:
      given === undefined
        ? `unpack the archive and read the copy; ${read}; see the details with`
        : `${given}, or unpack the archive and read the copy; ${read}`,
    ...details,
  });
}

/** How a command opens documents: it says what the line numbers of one count, unless it `isQuiet`. */
export const documentOpener =
  (context: Context, isQuiet: boolean): OpenDocument =>
  async (episode, shown) => {
    const document = await documentOfEpisode(episode);
    if (document?.remark !== undefined && !isQuiet)
      await context.say(
        `${escapeText(context.shortPath(shown(document.path)))} ${escapeText(document.remark)}`,
      );
    return document;
  };

/**
 * Opens a target that is packed: a compressed log, a document, or an archive with all its runs, because an archive with
 * a fault may lack a part of a run. Undefined for others. `isQuiet`: does not say what the lines of documents are.
 */
export async function mounted(
  context: Context,
  target: VerifyTarget,
  isQuiet = false,
): Promise<Mount | undefined> {
  const unpack = unpackSettings(context);
  const open = documentOpener(context, isQuiet);
  const reader = archiveReader(context, target, unpack);
  const mount =
    reader === undefined
      ? await mountFile(target, unpack, open)
      : await mountedWithin(await reader.whole(target.inside), (episode, shown) =>
          mountFile(episode, reader.settings, open, shown),
        );
  if (mount === undefined) return undefined;
  try {
    const label = context.shortPath(reader?.label ?? target.log ?? target.dir ?? target.name);
    requireWhole(mount.problems, (file) =>
      file === undefined ? label : context.shortPath(mount.shown(file)),
    );
    if (mount.episodes.length > 0) return await withRun(mount, target, (path) => context.shortPath(path));
    throw new TargetError('target-missing', `no run in ${join(label, target.inside ?? '')}`, {
      place: { file: label },
      hint: 'add --dialect generic to find logs of unknown dialects too',
    });
  } catch (error) {
    mount.dispose();
    throw error;
  }
}

/** The only unpacked episode. Throws `log-missing` if there are several. */
export function onlyEpisode(context: Context, { episodes, shown }: Mount, target: string): Episode {
  const [first] = episodes;
  if (first !== undefined && episodes.length === 1) return first;
  const example = first && context.shortPath(shown(first.dir ?? first.log ?? ''));
  throw new TargetError('log-missing', `${target} contains ${episodes.length} runs`, {
    place: { file: target },
    hint: example === undefined ? 'name one of them' : `name one of them, such as ${example}`,
  });
}

/** Targets, of which standard input is open already, because it can be read only once. */
export interface OpenTargets {
  readonly targets: readonly VerifyTarget[];
  /** Standard input, if its run is one of the targets. */
  readonly input?: Mount | undefined;
}

/** Standard input, if a target is its run. */
export const inputOf = ({ input }: OpenTargets, target: VerifyTarget): Mount | undefined =>
  input?.episodes.some((episode) => episode === target) ? input : undefined;

/**
 * Yields the episodes of targets. Packed ones are unpacked only while they are in use. One that
 * cannot be unpacked is a failure.
 */
export async function* eachEpisode(
  context: Context,
  open: OpenTargets,
  failures: TargetFailures,
): AsyncGenerator<{ readonly target: VerifyTarget; readonly shown: (text: string) => string }> {
  const { targets } = open;
  for (const target of targets) {
    let what: Mount | undefined;
    const file = context.shortPath(target.log ?? target.dir ?? target.name);
    if (target.unlisted !== undefined) {
      await failures.take(unreadable(target, file), file);
      continue;
    }
    try {
      what = await mounted(context, target, targets.length > 1);
    } catch (error) {
      await failures.take(error, file);
      continue;
    }
    const { shown } = what ?? inputOf(open, target) ?? { shown: (text: string) => text };
    const episodes = what?.episodes ?? [target];
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
