import { basename, join } from 'node:path';
import { isArchive } from '../base/archives/format.ts';
import { FileError, TargetError } from '../base/errors.ts';
import { plainShellWord, shellWord } from '../base/text/shell-word.ts';
import { dialectOf } from '../dialects/kit/sample.ts';
import { findEpisodes } from './find.ts';
import { entriesOf } from './folder-contents.ts';
import { passedOverText } from './passed-over.ts';
import type { Root } from './root.ts';

const DATABASE = /\.(?:db|sqlite3?)$/;

/**
 * Explains why the first database in a folder is not read, and how to export it; undefined if there is none.
 */
async function databaseIn(dir: string, names: readonly string[]): Promise<FileError | undefined> {
  for (const name of names.filter((one) => DATABASE.test(one))) {
    try {
      await dialectOf(join(dir, name), name);
    } catch (error) {
      if (error instanceof FileError) return error;
    }
  }
  return undefined;
}

/** A hint for a root without episodes whose folder has logs in other places than those of the runtime. */
export async function hintBelow({ runsDir }: Root): Promise<string | undefined> {
  const [first] = runsDir === undefined ? [] : await findEpisodes(runsDir);
  if (runsDir === undefined || first === undefined) return undefined;
  return `a root has its runs in .noesis/episodes; to see those in other folders: noesis list ${plainShellWord(runsDir)}`;
}

const hintWithoutLog = (names: readonly string[]): string => {
  const documents = names.filter((name) => /\.json$/i.test(name)).length;
  return documents === 0
    ? 'give a log, or a folder with logs, such as events.jsonl'
    : `give one of its ${documents} .json files to read it; none was recognised as a run`;
};

/**
 * The error for a folder without episodes, with advice. `passedOver`: paths below it that may be logs;
 * `shortPath` formats a path for the user.
 */
export async function noEpisodeBelow(
  dir: string,
  passedOver: readonly string[],
  shortPath: (path: string) => string,
): Promise<TargetError> {
  const names = (await entriesOf(dir)).map(({ name }) => name).sort();
  const database = await databaseIn(dir, names);
  if (database !== undefined)
    return new TargetError('target-missing', `no run below ${shortPath(dir)}; ${database.message}`, {
      place: { file: dir },
      ...(database.hint !== undefined && { hint: database.hint }),
    });
  const [first] = passedOver;
  const why = first === undefined ? '' : `; not read: ${passedOverText(passedOver, shortPath)}`;
  return new TargetError('target-missing', `no run below ${shortPath(dir)}${why}`, {
    place: { file: dir },
    hint:
      first === undefined
        ? hintWithoutLog(names)
        : isArchive(basename(first))
          ? `name each archive itself: noesis verify ${shellWord(shortPath(first))}`
          : `name a log with an unusual name itself: ${shortPath(first)}; --dialect generic reads any JSON Lines`,
  });
}
