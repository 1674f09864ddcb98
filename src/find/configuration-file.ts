import { lstatSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import {
  ConfigurationError,
  cannotRead,
  isNothing,
  NoesisError,
  reasonOf,
  UsageError,
} from '../base/errors.ts';
import { upwards } from '../base/files/paths.ts';

/** What a command used of a configuration file. The code that uses a part of it writes it here. */
export interface UsedConfiguration {
  /** Absolute. */
  path?: string;
  /** The folder of the episodes, absolute, if the file chose it. */
  runsDir?: string;
  /** The number of models whose prices the file has. */
  prices?: number;
}

export interface ConfigurationSearch {
  readonly cwd: string;
  /** `--config`: read this file instead of the nearest one; `none`: read no file. */
  readonly config?: string | undefined;
  /** Receives what is used of the file, because a checkout may have chosen it and reports name it. */
  readonly used?: UsedConfiguration | undefined;
}

/** A configuration file, not yet parsed. */
export interface ConfigurationFile {
  /** Absolute. */
  readonly path: string;
  readonly text: string;
}

const CONFIG_NAMES = ['noesis.toml', '.noesis.toml'];

/** In bytes. A longer file is not a configuration. */
const LONGEST_CONFIG = 1024 * 1024;

export const invalid = (path: string, message: string, hint?: string, line?: number) =>
  new ConfigurationError('config-invalid', message, {
    place: { file: path, ...(line !== undefined && { line }) },
    ...(hint !== undefined && { hint }),
  });

/** The text of a configuration; undefined if it does not exist. Refuses a pipe, which could block. */
async function textOf(path: string): Promise<string | undefined> {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  const status = entry && statSync(path, { throwIfNoEntry: false });
  if (entry === undefined || status?.isDirectory()) return undefined;
  if (!status) throw invalid(path, `${path} is a broken link`, 'remove it, or restore its target');
  if (!status.isFile()) throw invalid(path, `${path} is not a regular file`);
  if (status.size > LONGEST_CONFIG)
    throw invalid(path, `${path} has ${status.size} bytes: it cannot be a configuration`);
  return readFile(path, 'utf8');
}

/** The text of a configuration; undefined if it does not exist. Throws `config-invalid` and `unreadable`. */
async function readable(path: string): Promise<string | undefined> {
  try {
    return await textOf(path);
  } catch (error) {
    if (error instanceof NoesisError) throw error;
    if (isNothing(error)) return undefined;
    throw cannotRead(path, reasonOf(error), error);
  }
}

/**
 * The named file, else the nearest `noesis.toml` or `.noesis.toml` in this folder or above; undefined if
 * there is none or none is wanted.
 */
export async function configurationFile({
  cwd,
  config,
}: ConfigurationSearch): Promise<ConfigurationFile | undefined> {
  if (config === 'none') return undefined;
  if (config !== undefined) {
    const path = resolve(cwd, config);
    const text = await readable(path);
    if (text !== undefined) return { path, text };
    throw new UsageError('usage', `--config: ${path} does not exist`, {
      hint: 'give the path of a file, or none to read no configuration',
    });
  }
  for (const dir of upwards(cwd)) {
    for (const name of CONFIG_NAMES) {
      const path = join(dir, name);
      const text = await readable(path);
      if (text !== undefined) return { path, text };
    }
  }
  return undefined;
}
