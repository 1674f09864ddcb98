import { readFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { errorCode, NoesisError, reasonOf } from '../errors.ts';
import { isDirectory } from '../files/paths.ts';
import { isObject, type JsonObject } from '../json/value.ts';

/** What the search for a root starts from. */
export interface RootSearch {
  readonly cwd: string;
  readonly home: string | undefined;
  /** `--root`. */
  readonly flag: string | undefined;
  /** `NOESIS_RUNS_DIR`. */
  readonly runsDir: string | undefined;
}

/** Where episodes lie. */
export interface Root {
  /** The Noēsis root: its `episodes` folder holds them. */
  readonly dir: string;
  /** The runs_dir it was found through, where older runtimes put episodes; absent when found as `.noesis`. */
  readonly runsDir?: string;
}

const CONFIG_NAMES = ['noesis.toml', '.noesis.toml'];

/** A configuration file that was found. */
export interface Config {
  readonly path: string;
  /** The whole file. */
  readonly table: JsonObject;
}

function* upwards(from: string): Generator<string> {
  for (let dir = resolve(from); ; dir = dirname(dir)) {
    yield dir;
    if (dirname(dir) === dir) return;
  }
}

/** The nearest `noesis.toml` or `.noesis.toml`, in the folder or above it. Throws `config-invalid` when it is no TOML. */
export async function findConfig(cwd: string): Promise<Config | undefined> {
  for (const dir of upwards(cwd)) {
    for (const name of CONFIG_NAMES) {
      const path = join(dir, name);
      let text: string;
      try {
        text = await readFile(path, 'utf8');
      } catch (error) {
        if (['ENOENT', 'ENOTDIR', 'EISDIR'].includes(errorCode(error) ?? '')) continue;
        throw new NoesisError('unreadable', `cannot read ${path}: ${reasonOf(error)}`, {
          place: { file: path },
        });
      }
      const { parse } = await import('smol-toml');
      try {
        return { path, table: parse(text) as JsonObject };
      } catch (error) {
        const line =
          error instanceof Error && 'line' in error && typeof error.line === 'number'
            ? error.line
            : undefined;
        const message = `${path} is not valid TOML`;
        throw new NoesisError('config-invalid', message, {
          place: { file: path, ...(line !== undefined && { line }) },
          hint: error instanceof Error ? (error.message.split('\n')[0] ?? '') : '',
          cause: error,
        });
      }
    }
  }
  return undefined;
}

/** `runs_dir` of a configuration: in its table `[noesis]`, else in the file itself (noesis.md §1.1). */
function runsDirOf({ path, table }: Config): string | undefined {
  const section = table['noesis'];
  const value = (isObject(section) ? section : table)['runs_dir'];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && value !== '') return value;
  throw new NoesisError('config-invalid', `runs_dir in ${path} must be a non-empty string`, {
    place: { file: path },
  });
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
export async function findRoot({ cwd, home, flag, runsDir }: RootSearch): Promise<Root> {
  const given = flag ?? (runsDir === '' ? undefined : runsDir);
  if (given !== undefined) {
    const dir = absolute(given, cwd, home);
    return { dir: await rootOf(dir), runsDir: dir };
  }
  const config = await findConfig(cwd);
  const configured = config && runsDirOf(config);
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
  throw new NoesisError('root-missing', `no .noesis folder here or above (tried ${tried.join(', ')})`, {
    hint: 'name the episode by its path, or the root with --root DIR or NOESIS_RUNS_DIR',
  });
}

/** The same, but the root must be there: throws `root-missing` where `--root` or a configuration names no folder. */
export async function requireRoot(search: RootSearch): Promise<Root> {
  const root = await findRoot(search);
  const { dir, runsDir = dir } = root;
  // Older runtimes wrote into the runs_dir itself.
  if ((await isDirectory(dir)) || (await isDirectory(runsDir))) return root;
  throw new NoesisError('root-missing', `there is no ${runsDir}`, {
    place: { file: runsDir },
    hint: 'name the folder that holds the episodes with --root DIR or NOESIS_RUNS_DIR',
  });
}
