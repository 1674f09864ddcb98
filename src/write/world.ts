import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { type FileSystem, systemFiles } from '../files/port.ts';
import { type Processes, systemProcesses } from './processes.ts';

/** What a writer touches of the world. */
export interface WriterWorld {
  readonly files: FileSystem;
  readonly processes: Processes;
  /** Milliseconds since 1970. */
  now(): number;
  /** Ends early where the signal is aborted. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
  /** A UUID that nobody else has. */
  newId(): string;
}

/** The machine as it is. */
export const systemWorld: WriterWorld = {
  files: systemFiles,
  processes: systemProcesses,
  now: Date.now,
  // A signal that is aborted ends the sleep, and nothing else does.
  sleep: (ms, signal) => setTimeout(ms, undefined, { signal }).catch(() => {}),
  newId: randomUUID,
};
