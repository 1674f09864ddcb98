import { tmpdir } from 'node:os';
import { basename, dirname, join, sep } from 'node:path';
import { type Budget, usualMaxUnpacked } from '../base/archives/budget.ts';
import { unpackedPath } from '../base/archives/format.ts';
import { unpackedBytes } from '../base/archives/open.ts';
import { ArchiveFault, type ArchiveProblem } from '../base/archives/problem.ts';
import { TargetError } from '../base/errors.ts';
import { pushAll } from '../base/files/push-all.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import { type CompressedLog, compressedLog, hasPackedParts, packedIn } from './compressed-log.ts';
import type { DocumentSource } from './document-source.ts';
import { type Episode, logOf, plainFile } from './episode.ts';
import { type PrivateCopy, privateCopy } from './private-copy.ts';
import type { UnpackSettings } from './private-folder.ts';
import { mayBeDocument } from './require-log.ts';
import { runIn } from './run.ts';

/** A document of records, and its path. */
export type DocumentFile = DocumentSource & { readonly path: string };

/** What is between a file and the records in it. */
export type Layer =
  | { readonly kind: 'compressed'; readonly path: string }
  | { readonly kind: 'document'; readonly path: string; readonly document: DocumentFile };

/**
 * What the user named, opened: its runs, each with a log of one record per line. The log of a packed run is a private
 * copy. The other files of the run stay where they are, next to its `place`; every dialect finds them from there.
 */
export interface Mount {
  readonly episodes: readonly Episode[];
  /** What could not be unpacked. `verify` reports it; other commands refuse to read what is not whole. */
  readonly problems: readonly ArchiveProblem[];
  /** What is around the records of its only run, from the outside to the inside. */
  readonly layers: readonly Layer[];
  /** Replaces the paths of copies in a text with the paths that the user knows. */
  shown(text: string): string;
  /** Removes the copies. */
  dispose(): void;
}

/** How a document is opened; undefined for a file that is not one. `shown`: replaces the paths of copies. */
export type OpenDocument = (
  episode: Episode,
  shown: (text: string) => string,
) => Promise<DocumentFile | undefined>;

/** The document of an episode whose records are not one per line; undefined for other episodes, which load little code. */
export async function documentOfEpisode(episode: Omit<Episode, 'name'>): Promise<DocumentFile | undefined> {
  const path = plainFile(episode);
  if (path === undefined || !mayBeDocument(path, basename(path))) return undefined;
  const { documentAt } = await import('./document-source.ts');
  const source = await documentAt(path);
  return source && { ...source, path };
}

/** For programs that say nothing about it: the usual folder, and how much usually may be unpacked there. */
const usualUnpack = (): UnpackSettings => ({
  place: { tmpDir: tmpdir(), leftovers: new Set() },
  limits: { maxUnpacked: usualMaxUnpacked(tmpdir()) },
});

/** Opens a run whose log is compressed, a document, or both; undefined for a run that can be read as it is. */
export async function mountFile(
  episode: Episode,
  unpack: UnpackSettings = usualUnpack(),
  open: OpenDocument = documentOfEpisode,
  shown = asItIs,
): Promise<Mount | undefined> {
  const log = compressedLog(episode);
  if (log !== undefined)
    return mountedWithin(await mountCompressed(episode, log, unpack), (inner, of) =>
      mountFile(inner, unpack, open, (text) => shown(of(text))),
    );
  const document = await open(episode, shown);
  return document
    ? mountedWithin(await mountDocument(episode, document, unpack), (inner) => mountParts(inner, unpack))
    : mountParts(episode, unpack);
}

/** Opens the compressed logs of the parts of a run; undefined if it has no such parts. */
async function mountParts(episode: Episode, unpack: UnpackSettings): Promise<Mount | undefined> {
  if (!hasPackedParts(episode)) return undefined;
  const { parts: all = [] } = episode;
  const whole: Mount = { episodes: [], problems: [], layers: [], shown: asItIs, dispose: () => {} };
  const packed = all.map((log): Episode => ({ name: basename(log), dir: undefined, log }));
  const mount = await mountedWithin({ ...whole, episodes: packed }, async (part) => {
    const log = compressedLog({ ...part, ...packedIn(part.log) });
    return log && { ...(await mountCompressed(part, log, unpack)), layers: [] };
  });
  const opened = mount.episodes.map(({ log = '', place }) => ({ log, place: place ?? log }));
  return {
    ...mount,
    episodes: [
      { ...episode, parts: opened.map(({ log }) => log), partPlaces: opened.map(({ place }) => place) },
    ],
  };
}

/**
 * Finds the run that the user named in the logs of a mount, by its whole id or the first characters. `short`: shortens a
 * path for the user. Disposes of the mount if it throws, like {@link runIn} of the first log that has runs.
 */
export async function withRun(
  mount: Mount,
  named: Pick<Episode, 'run' | 'dialect'>,
  short: (path: string) => string = asItIs,
): Promise<Mount> {
  const episodes: Episode[] = [];
  const missing: unknown[] = [];
  for (const episode of mount.episodes) {
    const { run, dialect } = named.run === undefined ? episode : named;
    if (run === undefined) {
      episodes.push(episode);
      continue;
    }
    const log = logOf(episode);
    const path = mount.shown(log);
    try {
      const id = await runIn(log, run, dialect, short(path));
      episodes.push({ ...episode, name: `${basename(path)}#${id}`, run: id });
    } catch (error) {
      missing.push(error);
    }
  }
  if (episodes.length > 0 || missing.length === 0) return { ...mount, episodes };
  mount.dispose();
  throw missing.find((error) => error instanceof TargetError) ?? missing[0];
}

