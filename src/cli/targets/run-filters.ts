import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';
import { dialectNamed } from '../../dialects/registry.ts';
import { STATUS_MEANINGS } from '../../dialects/status-words.ts';
import { homesOf } from '../../find/homes.ts';
import type { EpisodeSummary } from '../../find/summary.ts';
import { insteadOf, noStatus } from '../../read/select/no-match.ts';
import type { Io } from '../io.ts';
import { listed } from '../option-values.ts';

/** The options that select runs by what their list entry says. Every command that has them uses this one list. */
export interface RunFilterOptions {
  readonly status?: string[];
  readonly project?: string[];
  readonly model?: string[];
  readonly changed?: string[];
}

/** One path of a repeatable option, not a comma list: paths may contain commas. */
function path(text: string, before: string[] | undefined): string[] {
  if (text === '') throw new InvalidArgumentError('must not be empty');
  return [...(before ?? []), text];
}

/**
 * Collects statuses. A word that is nearly a status is a typing error. Any other word may be the status of a program that
 * stores its own ones.
 */
function statuses(text: string, before: string[] | undefined): string[] {
  const known = [...new Set(Object.values(STATUS_MEANINGS).flatMap((meanings) => Object.keys(meanings)))];
  for (const word of listed(text, undefined)) {
    const question = known.includes(word) ? undefined : didYouMean(nearest(known, word));
    if (question !== undefined)
      throw new UsageError('usage', `--status: there is no status ${JSON.stringify(word)}`, {
        hint: `${question} noesis explain lists them`,
      });
  }
  return listed(text, before);
}

/** Adds the options that select runs. `verb`: what the command does with them, such as `list`. */
export function withRunFilters(command: Command, verb: string): Command {
  return command
    .option(
      '--status <status>',
      `${verb} only runs with this status (repeatable, or a comma list); exit 1 if no run has it`,
      statuses,
    )
    .option(
      '--project <name>',
      `${verb} only runs of this project; a path, such as . (this folder), means the folder (repeatable)`,
      path,
    )
    .option(
      '--model <name>',
      `${verb} only runs that used this model, or one with this text in its name; * matches any characters (repeatable)`,
      listed,
    )
    .option(
      '--changed <file>',
      `${verb} only runs that changed this file, or ran a command on it that may have; * matches any characters (repeatable)`,
      path,
    );
}

/** Adds the option that selects failed runs, for commands that have no option of that name for events. */
export const withFailedRuns = (command: Command, verb: string): Command =>
  command.option(
    '--failed',
    `${verb} only runs that failed, or whose last prompt was withdrawn; vetoed, paused and interrupted runs did not fail`,
  );

/** What the filters of runs ask of a run. */
export type FilteredRun = Pick<
  EpisodeSummary,
  'status' | 'tone' | 'project' | 'cwd' | 'path' | 'dialect' | 'model' | 'tokens_by_model'
>;

type Where = Pick<Io, 'cwd' | 'home' | 'env'>;

const isBelow = (file: string, folder: string): boolean => {
  const way = relative(folder, file);
  return way === '' || (way !== '..' && !/^\.\.[/\\]/.test(way) && !isAbsolute(way));
};

/** A folder as it was named, and without links. */
function namesOfFolder(folder: string): string[] {
  try {
    return [...new Set([folder, realpathSync(folder)])];
  } catch {
    return [folder];
  }
}

/** Whether a text names a folder, not a project. */
const isPath = (text: string): boolean => /^[.~]?$|^\.\.$|[/\\]/.test(text);

const withHome = (text: string, { cwd, home }: Where): string =>
  resolve(cwd, home !== undefined && /^~(?=\/|$)/.test(text) ? home + text.slice(1) : text);

function projectTest(wanted: string, where: Where): (run: FilteredRun) => boolean {
  if (!isPath(wanted)) return ({ project = '' }) => matchesGlob(project, wanted);
  const folders = namesOfFolder(withHome(wanted, where));
  const homes = homesOf(where);
  // A run without a working directory is in the folder of its log, if the user and not a program chose that folder.
  const placeOf = ({ cwd, path }: FilteredRun): string | undefined => {
    if (cwd !== undefined) return isAbsolute(cwd) ? cwd : undefined;
    const log = resolve(where.cwd, path);
    return homes.some((home) => isBelow(log, home)) ? undefined : log;
  };
  return (run) => {
    const place = placeOf(run);
    if (place !== undefined) return folders.some((folder) => isBelow(place, folder));
    const { provesFolder } = dialectNamed(run.dialect ?? '')?.resume ?? {};
    return (
      run.cwd === undefined && folders.some((folder) => provesFolder?.(resolve(where.cwd, run.path), folder))
    );
  };
}

