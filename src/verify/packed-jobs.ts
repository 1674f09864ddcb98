import { createWriteStream } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { Budget } from '../base/archives/budget.ts';
import { unpackedName } from '../base/archives/format.ts';
import { unpackedBytes } from '../base/archives/open.ts';
import { ArchiveFault } from '../base/archives/problem.ts';
import { isFileError, isOfTarget, whileTemporary } from '../base/errors.ts';
import { NO_FILE } from '../base/files/open-file.ts';
import { type ArchiveReader, compareFolders, privateFolder, type UnpackSettings } from '../find/archive.ts';
import { type CompressedLog, compressedLog } from '../find/compressed-log.ts';
import { documentOfEpisode } from '../find/copied-document.ts';
import { type DocumentFile, documentCopy } from '../find/document-copy.ts';
import type { PrivateCopy } from '../find/private-copy.ts';
import { addFindings } from '../findings/add-findings.ts';
import type { FindingDraft } from '../findings/findings.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import { asCopy, asDocument } from './document-report.ts';
import { copyFolder } from './folder-copy.ts';
import type { Job } from './jobs.ts';
import { archiveReport, reportAsPacked } from './packed-report.ts';
import { optionsOf, type RunSettings } from './run.ts';
import { passedOverReport, unreadableReport } from './verify-episode.ts';

/** Collects the reports on the episodes of an archive. */
class Gathered {
  readonly #reports: { readonly folder: string; readonly at: number; readonly report: EpisodeReport }[] = [];
  #given = 0;
  #resolve: (() => void) | undefined;

  /** Reserves the place of another episode. */
  give(): number {
    return this.#given++;
  }

