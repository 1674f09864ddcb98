import { basename, resolve } from 'node:path';
import { isOfTarget } from '../../base/errors.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import type { SkippedInRun, SkippedLines } from '../../log/corrupt-lines.ts';
import {
  type ChangesOfRun,
  changesOfStory,
  mayWriteFiles,
  type PartStory,
  wordsOf,
} from '../../read/describe/changes-of-story.ts';
import { type LogStory, storyOfLog } from '../../read/describe/story-of-log.ts';
import { finderOf } from '../../read/select/find-text.ts';
import { mayHave } from '../../read/select/search-log.ts';
import { Context } from '../context.ts';
import { type OpenLog, openLog } from './open-log.ts';
import { logsOfRun } from './parts.ts';

/** What the calls of a run and of its parts changed, with the story from which that is known. */
export async function changesOfRun(
  context: Context,
  log: OpenLog,
): Promise<
  { readonly read: LogStory; readonly changes: ChangesOfRun } & Pick<SkippedInRun, 'skippedInParts'>
> {
  const read = await storyOfLog(log.path, log.dialect, { run: log.run });
  const [, ...others] = logsOfRun(context, log);
  const parts: PartStory[] = [];
  const skippedInParts = new Map<string, SkippedLines>();
  for (const { name, path, dialect } of others) {
    const { story, skipped } = await storyOfLog(path, dialect);
    parts.push({ name, story });
    if (skipped) skippedInParts.set(path, skipped);
  }
  return { read, skippedInParts, changes: changesOfStory(read.story, parts) };
}

const slashes = (text: string): string => text.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');

/** Whether a changed file is the wanted one: its whole path, or the end of it. `*` matches any characters. */
function fileTest(wanted: string, { cwd, home }: Context['io']): (file: string) => boolean {
  const named = home !== undefined && wanted.startsWith('~/') ? home + wanted.slice(1) : wanted;
  const whole = slashes(resolve(cwd, named));
  const end = `*/${slashes(named)}`;
  return (file) => {
    const path = slashes(file);
    return matchesGlob(path, whole) || matchesGlob(`/${path}`, end);
  };
}

/** What a run did to a file: a call says that it changed it, or a command names it that may have. */
type Change = 'changed' | 'maybe';

/**
 * Returns a function that says whether a run changed one of these files, according to its calls. Only logs with the name of
 * the file in their bytes are read.
 */
export function changedTest(
  context: Context,
  wanted: readonly string[],
): (log: OpenLog) => Promise<Change | undefined> {
  const files = wanted.map((one) => {
    const name = basename(slashes(one));
    return { is: fileTest(one, context.io), finder: name.includes('*') ? undefined : finderOf(name, {}) };
  });
  return async (log) => {
    const paths = logsOfRun(context, log).map(({ path }) => path);
    const named = files.filter(
      ({ finder }) => finder === undefined || paths.some((path) => mayHave(path, finder)),
    );
    if (named.length === 0) return undefined;
    const { changes } = await changesOfRun(context, log);
    const isWanted = (path: string) => named.some(({ is }) => is(path));
    if (changes.files.some(({ path }) => isWanted(path))) return 'changed';
    return mayWriteFiles(changes).some(({ command }) => wordsOf(command).some(isWanted))
      ? 'maybe'
      : undefined;
  };
}

/** What the runs at these paths did to these files. A log that cannot be read did nothing. */
export async function pathsThatChanged(
  context: Context,
  wanted: readonly string[],
  logs: readonly string[],
): Promise<ReadonlyMap<string, Change>> {
  // How each log is stored is of no interest here.
  const quiet = new Context(context.io, { ...context.options, quiet: true });
  const test = changedTest(quiet, wanted);
  const found = new Map<string, Change>();
  for (const path of logs) {
    try {
      await using log = await openLog(quiet, path);
      const change = await test(log);
      if (change !== undefined) found.set(path, change);
    } catch (error) {
      if (!isOfTarget(error)) throw error;
    }
  }
  return found;
}
