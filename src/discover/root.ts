import { basename, dirname, join, resolve } from 'node:path';
import { TargetError } from '../errors.ts';
import { isDirectory, statusOf, upwards } from '../files/paths.ts';
import { type ConfigurationSearch, findConfiguration } from './configuration.ts';

/** What the search for a root starts from. */
export interface RootSearch extends ConfigurationSearch {
  readonly home: string | undefined;
  /** `--root`. */
  readonly flag: string | undefined;
  /** `NOESIS_RUNS_DIR`. */
  readonly runsDir: string | undefined;
  /** What else the environment says: dialects may keep their logs where it does. The library looks at none. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The dialect that is insisted on. */
  readonly dialect?: string | undefined;
  /** `--stream`: of several logs in a folder, those of these streams. */
  readonly streams?: readonly string[] | undefined;
}

const waysToName = (env: RootSearch['env']): string =>
  env === undefined ? 'the root with the option root' : 'the root with --root DIR or NOESIS_RUNS_DIR';

/** Where episodes lie. */
export interface Root {
  /** The Noēsis root: its `episodes` folder holds them. */
  readonly dir: string;
  /** The runs_dir it was found through, where older runtimes put episodes; absent when found as `.noesis`. */
  readonly runsDir?: string;
}

function absolute(dir: string, from: string, home: string | undefined): string {
  const expanded = home !== undefined && /^~(?=\/|$)/.test(dir) ? home + dir.slice(1) : dir;
  return resolve(from, expanded);
}

/** Turns a runs_dir into a root, by the five rules of the runtime (noesis.md §1.1). */
export async function rootOf(runsDir: string): Promise<string> {
  if (basename(runsDir) === 'episodes' && basename(dirname(runsDir)) === '.noesis') return dirname(runsDir);
  if (basename(runsDir) === '.noesis') return runsDir;
  const inner = join(runsDir, '.noesis');
  if (await isDirectory(inner)) return inner;
  if (await isDirectory(join(runsDir, 'episodes'))) return runsDir;
  return inner;
}

/**
 * Finds the root: the flag, else the environment, else the nearest configuration, else the nearest `.noesis` in the
 * folder or above. Throws `root-missing`, naming the folders tried, and `config-invalid`.
 */
export async function findRoot(search: RootSearch): Promise<Root> {
  const { cwd, home, flag, runsDir, env } = search;
  const given = flag ?? (runsDir === '' ? undefined : runsDir);
  if (given !== undefined) {
    const dir = absolute(given, cwd, home);
    return { dir: await rootOf(dir), runsDir: dir };
  }
  const config = await findConfiguration(search);
  const configured = config?.runsDir;
  if (config && configured !== undefined) {
    // The runtime takes it from where it runs; seen from a folder below, only the configuration's own folder fits.
    const here = absolute(configured, cwd, home);
    const there = absolute(configured, dirname(config.path), home);
    const dir = (await isDirectory(here)) || !(await isDirectory(there)) ? here : there;
    return { dir: await rootOf(dir), runsDir: dir };
  }
  const tried: string[] = [];
  for (const dir of upwards(cwd)) {
    const candidate = join(dir, '.noesis');
    tried.push(candidate);
    if (await isDirectory(candidate)) return { dir: candidate };
  }
  throw new TargetError('root-missing', `no .noesis folder here or above (tried ${tried.join(', ')})`, {
    hint: `name the episode by its path, or ${waysToName(env)}`,
  });
}

/** The same, but the root must be there: throws `root-missing` where `--root` or a configuration names no folder. */
export async function requireRoot(search: RootSearch): Promise<Root> {
  const root = await findRoot(search);
  const { dir, runsDir = dir } = root;
  // Older runtimes wrote into the runs_dir itself.
  if ((await isDirectory(dir)) || (await isDirectory(runsDir))) return root;
  const isThere = (await statusOf(runsDir)) !== undefined;
  throw new TargetError('root-missing', isThere ? `${runsDir} is no folder` : `there is no ${runsDir}`, {
    place: { file: runsDir },
    hint: `name the folder that holds the episodes: ${waysToName(search.env)}`,
  });
}

/** The name of the folder that a root belongs to: the one that `.noesis` is in. */
export function projectOfRoot({ dir }: Root): string | undefined {
  return basename(basename(dir) === '.noesis' ? dirname(dir) : dir) || undefined;
}
