import { defined } from '../../base/json/defined.ts';
import { type EpisodeSummary, summarizeAll } from '../../find/summary.ts';
import type { Context } from '../context.ts';
import { ChangedRuns } from './changed-runs.ts';
import { knownRows } from './known-rows.ts';
import type { OpenLog } from './open-log.ts';
import { passes, type RunFilter, type RunFilterOptions, runFilters, whyNone } from './run-filters.ts';

/** What the list says of a log: from an earlier run if the log has not changed. */
export function runsOfLog(
  context: Context,
  { name, dir, path, run, place, origin, parts, shown }: OpenLog,
): Promise<readonly EpisodeSummary[]> {
  const isPlain = dir === undefined && run === undefined && origin === path;
  const plain = isPlain ? { name, log: path, ...defined({ parts }) } : undefined;
  return knownRows(context, plain, async () => {
    const runs = await summarizeAll({ name, dir, log: path, ...defined({ run, place, parts }) });
    return runs.map((one) => ({ ...one, path: shown(one.path) }));
  });
}

/** The runs that the user asked for with options. */
export class ChosenRuns {
  readonly #context: Context;
  readonly #filters: readonly RunFilter[];
  readonly #changed: ChangedRuns;
  readonly #seen: EpisodeSummary[] = [];

  constructor(context: Context, options: RunFilterOptions) {
    this.#context = context;
    this.#filters = runFilters(options, context.io);
    this.#changed = new ChangedRuns(context, options);
  }

  /** Whether a log has a run that was asked for. */
  async takes(log: OpenLog): Promise<boolean> {
    if (this.#filters.length === 0) return this.#changed.takes(log, log.name);
    const runs = await runsOfLog(this.#context, log);
    for (const run of runs) this.#seen.push(run);
    return runs.some(passes(this.#filters)) && this.#changed.takes(log, log.name);
  }

  /** Why no run was taken. Trace text, not escaped. */
  get reasons(): readonly string[] {
    const reasons = whyNone(this.#filters, this.#seen);
    return reasons.length > 0 ? reasons : this.#changed.whyNone(this.#filters, this.#seen);
  }

  /** Says which runs only may be among those that were asked for. */
  sayUnsure(): Promise<void> {
    return this.#changed.say();
  }
}
