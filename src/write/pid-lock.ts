import { errorCode, LogError } from '../base/errors.ts';
import type { FileSystem, PortFile } from '../base/files/port.ts';
import { type LockOptions, LockWait } from './lock-wait.ts';
import type { WriterSystem } from './system.ts';
import { removeIfPossible, retried, writeAll } from './system-calls.ts';

const PAUSE_MS = 20;

async function create(path: string, files: FileSystem): Promise<PortFile | undefined> {
  try {
    return await retried(() => files.open(path, 'create'));
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

async function make(path: string, { files, processes }: WriterSystem): Promise<boolean> {
  const file = await create(path, files);
  if (file === undefined) return false;
  try {
    try {
      await writeAll(file, Buffer.from(String(processes.self.pid)));
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    // With an incomplete process id, no program could find out that the holder is gone.
    await removeIfPossible(files, path);
    throw error;
  }
}

/**
 * Holds a lock that is a file with a process id in it, the kind that some writers use. Removes the lock of a
 * dead process, as they do. Returns a function that releases it. Throws `log-locked`.
 */
export async function holdPidLock(
  path: string | undefined,
  system: WriterSystem,
  options: LockOptions,
): Promise<() => Promise<void>> {
  if (path === undefined) return async () => {};
  const wait = new LockWait(system, options);
  while (!(await make(path, system))) {
    const text = (await system.files.readFile(path))?.toString('utf8').trim();
    if (text === undefined) continue;
    const pid = /^\d{1,10}$/.test(text) ? Number(text) : undefined;
    const { host } = system.processes.self;
    if (pid !== undefined && system.processes.isAlive({ host, pid }) === false) {
      await removeIfPossible(system.files, path);
      continue;
    }
    const holder = pid === undefined ? 'another program' : `process ${pid}`;
    if (!(await wait.longer(PAUSE_MS, holder)))
      throw new LogError('log-locked', `${holder} holds ${path}: nothing was written`, {
        place: { file: path },
        hint: 'append through that program, or end it; it numbers the events itself',
      });
  }
  return () => removeIfPossible(system.files, path);
}
