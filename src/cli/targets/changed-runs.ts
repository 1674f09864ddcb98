import { listed } from '../../base/text/listed.ts';
import type { Episode } from '../../find/episode.ts';
import { escapeText } from '../../show/render/escape.ts';
import { plural } from '../../show/render/tally.ts';
import { Context } from '../context.ts';
import { type OpenLog, openEpisode } from './open-log.ts';
import { type FilteredRun, passes, type RunFilter, type RunFilterOptions } from './run-filters.ts';

/** The number of runs that a remark names. */
const MOST_NAMES = 5;

/** Says which runs only ran commands that may have changed a file of `--changed`. */
export async function sayMayHaveChanged(context: Context, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const ran = names.length === 1 ? 'ran a command' : 'ran commands';
  await context.say(
    escapeText(
      `${plural(names.length, 'run')} only ${ran} that may have changed it: ${listed(names, MOST_NAMES)}`,
    ),
  );
}

/** Why `--changed` takes none of the runs that the other filters leave. Trace text, not escaped. */
export function whyNoneChanged<Run extends FilteredRun>(
  changed: readonly string[],
  filters: readonly RunFilter<Run>[],
  all: readonly Run[],
): string {
  const none = `changed ${changed.join(', ')}, as far as the calls in the logs show`;
  if (filters.length === 0) return `no run ${none}`;
  const left = all.filter(passes(filters)).length;
  const given = filters.map(({ option }) => option).join(' ');
  return `${given} leaves ${left} of ${plural(all.length, 'run')}; none of them ${none}`;
}

/** The runs that `--changed` takes; all runs without this option. */
export class ChangedRuns {
  readonly #context: Context;
  /** Says nothing of how a log is stored. */
  readonly #quiet: Context;
  /** The files of the option. */
  readonly wanted: readonly string[] | undefined;
  readonly #maybe: string[] = [];
  #taken = 0;

  constructor(context: Context, { changed }: RunFilterOptions) {
    this.#context = context;
    this.#quiet = new Context(context.io, { ...context.options, quiet: true });
    this.wanted = changed;
  }

  /** Whether a run changed one of the files, or may have. `name`: how a remark names the run. */
  async takes(log: OpenLog, name: string): Promise<boolean> {
    if (this.wanted === undefined) return true;
    const { changedTest } = await import('./changed-files.ts');
    const change = await changedTest(this.#quiet, this.wanted)(log);
    if (change === 'maybe') this.#maybe.push(name);
    if (change !== undefined) this.#taken += 1;
    return change !== undefined;
  }

  /** Opens the log of an episode, and returns whether the run is taken. `shown`: its original path if it was unpacked. */
  async takesLogOf(episode: Episode, shown: (path: string) => string): Promise<boolean> {
    if (this.wanted === undefined) return true;
    const log = await openEpisode(this.#quiet, episode, shown);
    return this.takes(log, log.name);
  }

  /** Says which runs may not have changed the files. */
  say(): Promise<void> {
    return sayMayHaveChanged(this.#context, this.#maybe);
  }

  /** Why no run was taken, if the other filters take one. Trace text, not escaped. */
  whyNone(filters: readonly RunFilter[], all: readonly FilteredRun[]): readonly string[] {
    if (this.wanted === undefined || this.#taken > 0) return [];
    return [whyNoneChanged(this.wanted, filters, all)];
  }
}
