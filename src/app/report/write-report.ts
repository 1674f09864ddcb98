import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { chmod, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { reasonOf, UsageError } from '../../errors.ts';
import { statusOf, upwards } from '../../files/paths.ts';
import type { VerifyTarget } from '../../findings/options.ts';

/** Where a path leads, links followed as far as there are any. */
async function realPathOf(path: string): Promise<string> {
  const real = (one: string) => realpath(one).catch(() => undefined);
  return (await real(path)) ?? join((await real(dirname(path))) ?? dirname(path), basename(path));
}

/** What tells a file from every other, by whatever path or link one comes to it; undefined where there is none. */
function identityOf(path: string): string | undefined {
  try {
    // There may be thousands of targets, and node takes several times as long for the asynchronous way.
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** What nothing is to be written into. */
type Guarded = Pick<VerifyTarget, 'dir' | 'log'> & { readonly owner?: string | undefined };

/**
 * What throws `usage` where a report would overwrite the log of a target, or lie inside an episode: nothing that is
 * read is changed by it. For many reports: the targets are looked at once.
 */
export function outputGuard(targets: readonly Guarded[]): (path: string) => Promise<void> {
  const known = new Map<string, string | undefined>();
  const identityOfTarget = (path: string): string | undefined => {
    if (!known.has(path)) known.set(path, identityOf(path));
    return known.get(path);
  };
  return async (path) => {
    const real = await realPathOf(path);
    const above = new Set([...upwards(dirname(real))].map(identityOf));
    const identity = identityOf(path);
    for (const { dir, log, owner } of targets) {
      const folder = dir === undefined || owner === undefined ? undefined : identityOfTarget(dir);
      const inEpisode = folder !== undefined && above.has(folder);
      const isLog = log !== undefined && identity !== undefined && identity === identityOfTarget(log);
      if (!inEpisode && !isLog) continue;
      throw new UsageError('usage', `${path} is ${isLog ? 'a log that is read' : 'inside an episode'}`, {
        place: { file: path },
        hint: 'name a place outside of what is read',
      });
    }
  };
}

/** The path of what an option says is to be written. Throws `usage` where that is standard output. */
export function pathToWrite(cwd: string, option: string, name: string): string {
  if (name !== '-') return resolve(cwd, name);
  throw new UsageError('usage', `${option} needs a name: it does not go to standard output`, {
    hint: './- is a file of that name',
  });
}

/** The same for one report. */
export async function refuseTargetAsOutput(path: string, targets: readonly Guarded[]): Promise<void> {
  await outputGuard(targets)(path);
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
