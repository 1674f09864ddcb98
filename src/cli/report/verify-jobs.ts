import type { ArchiveReader } from '../../find/archive.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import type { Job, JobSource } from '../../verify/jobs.ts';
import { archiveJobs, fileJobs, wholeArchiveJobs } from '../../verify/packed-jobs.ts';
import { asMounted } from '../../verify/packed-report.ts';
import { optionsOf, type RunSettings } from '../../verify/run.ts';
import type { Context } from '../context.ts';
import type { Targets } from '../targets/find-targets.ts';
import { archiveReader, documentOpener, inputOf, unpackSettings } from '../targets/packed.ts';

/** In the report of a shard, adds the position of an episode among all targets. */
const placed = (report: EpisodeReport, position: number | undefined): EpisodeReport =>
  position === undefined ? report : { position, ...report };

function placedJob(job: Job, position: number | undefined): Job {
  if (position === undefined || 'wait' in job) return job;
  if ('known' in job) return { known: placed(job.known, position) };
  if (job.held) return job;
  return { ...job, finish: (report) => placed(job.finish?.(report) ?? report, position) };
}

/** How the jobs of a run are made. */
interface JobOptions {
  readonly maxUnpacked?: number | undefined;
  /** Unpack archives completely, and let each job report immediately, for reports that need the episode itself. */
  readonly wholeArchives?: boolean;
}

/** Yields the jobs of a run on demand, unpacking archives meanwhile. */
export class VerifyJobs implements JobSource {
  readonly #context: Context;
  readonly #targets: Targets;
  readonly #settings: RunSettings;
  readonly #options: JobOptions;
  readonly #jobs: AsyncGenerator<Job>;
  #reader: ArchiveReader | undefined;
  #at = 0;

  constructor(context: Context, targets: Targets, settings: RunSettings, options: JobOptions) {
    this.#context = context;
    this.#targets = targets;
    this.#settings = settings;
    this.#options = options;
    this.#jobs = this.#all();
  }

  async next(): Promise<Job | undefined> {
    const { value, done } = await this.#jobs.next();
    return done === true ? undefined : value;
  }

  left(): number {
    return this.#targets.targets.length - this.#at + (this.#reader ? IN_ARCHIVE : 0);
  }

  async *#all(): AsyncGenerator<Job> {
    const { targets, part } = this.#targets;
    for (const [at, target] of targets.entries()) {
      this.#at = at + 1;
      for await (const job of this.#jobsOf(target)) yield placedJob(job, part?.positions[at]);
      this.#reader = undefined;
    }
  }

  async *#jobsOf(target: VerifyTarget): AsyncGenerator<Job> {
    const unpack = unpackSettings(this.#context, this.#options.maxUnpacked);
    const input = inputOf(this.#targets, target);
    if (input)
      return yield { target, finish: (report) => asMounted(report, input, optionsOf(this.#settings)) };
    // Nothing is known about packed episodes before unpacking, so their verdicts are not cached.
    if (target.turn === 'later') return yield { target };
    this.#reader = archiveReader(this.#context, target, unpack);
    if (this.#reader && this.#options.wholeArchives)
      return yield* wholeArchiveJobs(this.#reader, this.#settings, target.inside);
    if (this.#reader)
      return yield* archiveJobs(this.#reader, this.#settings, this.#context.io.interrupted, target.inside);
    const isOneOfMany = this.#targets.targets.length > 1;
    yield* fileJobs(target, this.#settings, unpack, documentOpener(this.#context, isOneOfMany));
  }
}

/**
 * The assumed number of remaining episodes in an archive: enough for a batch, and few enough to leave the
 * disk soon.
 */
const IN_ARCHIVE = 128;
