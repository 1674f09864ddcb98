import { type Dirent, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { FIRST_DIALECT, logFilesAmong } from '../dialects/registry.ts';
import type { Root } from './root.ts';

/** An episode that was found: its directory, and its log where it has one. */
export interface Episode {
  /** The directory's name; for a log that shares its directory with others, the log's. */
  readonly name: string;
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  readonly log: string | undefined;
  /** One run of a log that holds many. */
  readonly run?: string;
}

/** Files that make a directory without a log an episode all the same. */
const EPISODE_FILES = new Set(['state.json', 'summary.json', 'manifest.json', 'final.json']);

const LISTED_PER_TURN = 64;
let listed = 0;

/** What a directory holds. A folder may hold thousands, and node takes several times as long for the asynchronous way. */
async function entriesOf(dir: string): Promise<Dirent[]> {
  // Other work, a signal above all, gets its turn.
  if (++listed % LISTED_PER_TURN === 0) await setImmediate();
  try {
    return readdirSync(dir, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Whether an entry may be read as a file. A link counts even where it leads nowhere: that is worth saying. */
function isFile(dir: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isFile();
  try {
    return statSync(join(dir, entry.name)).isFile();
  } catch {
    return true;
  }
}

/** What a directory holds. */
interface Contents {
  readonly episodes: Episode[];
  readonly folders: string[];
  /** Whether all that lies below belongs to the one episode. */
  readonly closed: boolean;
}

/**
 * What a directory holds: the one log of an episode, several logs, or only other files of an episode. Where there are
 * artifacts of an episode beside its log, no other file makes its log one of several: that would spare it checks.
 */
export async function episodesIn(dir: string): Promise<Contents> {
  const entries = await entriesOf(dir);
  const names = entries.filter((entry) => isFile(dir, entry)).map(({ name }) => name);
  const hasArtifacts = names.some((name) => EPISODE_FILES.has(name));
  const own = FIRST_DIALECT.logFiles(names);
  const logs = own.length > 0 && hasArtifacts ? own : logFilesAmong(names);
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(dir, name));
  folders.sort();
  const closed = own.length > 0 || (logs.length === 0 && hasArtifacts);
  const [only] = logs;
  if (logs.length > 1) {
    const episodes = logs.map((log) => ({ name: log, dir: undefined, log: join(dir, log) }));
    return { episodes, folders, closed };
  }
  if (only === undefined && !hasArtifacts) return { episodes: [], folders, closed };
  const log = only === undefined ? undefined : join(dir, only);
  return { episodes: [{ name: basename(dir), dir, log }], folders, closed };
}

/** Every episode below a folder, sorted by path. Links are not followed, and nothing is sought inside an episode. */
export async function findEpisodes(folder: string): Promise<Episode[]> {
  const found: Episode[] = [];
  const visit = async (dir: string): Promise<void> => {
    const { episodes, folders, closed } = await episodesIn(dir);
    for (const episode of episodes) found.push(episode);
    if (!closed) for (const inner of folders) await visit(inner);
  };
  await visit(folder);
  return found;
}

/** The folders in which a root may hold episodes: the canonical one, then those of older runtimes (noesis.md §1.1). */
export function episodeFolders({ dir, runsDir }: Root): string[] {
  const older = [join(dir, 'runs'), join(dirname(dir), '.noesis', 'runs')];
  const configured =
    runsDir === undefined ? [] : [runsDir, join(runsDir, 'runs'), join(dirname(runsDir), 'runs')];
  const canonical = join(dir, 'episodes');
  return [...new Set([canonical, ...configured, ...older])].filter((folder) => folder !== dir);
}

/** Where an episode of a root may lie, and its name: nothing of it is read yet. */
export interface EpisodePlace {
  readonly name: string;
  readonly dir: string;
}

/** The places of all episodes of a root; of two with one name the first counts, as for the runtime. */
export async function episodePlaces(root: Root): Promise<EpisodePlace[]> {
  const places = new Map<string, EpisodePlace>();
  const add = (place: EpisodePlace) => {
    if (!places.has(place.name)) places.set(place.name, place);
  };
  for (const folder of episodeFolders(root)) {
    for (const entry of await entriesOf(folder)) {
      if (!entry.isDirectory()) continue;
      const dir = join(folder, entry.name);
      if (entry.name.startsWith('ep_')) {
        add({ name: entry.name, dir });
        continue;
      }
      // Not an id by its name: an episode with a name of its own, or a label that groups some.
      const { episodes, folders } = await episodesIn(dir);
      if (episodes.length > 0) add({ name: entry.name, dir });
      else if (folder.endsWith('episodes'))
        for (const inner of folders) add({ name: basename(inner), dir: inner });
    }
  }
  return [...places.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
