import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type FileSystem, systemFiles } from '../base/files/port.ts';
import { type Processes, systemProcesses } from './processes.ts';

/** Everything outside the program that a writer uses. */
export interface WriterSystem {
  readonly files: FileSystem;
  readonly processes: Processes;
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends early if the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A new UUID. */
  newId(): string;
}

/** The real machine. */
export const realSystem: WriterSystem = {
  files: systemFiles,
  processes: systemProcesses,
  now: Date.now,
  // The sleep only fails if the signal is aborted, which ends it early.
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
  newId: randomUUID,
};
