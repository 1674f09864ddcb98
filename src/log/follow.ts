import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { FollowedFile, type LogFollower, openIfThere, requireFile } from './followed-file.ts';
import type { LogForm } from './log-form.ts';
import type { RowSource } from './row.ts';

/** Sleeps until something in a folder changes, or until a timeout. */
class FolderWatch {
  readonly #folder: string;
  #watcher: FSWatcher | undefined;
  #hasChanged = false;
  #wake: (() => void) | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Starts to watch. Errors are ignored, because the timeout ends the sleep as well. */
  listen(): void {
    if (this.#watcher) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => {
        this.#hasChanged = true;
        this.#wake?.();
      });
      this.#watcher.on('error', this.close.bind(this));
    } catch {
      this.#watcher = undefined;
    }
  }

  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#hasChanged && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const timer = setTimeout(wake, ms);
        this.#wake = wake;
        signal.addEventListener('abort', wake, { once: true });
      });
      this.#wake = undefined;
    }
    this.#hasChanged = false;
  }

  close(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }
}

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** How long to sleep between checks, in milliseconds. File system events end the sleep at once. */
  readonly pollMs?: number;
}

const DEFAULT_POLL_MS = 250;

/**
 * Reads a log from its start and continues with whatever is appended, until the follower or the signal ends
 * it. Continues and reports if the log does not exist yet, is truncated, or is replaced. Throws the file
 * system's error if the log cannot be read.
 */
export async function followLog(
  path: string,
  how: LogForm | RowSource,
  follower: LogFollower,
  { signal, pollMs = DEFAULT_POLL_MS }: FollowOptions,
): Promise<void> {
  const watch = new FolderWatch(dirname(path));
  let file: FollowedFile | undefined;
  let missing = false;
  let removed = false;
  try {
    while (!signal.aborted) {
      watch.listen();
      const status = await stat(path).catch(() => undefined);
      if (status) requireFile(status, path);
      if (file && !removed && status === undefined) await follower.incident('removed');
      removed = file !== undefined && status === undefined;
      // A watcher on a removed folder stays silent, even if a folder with the same name is created.
      if (status === undefined) watch.close();
      if (status && file && status.ino !== file.inode) {
        // First reads what was appended to the old file before it was replaced.
        await file.readOn();
        const next = await openIfThere(path);
        /* v8 ignore else -- another program removed the file just now */
        if (next) await file.replacedBy(next);
      }
      if (!file) {
        const opened = await openIfThere(path);
        if (opened) {
          file = new FollowedFile(opened, follower, how);
          if (missing) await follower.incident('appeared');
        } else if (!missing) await follower.incident('missing');
        missing = opened === undefined;
      }
      await file?.readOn();
      if (status === undefined) watch.listen();
      if (!(await follower.caughtUp())) return await file?.end();
      await watch.wait(pollMs, signal);
    }
  } finally {
    watch.close();
    await file?.close();
  }
}
