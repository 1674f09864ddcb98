import { readdirSync } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { readEpisodeFile } from '../../../base/files/files.ts';
import { jsonIn } from '../../../base/json/parse.ts';
import type { PlacedSession } from '../../dialect.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { hashOf } from './named-folder.ts';

/** The file in the folder of a project that has the path of the project (gemini.md §1). */
const PROJECT = '.project_root';

/** The file in the folder of the program that names the project of each folder. */
const PROJECTS = 'projects.json';

function projectsIn(home: string): readonly string[] {
  try {
    return readdirSync(home);
  } catch {
    return [];
  }
}

/** The path of the project in whose folder a log is; undefined if that does not say it. */
export function projectOf(log: string): string | undefined {
  const read = readEpisodeFile(dirname(dirname(log)), PROJECT);
  const path = read.kind === 'read' ? read.bytes.toString('utf8').trim() : '';
  return isAbsolute(path) ? path : listedProject(dirname(dirname(log)));
}

/** The path of the project that the program has listed for a folder of its sessions. */
function listedProject(folder: string): string | undefined {
  const read = readEpisodeFile(dirname(dirname(folder)), PROJECTS);
  const list = read.kind === 'read' ? jsonIn(read.bytes.toString('utf8')) : undefined;
  const paths = Object.entries(objectIn(list, 'projects'));
  return paths.find(([path, name]) => isAbsolute(path) && name === basename(folder))?.[0];
}

/** The folder of the project whose path has this hash; undefined if the program has none. */
function projectFolder(home: string, hash: string): string | undefined {
  for (const name of projectsIn(home)) {
    // Older versions name the folder by the hash.
    if (name === hash) return join(home, name);
    const read = readEpisodeFile(join(home, name), PROJECT);
    if (read.kind === 'read' && hashOf(read.bytes.toString('utf8').trim()) === hash) return join(home, name);
  }
  return undefined;
}

/**
 * The path at which the program finds a session: in the folder of its project, which the header names by the hash of its
 * path. A log in the folder of a project stays there.
 */
export function placeOfSession(
  homes: readonly string[],
  { log, id, head }: PlacedSession,
): string | undefined {
  const [home] = homes;
  if (home === undefined) return undefined;
  const chats = dirname(log);
  const isThere = basename(chats) === 'chats' && dirname(dirname(chats)) === home;
  const project = isThere ? dirname(chats) : projectFolder(home, textIn(head, 'projectHash') ?? '');
  const [minute] = /^\d{4}-\d\d-\d\dT\d\d:\d\d/.exec(textIn(head, 'startTime') ?? '') ?? [];
  return project === undefined || minute === undefined
    ? undefined
    : join(project, 'chats', `session-${minute.replace(':', '-')}-${id.slice(0, 8)}.jsonl`);
}