  put(folder: string, at: number, report: EpisodeReport): void {
    this.#reports.push({ folder, at, report });
    if (this.#reports.length === this.#given) this.#resolve?.();
  }

  /** Resolves when all reports have arrived, or when the signal is aborted. */
  all(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#resolve = resolve;
      if (this.#reports.length === this.#given || signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  /** The reports in the order in which a search of a folder would find the episodes. */
  inOrder(): EpisodeReport[] {
    return this.#reports
      .sort((a, b) => compareFolders(a.folder, b.folder) || a.at - b.at)
      .map(({ report }) => report);
  }
}

/**
 * Yields the jobs of an archive: its episodes as they are unpacked, then their reports in the order of a
 * folder. Each episode is removed from disk right after it was verified.
 */
export async function* archiveJobs(
  reader: ArchiveReader,
  settings: RunSettings,
  signal: AbortSignal,
  only?: string,
): AsyncGenerator<Job> {
  let gathered = new Gathered();
  try {
    const again = () => {
      gathered = new Gathered();
    };
    for await (const { episodes, remove } of reader.parts(again, only)) {
      let open = episodes.length;
      if (open === 0) remove();
      const into = gathered;
      for (const episode of episodes) {
        const at = into.give();
        const { dir, log = '' } = episode;
        const folder = reader.shown(dir ?? dirname(log));
        const take = (report: EpisodeReport) => {
          into.put(folder, at, report);
          open -= 1;
          if (open === 0) remove();
        };
        for await (const job of unpackedJobs(reader, episode, settings))
          if ('known' in job) take(job.known);
          else
            yield {
              ...job,
              held: true,
              finish(report) {
                take(job.finish?.(report) ?? report);
                return report;
              },
            };
      }
    }
    yield { wait: gathered.all(signal) };
    const reports = gathered.inOrder();
    if (reports.length === 0 && reader.problems.length === 0)
      reader.problems.push({ kind: 'empty', message: 'it contains no run: nothing was verified' });
    if (reader.problems.length > 0)
      yield { known: archiveReport(reader.label, reader.problems, optionsOf(settings)) };
    for (const known of reports) yield { known };
    yield* passedOverJobs(reader, settings);
  } finally {
    reader.dispose();
  }
}

/** Yields a report on files that may belong to episodes and were not verified, if there are any. */
function* passedOverJobs({ label, passedOver }: ArchiveReader, settings: RunSettings): Generator<Job> {
  if (passedOver.length === 0) return;
  const target = { name: basename(label), dir: undefined, log: undefined };
  yield { known: passedOverReport(target, { folder: label, files: passedOver }, optionsOf(settings)) };
}

/**
 * Yields the jobs of an archive that must be unpacked completely: first its problems, then its episodes in
 * the order of a folder.
 */
export async function* wholeArchiveJobs(
  reader: ArchiveReader,
  settings: RunSettings,
  only?: string,
): AsyncGenerator<Job> {
  const episodes = await reader.whole(only);
  if (episodes.length === 0 && reader.problems.length === 0)
    reader.problems.push({ kind: 'empty', message: 'it contains no run: nothing was read' });
  if (reader.problems.length > 0)
    yield { known: archiveReport(reader.label, reader.problems, optionsOf(settings)) };
  let open = episodes.length;
  if (open === 0) reader.dispose();
  const taken = (report: EpisodeReport) => {
    open -= 1;
    if (open === 0) reader.dispose();
    return report;
  };
  for (const episode of episodes) yield* finishing(unpackedJobs(reader, episode, settings), taken);
}

/** The job of a file. */
type FileJob = Exclude<Job, { readonly wait: unknown }>;

/** Changes the reports of jobs. */
async function* finishing(
  jobs: AsyncIterable<FileJob>,
  finish: (report: EpisodeReport) => EpisodeReport,
): AsyncGenerator<FileJob> {
  for await (const job of jobs)
    yield 'known' in job
      ? { known: finish(job.known) }
      : { ...job, finish: (report) => finish(job.finish?.(report) ?? report) };
}

/** Yields the job of an episode in an archive. */
const unpackedJobs = (reader: ArchiveReader, episode: VerifyTarget, settings: RunSettings) =>
  finishing(fileJobs({ ...episode, copy: true }, settings, reader.settings), (report) =>
    reportAsPacked(report, (text) => reader.shown(text)),
  );

/** Yields the job of a target that is not an archive. It may be compressed, or a document. */
export async function* fileJobs(
  target: VerifyTarget,
  settings: RunSettings,
  unpack: UnpackSettings,
  documentOf: (target: VerifyTarget) => Promise<DocumentFile | undefined> = documentOfEpisode,
): AsyncGenerator<FileJob> {
  const log = compressedLog(target);
  if (log) return yield* compressedLogJob(target, log, settings, unpack);
  let document: DocumentFile | undefined;
  try {
    document = await documentOf(target);
  } catch (error) {
    // A damaged page of a database concerns only the runs on it.
    if (!isOfTarget(error)) throw error;
    return yield { known: unreadableReport(target, optionsOf(settings), error) };
  }
  if (document) yield* documentJob(target, document, settings, unpack);
  else yield { target };
}

async function unpackFile({ path, compression }: CompressedLog, to: string, budget: Budget) {
  await pipeline(unpackedBytes(path, compression, budget), createWriteStream(to, { mode: 0o600 }));
}

/**
 * Yields the job of a target with a compressed log: the log alone, or a copy of its folder. The report shows
 * the original path.
 */
export async function* compressedLogJob(
  target: VerifyTarget,
  log: CompressedLog,
  settings: RunSettings,
  unpack: UnpackSettings,
): AsyncGenerator<FileJob> {
  const { packed: _, ...plain } = target;
  const { dir } = target;
  const options = optionsOf(settings);
  const folder = privateFolder(unpack.place);
  const name = unpackedName(basename(log.path));
  const base = dir === undefined ? folder.path : join(folder.path, basename(dir));
  const path = join(base, name);
  const shown = (text: string) => text.replaceAll(path, log.path).replaceAll(base, dir ?? dirname(log.path));
  const budget = new Budget(unpack.limits);
  let others: readonly string[] = [];
  try {
    if (dir !== undefined) others = await copyFolder(dir, base, basename(log.path), budget);
    await unpackFile(log, path, budget);
  } catch (error) {
    folder.remove();
    if (error instanceof ArchiveFault) yield { known: archiveReport(log.path, [error.problem], options) };
    else if (isFileError(error) && isOfTarget(error))
      yield { known: unreadableReport({ ...target, log: log.path }, options, error) };
    else throw whileTemporary(unpack.place.tmpDir, error);
    return;
  }
  const inner: VerifyTarget = {
    ...plain,
    log: path,
    dir: dir === undefined ? undefined : base,
    copy: true,
    ...(dir === undefined && { fileName: name, place: join(dirname(log.path), name) }),
  };
  yield* finishing(fileJobs(inner, settings, unpack), (report) => {
    folder.remove();
    const message = `the log is ${basename(log.path)}, and was read uncompressed: lines, bytes and the hash in a manifest are those of the uncompressed log`;
    const drafts: FindingDraft[] = [{ code: 'archive/compressed-log', message, file: name }];
    // A sealed episode must contain only files. The copy has nothing else, so the rest is reported here.
    if (report.sealed)
      for (const file of others)
        drafts.push({ code: 'artifact/unreadable', message: `cannot be read (${NO_FILE})`, file });
    const renamed = addFindings(report, drafts, options.policy);
    return { ...reportAsPacked(renamed, shown), path: dir ?? log.path };
  });
}

/** Yields the job of a file with multi-line records: a copy with one record per line is verified. */
export async function* documentJob(
  target: VerifyTarget,
  document: DocumentFile,
  settings: RunSettings,
  unpack: UnpackSettings,
): AsyncGenerator<FileJob> {
  let copy: PrivateCopy;
  try {
    copy = await documentCopy(document, unpack);
  } catch (error) {
    const options = optionsOf(settings);
    if (error instanceof ArchiveFault)
      yield { known: archiveReport(document.path, [error.problem], options) };
    else if (isFileError(error) && isOfTarget(error))
      yield { known: unreadableReport(target, options, error) };
    else throw error;
    return;
  }
  yield {
    target: asCopy(target, document, copy),
    finish(report) {
      copy.remove();
      return asDocument(report, document, copy);
    },
  };
}
