import { join } from 'node:path';
import { TargetError } from '../errors.ts';
import { entriesOf } from './find.ts';

const LINES = /\.(?:jsonl|ndjson)$/;

/** A file of JSON lines in a folder in which no log was found by its name or its content. */
async function otherLog(dir: string): Promise<string | undefined> {
  const names = (await entriesOf(dir)).map(({ name }) => name);
  return names.filter((name) => LINES.test(name)).sort()[0];
}

/** That a folder has no episode, and what to do about it. `shortPath`: a path as the user would write it. */
export async function noEpisodeBelow(
  dir: string,
  shortPath: (path: string) => string,
  more = '',
): Promise<TargetError> {
  const other = await otherLog(dir);
  return new TargetError('target-missing', `no episode below ${shortPath(dir)}${more}`, {
    place: { file: dir },
    hint:
      other === undefined
        ? 'an episode is a folder with an event log, such as events.jsonl'
        : `a log under another name is named itself, as ${shortPath(join(dir, other))}; --dialect generic takes all JSON lines`,
  });
}
