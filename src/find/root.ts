import { basename, dirname, join, resolve } from 'node:path';
import { TargetError } from '../base/errors.ts';
import { isDirectory, statusOf, upwards } from '../base/files/paths.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { episodeFolders, folderDialect } from '../dialects/registry.ts';
import type { PassedOver } from '../findings/options.ts';
import { type ConfigurationSearch, findConfiguration } from './configuration.ts';
import type { Episode } from './episode.ts';
import type { KnownLogs } from './known-logs.ts';
import type { UnpackPlace } from './private-folder.ts';

/** The contents of the folders in which dialects keep their logs. */
export interface HomeContents {
  /** Folders that cannot be listed, and links that are not followed, count as episodes. */
  readonly episodes: readonly Episode[];
  readonly passedOver: readonly PassedOver[];
}

/** The inputs of the search for a root. */
export interface RootSearch extends ConfigurationSearch {
  readonly home: string | undefined;
  /** `--root`. */
  readonly flag: string | undefined;
  /** `NOESIS_RUNS_DIR`. */
  readonly runsDir: string | undefined;
  /** Whether standard input is a pipe or a file, which a command reads if `-` is its target. */
  readonly isPiped?: boolean | undefined;
  /** Other variables of the environment, which may say where dialects keep logs. The library passes none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What earlier runs found out about logs. Commands that judge a log, such as `verify`, pass none. */
  readonly known?: KnownLogs | undefined;
  /** Where to unpack logs, to see when they were last written to; the usual folder by default. */
  readonly unpackPlace?: UnpackPlace | undefined;
  /** Results of this run that several parts of a command need. */
  readonly found?: { homes?: Map<DialectName | undefined, Promise<HomeContents>> } | undefined;
  /** The dialect that the user named. */
  readonly dialect?: string | undefined;
  /** `--stream`: of several logs in a folder, use these streams. */
  readonly streams?: readonly string[] | undefined;
  /** Receives the episodes that `latest` had to skip. Without it, an episode that cannot be read is an error. */
  readonly onUnreadable?: ((episodes: readonly Episode[]) => Promise<void>) | undefined;
}

const waysToName = (env: RootSearch['env']): string =>
  env === undefined ? 'the root with the option root' : 'the root with --root DIR or NOESIS_RUNS_DIR';

/** Where episodes are stored. */
export interface Root {
  /** Contains the folder that episodes are written to. */
  readonly dir: string;
  /** The runs_dir that led to it, where older runtimes wrote episodes; absent if found by its name. */
  readonly runsDir?: string;
  /** The configuration file that chose the runs_dir, absolute; absent if the same root would be found without it. */
  readonly chosenBy?: string;
}

function absolute(dir: string, from: string, home: string | undefined): string {
  const expanded = home !== undefined && /^~(?=\/|$)/.test(dir) ? home + dir.slice(1) : dir;
  return resolve(from, expanded);
}

/** The root for a runs_dir, by the five rules of the runtime (noesis.md §1.1). */
export async function rootOf(runsDir: string): Promise<string> {
  const folders = episodeFolders();
  for (const { root, episodes } of folders) {
    if (basename(runsDir) === episodes && basename(dirname(runsDir)) === root) return dirname(runsDir);
    if (basename(runsDir) === root) return runsDir;
  }
  for (const { root, episodes } of folders) {
    const inner = join(runsDir, root);
    if (isDirectory(inner)) return inner;
    if (isDirectory(join(runsDir, episodes))) return runsDir;
  }
  return join(runsDir, folderDialect().folder.root);
}

/** The folders in this one and above that have the name of a root if they exist, nearest first. */
const placesOfRoots = (cwd: string): string[] =>
  [...upwards(cwd)].flatMap((dir) => episodeFolders().map(({ root }) => join(dir, root)));

/**
 * Finds the root: by option, environment, nearest configuration, or the nearest folder in this one or above
 * that has the name of a root. Throws `root-missing` with the folders tried, and `config-invalid`.
 */
export async function findRoot(search: RootSearch): Promise<Root> {
  const { cwd, home, flag, runsDir, env, isPiped } = search;
  const given = flag ?? (runsDir === '' ? undefined : runsDir);
  if (given !== undefined) {
    const dir = absolute(given, cwd, home);
    return { dir: await rootOf(dir), runsDir: dir };
  }
  const config = await findConfiguration(search);
  const configured = config?.runsDir;
  if (config && configured !== undefined) {
    // The runtime resolves it against its working directory. From a subfolder, only the configuration's own
    // folder makes sense.
    const here = absolute(configured, cwd, home);
    const there = absolute(configured, dirname(config.path), home);
    const dir = isDirectory(here) || !isDirectory(there) ? here : there;
    const root = { dir: await rootOf(dir), runsDir: dir };
    return root.dir === placesOfRoots(cwd).find(isDirectory) ? root : { ...root, chosenBy: config.path };
  }
  const names = episodeFolders().map(({ root }) => root);
  const tried = placesOfRoots(cwd);
  for (const dir of tried) if (isDirectory(dir)) return { dir };
  const which = names.join(' or ');
  throw new TargetError('root-missing', `no ${which} folder here or above`, {
    searched: [{ what: folderDialect().name, folders: tried, isUpwards: true }],
    hint: `give the path of a log, ${isPiped === true ? '- to read standard input, ' : ''}or ${waysToName(env)}`,
  });
}

/**
 * Finds an existing root. Throws `root-missing` if the folder from `--root` or a configuration does not
 * exist.
 */
export async function requireRoot(search: RootSearch): Promise<Root> {
  const root = await findRoot(search);
  const { dir, runsDir = dir } = root;
  // Older runtimes wrote into the runs_dir itself.
  if (isDirectory(dir) || isDirectory(runsDir)) return root;
  const isThere = statusOf(runsDir) !== undefined;
  throw new TargetError('root-missing', isThere ? `${runsDir} is not a folder` : `there is no ${runsDir}`, {
    place: { file: runsDir },
    hint: `give the folder with the runs: ${waysToName(search.env)}`,
  });
}

/** Notes that a command reads episodes of this root, because reports name a root that a configuration chose. */
export function noteRoot({ used }: RootSearch, { chosenBy, runsDir }: Root): void {
  if (used !== undefined && chosenBy !== undefined && runsDir !== undefined)
    Object.assign(used, { path: chosenBy, runsDir });
}

/** Whether an error says that there is no root. */
export const isRootMissing = (error: unknown): error is TargetError =>
  error instanceof TargetError && error.code === 'root-missing';

const isNamedRoot = (dir: string): boolean => basename(dir) === folderDialect(basename(dir)).folder.root;

/** The name of the project that a root belongs to. */
export function projectOfRoot({ dir }: Root): string | undefined {
  return basename(isNamedRoot(dir) ? dirname(dir) : dir) || undefined;
}
