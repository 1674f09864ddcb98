import { join } from 'node:path';
import { dialectOf } from '../dialects/sample.ts';
import { FileError, TargetError } from '../errors.ts';
import { entriesOf } from './find.ts';

const LINES = /\.(?:jsonl|ndjson)$/;

const DATABASE = /\.(?:db|sqlite3?)$/;

/** Why the first database of a folder is not read, and how to export it; undefined where there is none. */
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

/** That a folder has no episode, and what to do about it. `shortPath`: a path as the user would write it. */
export async function noEpisodeBelow(
  dir: string,
  shortPath: (path: string) => string,
  more = '',
): Promise<TargetError> {
  const names = (await entriesOf(dir)).map(({ name }) => name).sort();
  const database = await databaseIn(dir, names);
  if (database !== undefined)
    return new TargetError(
      'target-missing',
      `no episode below ${shortPath(dir)}${more}; ${database.message}`,
      {
        place: { file: dir },
        ...(database.hint !== undefined && { hint: database.hint }),
      },
    );
  const other = names.find((name) => LINES.test(name));
  return new TargetError('target-missing', `no episode below ${shortPath(dir)}${more}`, {
    place: { file: dir },
    hint:
      other === undefined
        ? 'an episode is a folder with an event log, such as events.jsonl'
        : `a log under another name is named itself, as ${shortPath(join(dir, other))}; --dialect generic takes all JSON lines`,
  });
}
