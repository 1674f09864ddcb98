import { randomBytes } from 'node:crypto';
import { chmod, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { reasonOf, UsageError } from '../src/errors.ts';
import { statusOf } from '../src/files/paths.ts';
import type { VerifyTarget } from '../src/findings/options.ts';

/** Where a path leads, links followed as far as there are any. */
async function realPathOf(path: string): Promise<string> {
  const real = (one: string) => realpath(one).catch(() => undefined);
  return (await real(path)) ?? join((await real(dirname(path))) ?? dirname(path), basename(path));
}

/** What tells a file from every other, by whatever path or link one comes to it; undefined where there is none. */
async function identityOf(path: string): Promise<string | undefined> {
  const status = await statusOf(path);
  return status && `${status.dev}:${status.ino}`;
}

/**
 * What throws `usage` where a report would overwrite the log of a target, or lie inside an episode: nothing that is
 * verified is changed by it. For many reports: the targets are looked at once.
 */
export async function outputGuard(
  targets: readonly VerifyTarget[],
): Promise<(path: string) => Promise<void>> {
  const folders: (string | undefined)[] = [];
  for (const { dir, owner } of targets)
    folders.push(dir === undefined || owner === undefined ? undefined : (await realPathOf(dir)) + sep);
  const logs = new Map<string, string | undefined>();
  const identityOfLog = async (log: string): Promise<string | undefined> => {
    if (!logs.has(log)) logs.set(log, await identityOf(log));
    return logs.get(log);
  };
  return async (path) => {
    const real = await realPathOf(path);
    const identity = await identityOf(path);
    for (const [at, { log }] of targets.entries()) {
      const folder = folders[at];
      const inEpisode = folder !== undefined && real.startsWith(folder);
      const isLog = log !== undefined && identity !== undefined && identity === (await identityOfLog(log));
      if (!inEpisode && !isLog) continue;
      throw new UsageError('usage', `${path} is ${isLog ? 'a log that is verified' : 'inside an episode'}`, {
        place: { file: path },
        hint: 'give --output a file outside of what is verified',
      });
    }
  };
}

/** The same for one report. */
export async function refuseTargetAsOutput(path: string, targets: readonly VerifyTarget[]): Promise<void> {
  const guard = await outputGuard(targets);
  await guard(path);
}

/** A report that is written piece by piece, and is there whole or not at all. */
export interface ReportWriter {
  write(piece: string | Uint8Array): Promise<void>;
  /** All is written. */
  commit(): Promise<void>;
  /** Leaves what was there; does nothing behind `commit`. */
  discard(): Promise<void>;
}

const unwritable = (path: string, error: unknown) =>
  new UsageError('usage', `cannot write ${path}: ${reasonOf(error)}`, {
    place: { file: path },
    hint: 'give --output a file in a folder that exists and that you may write to',
    cause: error,
  });

/** A device or a pipe, such as /dev/stdout, is written to as it is. */
async function deviceWriter(path: string): Promise<ReportWriter> {
  const file = await open(path, 'w');
  return {
    write: (piece) => file.writeFile(piece),
    commit: () => file.close(),
    discard: () => file.close().catch(() => {}),
  };
}

/** Writes beside the file and renames: a full disk, or the end of the process, leaves the old report as it was. */
async function fileWriter(real: string, mode: number | undefined): Promise<ReportWriter> {
  const temporary = join(dirname(real), `.${basename(real).slice(0, 100)}.${randomBytes(6).toString('hex')}`);
  const file = await open(temporary, 'wx');
  let isOpen = true;
  const close = async () => {
    if (isOpen) await file.close();
    isOpen = false;
  };
  return {
    write: (piece) => file.writeFile(piece),
    commit: async () => {
      await file.sync();
      await close();
      if (mode !== undefined) await chmod(temporary, mode);
      await rename(temporary, real);
    },
    discard: async () => {
      await close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Opens a report for writing. Everything throws `usage` where it cannot be written. */
export async function openReport(path: string): Promise<ReportWriter> {
  const told = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw unwritable(path, error);
    }
  };
  const writer = await told(async () => {
    const real = await realPathOf(path);
    const status = await statusOf(real);
    return status !== undefined && !status.isFile() ? deviceWriter(real) : fileWriter(real, status?.mode);
  });
  return {
    write: (piece) => told(() => writer.write(piece)),
    commit: () => told(() => writer.commit()),
    discard: () => writer.discard(),
  };
}

/** Writes a report whole, or leaves what was there. Throws `usage` where that cannot be. */
export async function writeReport(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  const writer = await openReport(path);
  try {
    for (const piece of pieces) await writer.write(piece);
    await writer.commit();
  } finally {
    await writer.discard();
  }
}
