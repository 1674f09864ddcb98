import { isDeepStrictEqual } from 'node:util';
import { ReportError } from '../../base/errors.ts';
import { type EpisodeReport, type ReportCache, type ReportHead, ReportTally } from '../../findings/report.ts';
import type { ReportFile } from './report-file.ts';

interface MergeOptions {
  /** The required number of reports; for shards, one per shard. */
  readonly expect?: number | undefined;
  /** Continue if shards are missing. */
  readonly partial?: boolean | undefined;
}

export interface MergePlan {
  readonly files: readonly ReportFile[];
  /** The first report. All others have the same settings. */
  readonly first: ReportFile;
  /** The missing shards, from 1. */
  readonly missing: readonly number[];
}

const mismatch = (path: string, message: string, hint: string) =>
  new ReportError('report-mismatch', message, { place: { file: path }, hint });

/** Refuses reports with different settings. */
function requireAlike(first: ReportFile, other: ReportFile): void {
  const differ = (what: string, hint: string) =>
    mismatch(other.path, `${other.path} and ${first.path} have different ${what}`, hint);
  const [a, b] = [first.head, other.head];
  if (a.tool.version !== b.tool.version)
    throw differ(`versions (${b.tool.version} and ${a.tool.version})`, 'verify all parts with one version');
  if (!isDeepStrictEqual(a.policy, b.policy))
    throw differ('policies', 'verify all parts with the same options and the same configuration');
  if ((a.shard === undefined) !== (b.shard === undefined))
    throw differ('kinds: only one is of a shard', 'merge the shards of one run, or whole reports');
  if (a.shard === undefined || b.shard === undefined) return;
  if (a.shard.count !== b.shard.count)
    throw differ(`runs: of ${b.shard.count} and of ${a.shard.count} shards`, 'merge the shards of one run');
  if (a.shard.plan !== b.shard.plan || a.shard.targets !== b.shard.targets) {
    const hint =
      'make a list of the targets first, and give each shard --targets FILE; what is verified changed between the shards';
    throw differ(`targets (${b.shard.targets} and ${a.shard.targets} in all)`, hint);
  }
}

const someOf = (numbers: readonly number[]): string =>
  numbers.length > 10
    ? `${numbers.slice(0, 10).join(', ')} and ${numbers.length - 10} more`
    : numbers.join(', ');

/** The shards without a report. Throws if two reports are for the same shard. */
function missingShards(files: readonly ReportFile[], count: number): number[] {
  const seen = new Map<number, string>();
  for (const { path, head } of files) {
    const index = head.shard?.index as number;
    const before = seen.get(index);
    if (before !== undefined) {
      const message = `${before} and ${path} are both reports of shard ${index} of ${count}: its runs would count twice`;
      throw mismatch(path, message, 'leave one of them out');
    }
    seen.set(index, path);
  }
  return Array.from({ length: count }, (_, at) => at + 1).filter((index) => !seen.has(index));
}

/** Refuses to continue if reports are missing. */
function requireAll({ files, first, missing }: MergePlan, options: MergeOptions): void {
  const { expect, partial = false } = options;
  const { shard } = first.head;
  if (shard !== undefined && expect !== undefined && expect !== shard.count) {
    const message = `the reports cover ${shard.count} shards, and ${expect} were expected`;
    throw mismatch(first.path, message, '--expect must be the number of shards of the run');
  }
  if (partial) return;
  if (shard !== undefined && missing.length > 0) {
    const verb = missing.length === 1 ? 'is' : 'are';
    throw new ReportError(
      'report-missing',
      `shard ${someOf(missing)} of ${shard.count} ${verb} missing: its runs are not in the report`,
      { hint: `run it again with --shard ${missing[0]}/${shard.count}; --partial continues without it` },
    );
  }
  if (shard === undefined && expect !== undefined && expect !== files.length) {
    throw new ReportError(
      'report-missing',
      `there ${files.length === 1 ? 'is 1 report' : `are ${files.length} reports`}, and ${expect} were expected`,
      {
        hint: 'run the missing shards again; --partial continues without it',
      },
    );
  }
}

/** Checks that reports belong together. Throws `report-mismatch` and `report-missing`. */
export function planMerge(files: readonly ReportFile[], options: MergeOptions = {}): MergePlan {
  const [first] = files;
  if (first === undefined) throw new ReportError('report-missing', 'there is no report to merge');
  for (const other of files) requireAlike(first, other);
  const missing = first.head.shard ? missingShards(files, first.head.shard.count) : [];
  const plan = { files, first, missing };
  requireAll(plan, options);
  return plan;
}

/** One report during the merge: its next episode, and a count to compare with its summary. */
class Feed {
  readonly file: ReportFile;
  readonly #episodes: Iterator<EpisodeReport>;
  readonly #tally: ReportTally;
  next: EpisodeReport | undefined;

  constructor(file: ReportFile) {
    this.file = file;
    this.#episodes = file.episodes()[Symbol.iterator]();
    this.#tally = new ReportTally(file.head.tool, file.head.policy);
    this.advance();
  }

