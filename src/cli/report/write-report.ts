import { randomBytes } from 'node:crypto';
import { chmod, open, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { cannotWrite, UsageError } from '../../base/errors.ts';
import { isDirectory, statusOf, upwards } from '../../base/files/paths.ts';
import type { VerifyTarget } from '../../findings/options.ts';
import type { OpenLog } from '../targets/open-log.ts';

/** Resolves the links of a path as far as it exists. */
async function realPathOf(path: string): Promise<string> {
  const real = (one: string) => realpath(one).catch(() => undefined);
  return (await real(path)) ?? join((await real(dirname(path))) ?? dirname(path), basename(path));
}

/** Identifies a file, whatever path leads to it; undefined if it does not exist. */
function identityOf(path: string): string | undefined {
  const status = statusOf(path);
  return status && `${status.dev}:${status.ino}`;
}

/** Files and folders that must not be written to. */
type Guarded = Pick<VerifyTarget, 'dir' | 'log'> & { readonly owner?: string | undefined };

/**
 * Returns a function that throws `usage` if a report would overwrite a target's log or be inside an episode.
 * Inspects the targets once.
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
      throw new UsageError('usage', `${path} is ${isLog ? 'one of the logs to read' : 'inside an episode'}`, {
        place: { file: path },
        hint: 'choose a place outside the targets',
      });
    }
  };
}

/** The path of an output option. Throws `usage` for standard output. */
export function pathToWrite(cwd: string, option: string, name: string): string {
  if (name !== '-') return resolve(cwd, name);
  throw new UsageError('usage', `${option} needs a file name: it cannot write to standard output`, {
    hint: 'write ./- for a file of that name',
  });
}

const NAME_OF_LOG = /\.(?:jsonl|ndjson|json)$/i;

/** The path of an output option for a new folder. Throws `usage` for standard output, and for a name that only a log would have. */
export function folderToWrite(cwd: string, option: string, name: string): string {
  const path = pathToWrite(cwd, option, name);
  if (!NAME_OF_LOG.test(path) || isDirectory(path)) return path;
  throw new UsageError('usage', `${option} names a folder, and ${name} is the name of a log`, {
    hint: 'name a folder: the copy in it has the name of its log',
  });
}

/** The places of an opened log that must not be written to. */
export const guardedIn = ({ dir, path, owner }: OpenLog): Guarded => ({ dir, log: path, owner });

/** Refuses to write a report into a target. */
export async function refuseTargetAsOutput(path: string, targets: readonly Guarded[]): Promise<void> {
  await outputGuard(targets)(path);
}

/** Writes a report in pieces. Afterwards the file is complete or unchanged. */
export interface ReportWriter extends AsyncDisposable {
  write(piece: string | Uint8Array): Promise<void>;
  /** Completes the report. Disposing an incomplete one removes what was written. */
  commit(): Promise<void>;
}

/** Writes directly to a device or pipe, such as /dev/stdout. */
async function deviceWriter(path: string): Promise<ReportWriter> {
  const file = await open(path, 'w');
  return {
    write: (piece) => file.writeFile(piece),
    commit: () => file.close(),
    [Symbol.asyncDispose]: () => file.close().catch(() => {}),
  };
}

/** Writes a temporary file and renames it, so a full disk or a crash leaves the old report. */
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
    [Symbol.asyncDispose]: async () => {
      await close().catch(() => {});
      await rm(temporary, { force: true });
    },
  };
}

/** Opens a report for writing. All methods throw `usage` if it cannot be written. */
export async function openReport(path: string): Promise<ReportWriter> {
  const named = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work();
    } catch (error) {
      throw cannotWrite(path, error);
    }
  };
  const writer = await named(async () => {
    const real = await realPathOf(path);
    const status = statusOf(real);
    return status !== undefined && !status.isFile() ? deviceWriter(real) : fileWriter(real, status?.mode);
  });
  return {
    write: (piece) => named(() => writer.write(piece)),
    commit: () => named(() => writer.commit()),
    [Symbol.asyncDispose]: () => writer[Symbol.asyncDispose](),
  };
}

/** Writes a report, or leaves the old one. Throws `usage` on failure. */
export async function writeReport(path: string, pieces: Iterable<string | Uint8Array>): Promise<void> {
  await using writer = await openReport(path);
  for (const piece of pieces) await writer.write(piece);
  await writer.commit();
}
