import { type FSWatcher, watch } from 'node:fs';

/** Sleeps until something in a folder changes, or until a timeout. */
export class FolderWatch {
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