/** Opens a run like {@link mountFile}. Throws an ArchiveFault if it cannot be unpacked. */
export async function mountWhole(episode: Episode, unpack?: UnpackSettings): Promise<Mount | undefined> {
  const mount = await mountFile(episode, unpack);
  if (mount === undefined) return undefined;
  const [problem] = mount.problems;
  if (problem === undefined) return withRun(mount, episode);
  mount.dispose();
  throw new ArchiveFault(problem.kind, problem.message, problem.entry);
}

/** The error for a damaged log, with what the user named instead of the copy; other errors unchanged. */
export const damageShown = (error: unknown, mount: Mount | undefined): unknown =>
  mount !== undefined && error instanceof EventLogIntegrityError
    ? new EventLogIntegrityError(mount.shown(error.corruption.path), error.details)
    : error;

/** Opens the episodes of a mount that are packed themselves. */
export async function mountedWithin(
  outer: Mount,
  open: (episode: Episode, shown: Mount['shown']) => Promise<Mount | undefined>,
): Promise<Mount> {
  const inner: Mount[] = [];
  const dispose = () => {
    for (const one of [...inner, outer]) one.dispose();
  };
  try {
    const episodes: Episode[] = [];
    for (const episode of outer.episodes) {
      const mount = await open(episode, outer.shown);
      if (mount) inner.push(mount);
      pushAll(episodes, mount?.episodes ?? [episode]);
    }
    return {
      episodes,
      problems: [...outer.problems, ...inner.flatMap(({ problems }) => problems)],
      layers: [...outer.layers, ...inner.flatMap(({ layers }) => layers)],
      shown: (text) => outer.shown(inner.reduce((said, one) => one.shown(said), text)),
      dispose,
    };
  } catch (error) {
    dispose();
    throw error;
  }
}

function mountCompressed(
  { packed: _, packedLog: __, ...episode }: Episode,
  { path, compression }: CompressedLog,
  unpack: UnpackSettings,
): Promise<Mount> {
  const place = unpackedPath(path);
  const name = basename(place);
  return mountCopy(
    { ...episode, place, packedAt: path, ...(episode.dir === undefined && { fileName: name }) },
    { path, name, layer: { kind: 'compressed', path } },
    (budget) => unpackedBytes(path, compression, budget),
    unpack,
  );
}

/** Opens a document: its copy has one record per line. */
export async function mountDocument(
  episode: Episode,
  document: DocumentFile,
  unpack: UnpackSettings = usualUnpack(),
): Promise<Mount> {
  const { path } = document;
  const { linesWithin } = await import('./document-source.ts');
  const name = basename(path);
  // Nothing is next to a stream.
  const place = path === STREAM ? {} : { place: episode.place ?? path };
  return mountCopy(
    { ...episode, dir: undefined, fileName: name, ...place },
    // A log by its name, even if it has only one record.
    { path, name: `${name}.jsonl`, layer: { kind: 'document', path, document } },
    (budget) => linesWithin(document, budget),
    unpack,
    document,
  );
}

/**
 * Opens a stream without a path, such as standard input: its run is named `-`, and has no files next to it. `open`: opens
 * the copy as a document, if it is one.
 */
export async function mountStream(
  bytes: (budget: Budget) => AsyncIterable<string | Buffer>,
  unpack: UnpackSettings,
  open: (copy: string) => Promise<DocumentSource | undefined>,
): Promise<Mount> {
  const stream: Episode = { name: STREAM, dir: undefined, log: undefined, fileName: STREAM };
  const copied = await mountCopy(stream, { path: STREAM, name: 'stdin.jsonl' }, bytes, unpack);
  return mountedWithin(copied, async (episode) => {
    const document = await open(logOf(episode));
    return document && mountDocument(episode, { ...document, path: STREAM }, unpack);
  });
}

/** Writes a stream to a private file, which becomes the log of the episode. */
async function mountCopy(
  episode: Episode,
  { path, name, layer }: { readonly path: string; readonly name: string; readonly layer?: Layer },
  bytes: (budget: Budget) => AsyncIterable<string | Buffer>,
  unpack: UnpackSettings,
  source: Pick<DocumentSource, 'parts' | 'beside'> = {},
): Promise<Mount> {
  const layers = layer === undefined ? [] : [layer];
  let copy: PrivateCopy;
  try {
    copy = await privateCopy(name, bytes, unpack, source);
  } catch (error) {
    if (!(error instanceof ArchiveFault)) throw error;
    const problem = { ...error.problem, file: path };
    return { episodes: [], problems: [problem], layers, shown: asItIs, dispose: () => {} };
  }
  const { parts } = copy;
  const [from, to] = [join(dirname(copy.path), sep), join(dirname(path), sep)];
  return {
    episodes: [{ ...episode, log: copy.path, copy: true, ...(parts && { parts }) }],
    problems: [],
    layers,
    shown: (text) => text.replaceAll(copy.path, path).replaceAll(from, to),
    dispose: () => copy.remove(),
  };
}

const asItIs = (text: string): string => text;

/** A stream has no path; this is used in its place. */
const STREAM = '-';
