import { basename, dirname } from 'node:path';
import { grouped } from '../base/text/grouped.ts';
import { type Episode, pathOf } from './episode.ts';
import { episodesAtHome } from './homes.ts';
import type { RootSearch } from './root.ts';

// Copies of a session have one id, and long paths that only differ in a folder. The end of a path names one of them:
// `chats/aaaaaaaa` is the log in a folder `chats` whose name begins with `aaaaaaaa`.

/** The minimum length of the beginning of a file name that is shown. */
const LEAST = 8;

/** An end of a path with at least one folder, and enough of the file name to mean one session. */
const END = /^[^/\\.~-].*\/[^/]{4,}$/;

/** Whether a path ends with the folders and the beginning of the file name in `end`. */
const endsWith = (path: string, end: string): boolean =>
  basename(path).startsWith(basename(end)) && dirname(path).endsWith(`/${dirname(end)}`);

/** The sessions on this machine that the end of a path names; none if the user named a root. */
export async function sessionsEnding(text: string, search: RootSearch): Promise<Episode[]> {
  if (search.flag !== undefined || !END.test(text)) return [];
  return (await episodesAtHome(search)).filter((one) => endsWith(pathOf(one), text));
}

/**
 * Finds the shortest end of a path that names it among the paths of all sessions, and that nobody can take for an option or
 * for something in the current folder, whose names are `files`. Returns undefined if no end does.
 */
export function shortestEnds(
  all: readonly string[],
  files: ReadonlySet<string>,
): (path: string) => string | undefined {
  const similar = grouped(all, (path) => basename(path).slice(0, LEAST));
  return (path) => {
    const [stem = ''] = /^[^.]*/.exec(basename(path)) ?? [];
    // The first characters of a generated id say as much as the whole.
    const starts = /^[\da-f]{8}-/.test(stem) ? [stem.slice(0, LEAST), stem] : [stem];
    const others = similar.get(basename(path).slice(0, LEAST)) ?? [];
    if (!others.includes(path)) return undefined;
    const folders = dirname(path).split('/').filter(Boolean);
    for (let count = 1; count <= folders.length; count += 1) {
      const end = folders.slice(-count);
      if (/^[-.~]/.test(end[0] ?? '') || files.has(end[0] ?? '')) continue;
      const names = starts.map((start) => [...end, start].join('/')).filter((name) => END.test(name));
      const name = names.find((one) => others.filter((other) => endsWith(other, one)).length === 1);
      if (name !== undefined) return name;
    }
    return undefined;
  };
}