  advance(): void {
    const { value, done } = this.#episodes.next();
    this.next = done === true ? undefined : value;
    if (this.next !== undefined) this.#tally.add(this.next);
    else if (!isDeepStrictEqual(this.#tally.head().summary, this.file.head.summary)) {
      const message = `${this.file.path} does not have the number of runs in its summary: it was changed or truncated`;
      throw new ReportError('report-invalid', message, {
        place: { file: this.file.path },
        hint: 'run that part again',
      });
    }
  }
}

const twice = ({ path }: EpisodeReport, a: string, b: string) =>
  mismatch(b, `the run ${path} is in ${a} and in ${b}`, 'it would count twice: leave out one of the reports');

/** Yields the episodes of complete reports, one report after the other. Throws if an episode is in two. */
function* oneAfterTheOther(files: readonly ReportFile[]): Generator<EpisodeReport> {
  const seen = new Map<string, string>();
  for (const file of files) {
    const here = new Set<string>();
    for (const feed = new Feed(file); feed.next !== undefined; feed.advance()) {
      const { path, episode } = feed.next;
      const before = seen.get(`${path}\0${episode}`);
      if (before !== undefined) throw twice(feed.next, before, file.path);
      here.add(`${path}\0${episode}`);
      yield feed.next;
    }
    if (files.length > 1) for (const key of here) seen.set(key, file.path);
  }
}

/** A heap of feeds with episodes left. Its root is the feed with the lowest position. */
class Heap {
  readonly #feeds: Feed[] = [];

  get first(): Feed | undefined {
    return this.#feeds[0];
  }

  add(feed: Feed): void {
    let at = this.#feeds.push(feed) - 1;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#swapIfLater(parent, at)) return;
      at = parent;
    }
  }

  /** Restores the heap after the root advanced, or removes the root at its end. */
  settle(): void {
    const [root] = this.#feeds;
    if (root?.next === undefined) {
      const last = this.#feeds.pop();
      if (last === undefined || last === root) return;
      this.#feeds[0] = last;
    }
    for (let at = 0; ; ) {
      const left = at * 2 + 1;
      const least = this.#isLater(left, left + 1) ? left + 1 : left;
      if (!this.#swapIfLater(at, least)) return;
      at = least;
    }
  }

  #isLater(a: number, b: number): boolean {
    const [one, other] = [this.#feeds[a]?.next, this.#feeds[b]?.next];
    return one !== undefined && other !== undefined && (other.position ?? 0) < (one.position ?? 0);
  }

  #swapIfLater(parent: number, child: number): boolean {
    const [one, other] = [this.#feeds[parent], this.#feeds[child]];
    if (one === undefined || other === undefined || !this.#isLater(parent, child)) return false;
    this.#feeds[parent] = other;
    this.#feeds[child] = one;
    return true;
  }
}

/** Yields the episodes of shards in the order of a single run. */
function* byPosition({ files, missing }: MergePlan, all: number): Generator<EpisodeReport> {
  const heap = new Heap();
  for (const file of files) {
    const feed = new Feed(file);
    if (feed.next !== undefined) heap.add(feed);
  }
  let last: { readonly position: number; readonly feed: Feed } | undefined;
  let targets = 0;
  for (let feed = heap.first; feed?.next !== undefined; feed = heap.first) {
    const { position = 0, ...episode } = feed.next;
    if (last?.position === position && last.feed !== feed)
      throw twice(episode, last.feed.file.path, feed.file.path);
    if (last !== undefined && position < last.position) throw unordered(feed.file);
    if (last?.position !== position) targets += 1;
    last = { position, feed };
    yield episode;
    feed.advance();
    heap.settle();
  }
  const left = files.reduce((sum, { head }) => sum + (head.cache?.left ?? 0), 0);
  if (missing.length > 0 || targets + left === all) return;
  throw new ReportError(
    'report-invalid',
    `the shards have ${targets} of ${all} targets: a report was changed`,
    {
      hint: 'run the shards again',
    },
  );
}

const unordered = ({ path }: ReportFile) =>
  new ReportError('report-invalid', `${path} does not have its runs in order: it was changed`, {
    place: { file: path },
    hint: 'run that part again',
  });

/** The sum of the cache numbers; undefined if no report used a cache. */
function mergedCache(files: readonly ReportFile[]): ReportCache | undefined {
  const caches = files.flatMap(({ head }) => head.cache ?? []);
  const [first] = caches;
  if (first === undefined) return undefined;
  const sum = (name: 'used' | 'read' | 'left') => caches.reduce((total, cache) => total + cache[name], 0);
  const mode = caches.some((cache) => cache.mode === 'stat') ? 'stat' : 'hash';
  return { mode, used: sum('used'), read: sum('read'), left: sum('left') };
}

/**
 * Merges reports: passes each episode to the sink in the order of a single run, and returns the head of the
 * merged report. Holds at most one episode per shard. Throws `report-mismatch`, `report-missing` and
 * `report-invalid`.
 */
export async function mergeReports(
  plan: MergePlan,
  sink: (episode: EpisodeReport) => void | Promise<void>,
): Promise<ReportHead> {
  const { tool, policy, shard } = plan.first.head;
  const tally = new ReportTally(tool, policy);
  const episodes = shard ? byPosition(plan, shard.targets) : oneAfterTheOther(plan.files);
  for (const episode of episodes) await sink(tally.add(episode));
  const configuration = plan.files.find(({ head }) => head.configuration !== undefined)?.head.configuration;
  return tally.head({ configuration, cache: mergedCache(plan.files) });
}
