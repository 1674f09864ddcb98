import { dirname, join } from 'node:path';
import { errorCode, fileErrorCode, LogError, type NoesisError } from '../base/errors.ts';
import type { PortFile } from '../base/files/port.ts';
import { HeldLock, SILENCE_MS } from './held-lock.ts';
import { type FoundLock, isOfWaiter, lockOf, ownerLine, readLock } from './lock-file.ts';
import { type LockOptions, LockWait } from './lock-wait.ts';
import type { WriterSystem } from './system.ts';
import { removeIfPossible, retried, writeAll } from './system-calls.ts';
import { undoBatch } from './undo.ts';

const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 16;

/** File systems without hard links fail with one of these codes. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'];

/** Detects that the holder of a lock is dead. */
class LivenessCheck {
  readonly #system: WriterSystem;
  /** For holders on other machines: since when their lock has not changed. */
  readonly #seen = new Map<string, { readonly mtimeNs: bigint; readonly since: number }>();

  constructor(system: WriterSystem) {
    this.#system = system;
  }

  /**
   * A live process is never dead. A process on another machine counts as dead if its lock has not changed for too long
   * while this process watched.
   */
  isDead({ owner, token, status: { mtimeNs } }: FoundLock): boolean {
    const alive = owner && this.#system.processes.isAlive(owner);
    if (alive !== undefined) return !alive;
    const now = this.#system.now();
    const seen = this.#seen.get(token);
    if (seen?.mtimeNs === mtimeNs) return now - seen.since >= SILENCE_MS;
    this.#seen.set(token, { mtimeNs, since: now });
    return false;
  }
}

/** A file that identifies the holder of a lock, or a writer about to take it over. */
interface LockFile {
  readonly path: string;
  readonly token: string;
}

const CLAIM = '.claim';
const claimOn = (lock: string, token: string): string => `${lock}.${token}${CLAIM}`;

const holderOf = ({ owner }: FoundLock): string =>
  owner === undefined ? 'another program' : `process ${owner.pid} on ${owner.host.split(' ')[0]}`;

function lockedBy(log: string, holder: FoundLock): NoesisError {
  return new LogError('log-locked', `${holderOf(holder)} is writing to ${log}: nothing was written`, {
    place: { file: lockOf(log) },
    hint: 'try again when it has ended; the lock of a dead process is taken over',
  });
}

/** One writer's attempts to get a lock. */
class LockAttempt {
  readonly #system: WriterSystem;
  readonly #log: string;
  readonly #path: string;
  readonly #options: LockOptions;
  readonly #token: string;
  /** The file that will be linked to the name of the lock. */
  readonly #ownFile: string;
  readonly #liveness: LivenessCheck;
  #undone = 0;

  constructor(log: string, system: WriterSystem, options: LockOptions) {
    this.#system = system;
    this.#log = log;
    this.#path = lockOf(log);
    this.#options = options;
    this.#token = system.newId();
    this.#ownFile = `${this.#path}.${this.#token}`;
    this.#liveness = new LivenessCheck(system);
  }

