import { basename } from 'node:path';
import type { Dialect } from '../src/dialects/dialect.ts';
import { dialectOf } from '../src/dialects/sample.ts';
import { logOf, resolveLog } from '../src/episode/target.ts';
import { spool } from '../src/log/spool.ts';
import type { Context } from './context.ts';

/** A log that a command works on. */
export interface OpenLog {
  /** What the user knows it by: its path from here, or `-`. */
  readonly label: string;
  /** Where it can be read, more than once. */
  readonly path: string;
  /** The episode's directory, where there is one. */
  readonly dir: string | undefined;
  readonly name: string;
  readonly dialect: Dialect;
  /** The run that the target picked, of a log that holds many. */
  readonly run?: string | undefined;
  /** Removes the private copy of standard input. */
  dispose(): Promise<void>;
}

/** Finds the log a target names, copies standard input where it is that, and tells the dialect. */
export async function openLog(context: Context, target: string): Promise<OpenLog> {
  const found = await resolveLog(target, context.search);
  if (found.kind === 'stdin') {
    const { path, dispose } = await spool(context.io.stdin, context.io.tmpDir);
    try {
      const dialect = await dialectOf(path, '-', context.dialect);
      return { label: '-', path, dir: undefined, name: '-', dialect, dispose };
    } catch (error) {
      await dispose();
      throw error;
    }
  }
  const { episode } = found;
  const path = logOf(episode);
  const dialect = await dialectOf(path, basename(path), context.dialect);
  return {
    label: context.shortPath(path),
    path,
    dir: episode.dir,
    name: episode.name,
    run: episode.run,
    dialect,
    dispose: async () => {},
  };
}