/** A folder as the user named it, with the path that is compared. */
function namedProject(text: string, where: Where): string {
  const folder = isPath(text) ? withHome(text, where) : text;
  return folder === text ? text : `${text} (${folder})`;
}

/** Why a filter with these words takes no run, of what the runs have. */
const none = (what: string, wanted: readonly string[], held: Iterable<string>): string =>
  `no run ${what} ${wanted.join(', ')}${insteadOf(wanted[0] ?? '', [...new Set(held)])}`;

/** Each status may be a typing error. */
const noStatuses = (wanted: readonly string[], held: readonly string[]): string[] => {
  const known = [...new Set(held)];
  return wanted.map((status) =>
    status === 'failed'
      ? `${noStatus(status, known)}; to see runs that failed: --failed`
      : noStatus(status, known),
  );
};

const statusOf = ({ status = 'unknown' }: FilteredRun): string => status;

/** The models of a run. */
const modelsOf = ({ model, tokens_by_model: byModel = {} }: FilteredRun): string[] => [
  ...new Set([...(model === undefined ? [] : [model]), ...Object.keys(byModel)]),
];

/** Whether a word names a model: a pattern, or a part of its name. */
const isModel = (model: string, word: string): boolean =>
  word.includes('*') ? matchesGlob(model, word) : model.includes(word);

/** One active filter of runs. */
export interface RunFilter<Run extends FilteredRun = FilteredRun> {
  /** As the user gave it. */
  readonly option: string;
  /** It is of the names of projects, which some runs do not have. */
  readonly isByName?: boolean;
  readonly test: (run: Run) => boolean;
  /** Says that no run passes it, of all runs. Trace text, not escaped. */
  readonly reason: (all: readonly Run[]) => string | readonly string[];
}

/** The filter of `--failed`. A withdrawn prompt got no answer, and most often an error is why, which the log does not name. */
export const FAILED_RUNS: RunFilter = {
  option: '--failed',
  test: ({ tone, status }) => tone === 'bad' || status === 'withdrawn',
  reason: () => 'no run failed',
};

/** An option with its values, as the user gave it. */
export const givenOption = (name: string, words: readonly string[]): string =>
  `--${name} ${words.join(', ')}`;

/**
 * The active filters of runs, except `--changed`, for which logs are read. Several words of one filter combine with OR.
 */
export function runFilters(options: RunFilterOptions, where: Where): RunFilter[] {
  const { status, project, model } = options;
  const any = (tests: readonly RunFilter['test'][]) => (run: FilteredRun) => tests.some((test) => test(run));
  const filters: RunFilter[] = [];
  if (status !== undefined)
    filters.push({
      option: givenOption('status', status),
      test: (run) => status.includes(statusOf(run)),
      reason: (all) => noStatuses(status, all.map(statusOf)),
    });
  if (project !== undefined)
    filters.push({
      option: givenOption('project', project),
      isByName: !project.every(isPath),
      test: any(project.map((one) => projectTest(one, where))),
      reason: (all) =>
        none(
          'belongs to the project',
          project.map((one) => namedProject(one, where)),
          all.flatMap((run) => run.project ?? []),
        ),
    });
  if (model !== undefined)
    filters.push({
      option: givenOption('model', model),
      test: any(model.map((word) => (run) => modelsOf(run).some((one) => isModel(one, word)))),
      reason: (all) => none('used the model', model, all.flatMap(modelsOf)),
    });
  return filters;
}

/** Whether a run passes all filters. */
export const passes =
  <Run extends FilteredRun>(filters: readonly RunFilter<Run>[]) =>
  (run: Run): boolean =>
    filters.every(({ test }) => test(run));

/** Whether the options select runs. */
export const hasRunFilters = ({ status, project, model, changed }: RunFilterOptions): boolean =>
  [status, project, model, changed].some((given) => given !== undefined);

/**
 * Why no run passes all filters: those that take none of the runs, or how many runs each of them takes. Empty if a run does.
 * Trace text, not escaped.
 */
export function whyNone<Run extends FilteredRun>(
  filters: readonly RunFilter<Run>[],
  all: readonly Run[],
): readonly string[] {
  if (filters.length === 0 || all.some(passes(filters))) return [];
  const reasons = filters.flatMap(({ test, reason }) => (all.some(test) ? [] : reason(all)));
  if (reasons.length > 0) return reasons;
  const counts = filters.map(({ option, test }) => `${option} takes ${all.filter(test).length}`);
  return [`no run passes all filters at once: ${counts.join('; ')} of ${all.length}`];
}
