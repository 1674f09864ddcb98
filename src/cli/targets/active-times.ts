import { parseInstant } from '../../base/time/instant.ts';
import { type EpisodeSummary, summarizeAll } from '../../find/summary.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import { formatMoment, type TimeZone } from '../../show/render/time.ts';
import type { Context } from '../context.ts';
import { knownRows } from './known-rows.ts';
import { writtenSince } from './recent.ts';

/** From the first record of a run to its last one, in milliseconds since 1970. */
interface ActiveTime {
  readonly start: number;
  readonly end: number;
}

/** When a run was active; undefined if it has no time. */
function timeOf({
  written_at: written,
  started_at: first = written,
  took_ms: took = 0,
}: EpisodeSummary): ActiveTime | undefined {
  const start = parseInstant(first);
  return start === undefined ? undefined : { start, end: start + took };
}

/** Whether a run was active in a time range; false if its time is unknown. */
export function activeWithin(run: EpisodeSummary, since = -Infinity, until = Infinity): boolean {
  const time = timeOf(run);
  return time !== undefined && time.end >= since && time.start <= until;
}

/** From when to when runs were active, to say why none was in a time range. */
export class ActiveTimes {
  #first = Infinity;
  #last = -Infinity;

  add({ start, end }: ActiveTime): void {
    this.#first = Math.min(this.#first, start);
    this.#last = Math.max(this.#last, end);
  }

  addRuns(runs: readonly EpisodeSummary[]): void {
    for (const run of runs) {
      const time = timeOf(run);
      if (time !== undefined) this.add(time);
    }
  }

  /** Adds the logs that a command does not read, because they were last written before the range: all are plain logs. */
  async addUnread(context: Context, all: readonly VerifyTarget[], since: number | undefined): Promise<void> {
    const read = new Set(writtenSince(all, since));
    for (const target of all) {
      const { name, dir, log, parts = [] } = target;
      if (read.has(target) || log === undefined) continue;
      const plain = { name, log, parts };
      const summaries = () => summarizeAll({ ...plain, dir });
      this.addRuns(await (dir === undefined ? knownRows(context, plain, summaries) : summaries()));
    }
  }

  /** Why no run was active in a time range. */
  whyNone(zone: TimeZone): string {
    if (this.#first > this.#last) return 'no run has a time';
    const [from, to] = [formatMoment(this.#first, zone), formatMoment(this.#last, zone)];
    return `no run was active at that time: the first record is of ${from}, the last of ${to}`;
  }
}
