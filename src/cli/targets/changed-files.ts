import { basename, resolve } from 'node:path';
import { isOfTarget } from '../../base/errors.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { type ChangesOfRun, changesOfStory, type PartStory } from '../../read/describe/changes-of-story.ts';
import { type LogStory, storyOfLog } from '../../read/describe/story-of-log.ts';
import { finderOf } from '../../read/select/find-text.ts';
import { mayHave } from '../../read/select/search-log.ts';
import type { Context } from '../context.ts';
import { type OpenLog, openLog } from './open-log.ts';
import { logsOfRun } from './parts.ts';

/** What the calls of a run and of its parts changed, with the story from which that is known. */
export async function changesOfRun(
  context: Context,
  log: OpenLog,
): Promise<{ readonly read: LogStory; readonly changes: ChangesOfRun }> {
  const read = await storyOfLog(log.path, log.dialect, { run: log.run });
  const [, ...others] = logsOfRun(context, log);
  const parts: PartStory[] = [];
  for (const { name, path, dialect } of others)
    parts.push({ name, story: (await storyOfLog(path, dialect)).story });
  return { read, changes: changesOfStory(read.story, parts) };
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

/**
 * Returns a function that says whether a run changed one of these files, according to its calls. Only logs with the name of
 * the file in their bytes are read.
 */
function changedTest(context: Context, wanted: readonly string[]): (log: OpenLog) => Promise<boolean> {
  const files = wanted.map((one) => {
    const name = basename(slashes(one));
    return { is: fileTest(one, context.io), finder: name.includes('*') ? undefined : finderOf(name, {}) };
  });
  return async (log) => {
    const paths = logsOfRun(context, log).map(({ path }) => path);
    const named = files.filter(
      ({ finder }) => finder === undefined || paths.some((path) => mayHave(path, finder)),
    );
    if (named.length === 0) return false;
    const { changes } = await changesOfRun(context, log);
    return changes.files.some(({ path }) => named.some(({ is }) => is(path)));
  };
}

/** Of the paths of logs, those of runs that changed one of these files. A log that cannot be read did not. */
export async function pathsThatChanged(
  context: Context,
  wanted: readonly string[],
  logs: readonly string[],
): Promise<Set<string>> {
  const test = changedTest(context, wanted);
  const found = new Set<string>();
  for (const path of logs) {
    try {
      await using log = await openLog(context, path);
      if (await test(log)) found.add(path);
    } catch (error) {
      if (!isOfTarget(error)) throw error;
    }
  }
  return found;
}
