import { join, resolve } from 'node:path';
import { UsageError } from '../errors.ts';
import { isDirectory, statusOf } from '../files/paths.ts';
import type { Episode } from './find.ts';
import type { RootSearch } from './root.ts';
import { logOf, resolveLog } from './target.ts';

/** Where ids are looked up. */
export interface RootOptions {
  /**
   * The root that holds the episodes, or the runs_dir that the runtime was given, as `--root` takes it. Without it, what
   * the nearest noesis.toml names, else the nearest `.noesis` in the working directory or above it; the environment is
   * not looked at.
   */
  readonly root?: string | undefined;
}

/** How the library looks for a root: from the working directory, and never in the environment. */
export function searchFor({ root }: RootOptions): RootSearch {
  return { cwd: resolve('.'), home: undefined, flag: root, runsDir: undefined };
}

/** The one episode that a path, an id or a prefix of one stands for. */
export async function episodeAt(target: string, options: RootOptions): Promise<Episode> {
  const found = await resolveLog(target, searchFor(options));
  if (found.kind === 'episode') {
    if (found.episode.packed === undefined) return found.episode;
    throw new UsageError('usage', `the library does not unpack ${target}`, {
      hint: 'unpack it first; the command line reads it as it is',
    });
  }
  throw new UsageError('usage', 'the library does not read standard input', {
    hint: 'give a path, or the id of an episode',
  });
}

/** The log of an episode. */
export async function logAt(target: string, options: RootOptions): Promise<string> {
  return logOf(await episodeAt(target, options));
}

/** The log to follow: one that is not there yet is a path, or lies in a directory under its usual name. */
export async function logToFollow(target: string, options: RootOptions, usual: string): Promise<string> {
  if (await isDirectory(target)) {
    const log = await logAt(target, options).catch(() => undefined);
    return log ?? join(target, usual);
  }
  const isPath = (await statusOf(target)) !== undefined || /[/\\.]/.test(target);
  return isPath ? target : logAt(target, options);
}
