import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { reasonOf, UsageError } from '../src/errors.ts';
import { statusOf } from '../src/files/paths.ts';
import type { VerifyTarget } from '../src/findings/options.ts';

/** Where a path leads, links followed as far as there are any. */
async function realPathOf(path: string): Promise<string> {
  const real = (one: string) => realpath(one).catch(() => undefined);
  return (await real(path)) ?? join((await real(dirname(path))) ?? dirname(path), basename(path));
}

const isSame = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a !== undefined && b !== undefined && a.ino === b.ino && a.dev === b.dev;

/**
 * Throws `usage` where a report would overwrite the log of a target, or lie inside an episode: nothing that is verified
 * is changed by it.
 */
export async function refuseTargetAsOutput(path: string, targets: readonly VerifyTarget[]): Promise<void> {
  const real = await realPathOf(path);
  const status = await statusOf(path);
  for (const { dir, log, owner } of targets) {
    const inEpisode =
      dir !== undefined && owner !== undefined && real.startsWith((await realPathOf(dir)) + sep);
    const isLog = log !== undefined && status !== undefined && isSame(status, await statusOf(log));
    if (!inEpisode && !isLog) continue;
    throw new UsageError('usage', `${path} is ${isLog ? 'a log that is verified' : 'inside an episode'}`, {
      place: { file: path },
      hint: 'give --output a file outside of what is verified',
    });
  }
}

/** Writes beside the file and renames: a full disk, or the end of the process, leaves the old report as it was. */
async function replaceFile(path: string, pieces: Iterable<string>): Promise<void> {
  const real = await realPathOf(path);
  const status = await statusOf(real);
  // A device or a pipe, such as /dev/stdout, is written to.
  if (status !== undefined && !status.isFile()) return writeFile(real, pieces);
  const temporary = join(dirname(real), `.${basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`);
  try {
    await writeFile(temporary, pieces, { flag: 'wx', flush: true });
    if (status !== undefined) await chmod(temporary, status.mode);
    await rename(temporary, real);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/** Writes a report whole, or leaves what was there. Throws `usage` where that cannot be. */
export async function writeReport(path: string, pieces: Iterable<string>): Promise<void> {
  try {
    await replaceFile(path, pieces);
  } catch (error) {
    throw new UsageError('usage', `cannot write ${path}: ${reasonOf(error)}`, {
      place: { file: path },
      hint: 'give --output a file in a folder that exists and that you may write to',
      cause: error,
    });
  }
}
