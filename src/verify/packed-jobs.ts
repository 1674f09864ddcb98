import { basename, dirname } from 'node:path';
import { isOfTarget } from '../base/errors.ts';
import { type ArchiveReader, compareFolders } from '../find/archive.ts';
import { compressedLog } from '../find/compressed-log.ts';
import type { Episode } from '../find/episode.ts';
import { type Mount, mountFile, type OpenDocument, withRun } from '../find/mount.ts';
import type { UnpackSettings } from '../find/private-folder.ts';
import type { VerifyTarget } from '../findings/options.ts';
import type { EpisodeReport } from '../findings/report.ts';
import type { Job } from './jobs.ts';
import { archiveReport, asMounted, reportAsPacked } from './packed-report.ts';
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
  const { episodes } = await reader.whole(only);
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
const unpackedJobs = (reader: ArchiveReader, episode: Episode, settings: RunSettings) =>
  finishing(fileJobs(episode, settings, reader.settings), (report) =>
    reportAsPacked(report, (text) => reader.shown(text)),
  );

/** Yields the job of a target that is not an archive. It may be compressed, or a document. */
export async function* fileJobs(
  target: VerifyTarget,
  settings: RunSettings,
  unpack: UnpackSettings,
  open?: OpenDocument,
): AsyncGenerator<FileJob> {
  const options = optionsOf(settings);
  let path = target.log;
  let mount: Mount | undefined;
  try {
    path = compressedLog(target)?.path ?? path;
    mount = await mountFile(target, unpack, open);
    mount &&= await withRun(mount, target);
  } catch (error) {
    // What is wrong with a file concerns only the runs in it.
    if (!isOfTarget(error)) throw error;
    return yield { known: unreadableReport({ ...target, log: path }, options, error) };
  }
  if (mount === undefined) return yield { target };
  const [episode] = mount.episodes;
  if (episode === undefined) {
    mount.dispose();
    return yield { known: archiveReport(path ?? target.name, mount.problems, options) };
  }
  // A part that cannot be unpacked.
  for (const problem of mount.problems)
    yield { known: archiveReport(problem.file ?? episode.name, [problem], options) };
  yield {
    target: episode,
    finish(report) {
      mount.dispose();
      return asMounted(report, mount, options);
    },
  };
}
