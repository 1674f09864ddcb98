import { basename, join } from 'node:path';
import type { Command } from 'commander';
import { type NoesisError, StateError, UsageError } from '../src/base/errors.ts';
import { readStateFile, type StoredState } from '../src/base/files/state-file.ts';
import { compactText } from '../src/base/json/compact.ts';
import { locate } from '../src/base/json/locate.ts';
import { formatPath, type JsonPath, parsePath, valueAt } from '../src/base/json/path.ts';
import { writeJson } from '../src/base/json/write.ts';
import { action, type Context } from '../src/cli/context.ts';
import { withExamples } from '../src/cli/help/examples.ts';
import type { Io } from '../src/cli/io.ts';
import { resolveOrNewest } from '../src/cli/targets/open-log.ts';
import { mounted, onlyEpisode } from '../src/cli/targets/packed.ts';
import { NEWEST_RUN, streamOption } from '../src/cli/targets/target-options.ts';
import type { Dialect } from '../src/dialects/dialect.ts';
import { dialectOf, dialectOfState } from '../src/dialects/kit/sample.ts';
import { folderDialect } from '../src/dialects/registry.ts';
import type { Episode } from '../src/find/episode.ts';
import { logOf } from '../src/find/episode.ts';
import { escapeText } from '../src/show/render/escape.ts';
import { plural } from '../src/show/render/tally.ts';

export function addState(program: Command, io: Io): void {
  withExamples(
    program.command('state'),
    ['state latest', 'the stored state'],
    ['state latest outcomes.status', 'one value'],
  )
    .description('show the stored state, or one of its values')
    .argument('[target]', NEWEST_RUN)
    .argument('[path]', 'the value to print, such as outcomes.status or plan.steps[0].id')
    .addOption(streamOption())
    .action(action(io, runState));
}

interface LocatedState {
  readonly path: string;
  /** The user named its log or its episode, not the file itself. */
  readonly isFound: boolean;
  readonly dialect: Dialect;
  /** What the user named, if the file is a copy. */
  readonly origin?: string;
  /** Removes unpacked files. */
  readonly dispose?: () => void;
}

/** The state of a target and its dialect. An episode may have a state without a log. */
async function locateState(context: Context, target: string | undefined): Promise<LocatedState> {
  const found = await resolveOrNewest(context, target);
  if (found.kind === 'stdin') {
    throw new UsageError('usage', 'state reads a state file, and standard input is a log', {
      hint: 'give the path or the id of the run',
    });
  }
  const what = await mounted(context, found.episode);
  if (what === undefined) return stateOf(context, found.episode);
  try {
    const episode = onlyEpisode(context, what, target ?? found.episode.name);
    const state = await stateOf(context, episode, (path) => what.shown(path));
    return { ...state, origin: what.shown(state.path), dispose: () => what.dispose() };
  } catch (error) {
    what.dispose();
    throw error;
  }
}

/** `shown`: the original path of an unpacked log. */
async function stateOf(
  context: Context,
  episode: Episode,
  shown = (path: string): string => path,
): Promise<LocatedState> {
  if (episode.log === undefined && episode.dir !== undefined) {
    const dialect = folderDialect(episode.name);
    return { path: join(episode.dir, dialect.folder.state), isFound: true, dialect };
  }
  const log = logOf(episode);
  const isState = log.endsWith('.json');
  const dialect = isState
    ? await dialectOfState(log, context.dialect)
    : await dialectOf(log, basename(log), context.dialect, shown(log));
  const path = dialect.stateFile(episode.place ?? log);
  if (path !== undefined) return { path: isState ? log : path, isFound: !isState, dialect };
  throw new StateError('state-missing', `a log of this dialect (${dialect.name}) has no stored state`, {
    hint: 'run noesis project to see the state that the log gives',
  });
}

async function runState(
  context: Context,
  target: string | undefined,
  pathText: string | undefined,
): Promise<void> {
  const path = pathText === undefined ? undefined : parsePath(pathText);
  if (pathText !== undefined && path === undefined) {
    throw new UsageError('usage', `${JSON.stringify(pathText)} is not a valid path`, {
      hint: 'write it as in plan.steps[0].id',
    });
  }
  const { path: file, isFound, origin, dialect, dispose } = await locateState(context, target);
  const state = await readStateFile(file, isFound, origin).finally(() => dispose?.());
  await sayIssues(context, state, dialect);
  if (path !== undefined) {
    const value = valueAt(state.value, path);
    const fallback = value === undefined ? await dialect.stateDefault?.(path) : undefined;
    if (fallback !== undefined) {
      await context.say(`${formatPath(path)} is not in ${basename(state.path)}: this is the default`);
      return context.out(`${context.json ? JSON.stringify(fallback) : fallback}\n`);
    }
    if (value === undefined) throw noSuchPath(state.path, state.value, path);
    if (context.json) return context.out(`${storedText(state.bytes, path)}\n`);
    const text = typeof value === 'string' ? value : storedText(state.bytes, path);
    // Exact in a pipe, because programs read it.
    return context.out(`${context.io.stdout.isTTY ? escapeText(text) : text}\n`, 'text');
  }
  if (context.json) return context.out(state.bytes);
  const view = await dialect.stateView?.(state.exact, 'stored');
  if (view === undefined) return context.out(`${writeJson(state.exact, 2)}\n`);
  await context.showView(view);
}

/** The number of faults listed; verify lists all. */
const MAX_ISSUES = 5;

/** Reports the faults of a state, which is still shown. */
async function sayIssues(context: Context, state: StoredState, dialect: Dialect): Promise<void> {
  const issues = (await dialect.stateIssues?.(state)) ?? [];
  for (const issue of issues.slice(0, MAX_ISSUES)) await context.say(`${basename(state.path)}, ${issue}`);
  const more = issues.length - MAX_ISSUES;
  if (more > 0) await context.say(`and ${more} more: noesis verify reports every error`);
}

/** The stored value at a path: `1.0` stays `1.0`. */
function storedText(bytes: Buffer, path: JsonPath): string {
  const { start, end } = locate(bytes, 0, bytes.length, path);
  return compactText(bytes, start, end);
}

function noSuchPath(file: string, root: unknown, path: readonly (string | number)[]): NoesisError {
  let depth = path.length - 1;
  while (depth > 0 && valueAt(root, path.slice(0, depth)) === undefined) depth -= 1;
  const parent = valueAt(root, path.slice(0, depth));
  const where = formatPath(path.slice(0, depth)) || 'the state';
  const there = Array.isArray(parent)
    ? `${where} has ${plural(parent.length, 'element')}`
    : typeof parent === 'object' && parent !== null
      ? `${where} has ${Object.keys(parent).join(', ') || 'no keys'}`
      : `${where} is ${JSON.stringify(parent)}`;
  return new StateError('path-missing', `nothing at ${formatPath(path)} in ${basename(file)}`, {
    place: { file },
    hint: there,
  });
}