  async acquire(): Promise<HeldLock> {
    let file = await this.#write(this.#ownFile);
    try {
      const own = await this.#wait();
      if (own) {
        await file.close();
        file = own;
      }
      return new HeldLock(this.#system, this.#path, this.#token, file, this.#undone);
    } catch (error) {
      await file.close().catch(() => {});
      throw error;
    } finally {
      // It has been linked to the lock by now, or is not needed.
      await removeIfPossible(this.#system.files, this.#ownFile);
    }
  }

  /** Resolves when the lock is held: through a link, or as a new file if links are not supported. */
  async #wait(): Promise<PortFile | undefined> {
    const wait = new LockWait(this.#system, this.#options);
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const taken = await this.#take(this.#path);
      if (taken !== false) return taken;
      const holder = await readLock(this.#system.files, this.#path);
      if (holder === undefined) continue;
      if (this.#liveness.isDead(holder) && (await this.#takeOver(holder))) return undefined;
      if (!(await wait.longer(pause, holderOf(holder)))) throw lockedBy(this.#log, holder);
    }
  }

  async #write(path: string): Promise<PortFile> {
    const file = await retried(() => this.#system.files.open(path, 'create'));
    try {
      const { host, pid, start } = this.#system.processes.self;
      const owner = { noesis: 'lock/1' as const, token: this.#token, host, pid, ...(start && { start }) };
      await writeAll(file, ownerLine(owner));
      return file;
    } catch (error) {
      await file.close().catch(() => {});
      await removeIfPossible(this.#system.files, path);
      throw error;
    }
  }

  /** Links this writer's file to a name that only one writer can have; undefined if another has it. */
  async #take(path: string): Promise<PortFile | undefined | false> {
    try {
      await retried(() => this.#system.files.link(this.#ownFile, path));
      return undefined;
    } catch (error) {
      const code = fileErrorCode(error);
      if (code === 'EEXIST') return false;
      if (!NO_LINKS.includes(code)) throw error;
    }
    try {
      return await this.#write(path);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false;
      throw error;
    }
  }

  /**
   * Takes over from a dead holder. The token of the holder makes a name that only one writer can have. If that writer is
   * dead too, takes over from it in the same way.
   */
  async #takeOver(dead: FoundLock): Promise<boolean> {
    const line: LockFile[] = [{ path: this.#path, token: dead.token }];
    for (let { token } = dead; ; ) {
      const path = claimOn(this.#path, token);
      const claim = await this.#take(path);
      if (claim !== false) {
        await claim?.close();
        return this.#replaceHolder(line, path);
      }
      const other = await readLock(this.#system.files, path);
      if (other === undefined || !this.#liveness.isDead(other)) return false;
      line.push({ path, token: other.token });
      ({ token } = other);
    }
  }

  /** Undoes what the dead holder left, and becomes the holder. The claim must be the last one in line. */
  async #replaceHolder(line: readonly LockFile[], claim: string): Promise<boolean> {
    const { files } = this.#system;
    try {
      for (const { path, token } of line) {
        const now = await readLock(files, path);
        // The lock may have changed since it was read.
        if (now?.token !== token) return false;
        if (now.intent) this.#undone += await undoBatch(files, this.#log, now.intent);
      }
      await retried(() => files.rename(this.#ownFile, this.#path));
      for (const { path } of line.slice(1)) await removeIfPossible(files, path);
      return true;
    } finally {
      await removeIfPossible(files, claim);
    }
  }
}

/**
 * Waits for the lock of a log and takes it. It only excludes other writers that use it; readers do not. A
 * link gives the lock file its name, so only one writer can get it and nobody sees it half written. The lock
 * of a dead process is taken over; that of a live one never. Throws `log-locked` if another writer keeps it.
 */
export function acquireLock(log: string, system: WriterSystem, options: LockOptions = {}): Promise<HeldLock> {
  return new LockAttempt(log, system, options).acquire();
}

/** Removes the files of writers that died while they waited for the lock of a log. */
export async function removeLeftovers(log: string, { files, processes }: WriterSystem): Promise<void> {
  const lock = lockOf(log);
  const names = await files.list(dirname(log)).catch(() => []);
  const waiting = names.filter((name) => isOfWaiter(name, log));
  if (waiting.length === 0) return;
  // While a lock exists, its next holder may have made one of the claims.
  const isFree = (await files.status(lock)) === undefined;
  for (const name of waiting.filter((one) => isFree || !one.endsWith(CLAIM))) {
    const path = join(dirname(log), name);
    // Somebody else's file with such a name does not concern this writer.
    const { owner } = (await readLock(files, path).catch(() => undefined)) ?? {};
    if (owner && processes.isAlive(owner) === false) await removeIfPossible(files, path);
  }
}
