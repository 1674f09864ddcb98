import { readFileSync, readlinkSync } from 'node:fs';
import { getPriority, hostname } from 'node:os';
// The only use of `process` in src/: a lock must identify its process.
import { pid } from 'node:process';

/** Identifies a process. */
export interface ProcessId {
  /** The machine, its boot and its pid namespace, as one text. */
  readonly host: string;
  readonly pid: number;
  /** The start time in the system's own units; undefined if the system does not say. */
  readonly start?: string | undefined;
}

export interface Processes {
  readonly self: ProcessId;
  /** Undefined for a process on another machine. */
  isAlive(process: ProcessId): boolean | undefined;
}

function textOf(read: () => string): string | undefined {
  try {
    return read().trim();
  } catch {
    return undefined;
  }
}

/**
 * The field of /proc/<pid>/stat with the start time. It is counted after the name, which may contain spaces
 * and brackets.
 */
const START_FIELD = 19;

/** When a process started; undefined if it does not exist or there is no /proc. */
function startOf(id: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${id}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
}

function isThere(id: number): boolean {
  try {
    getPriority(id);
    return true;
  } catch (error) {
    // Only ESRCH proves that the process does not exist.
    return !(error instanceof Error && /ESRCH/.test(error.message));
  }
}

/** Two machines may have the same name, and a reboot ends all processes. Unknown parts are left empty. */
const hostId = (): string =>
  [
    hostname(),
    textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOf(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');

let own: ProcessId | undefined;

/** This process. Determined on first use, because readers do not need it. */
function ownId(): ProcessId {
  own ??= { host: hostId(), pid, start: startOf(pid) };
  return own;
}

/** The processes of this machine. Process ids are reused, so the start time must match too. */
export const systemProcesses: Processes = {
  get self() {
    return ownId();
  },
  isAlive: ({ host, pid: id, start }) => {
    const self = ownId();
    if (host !== self.host) return undefined;
    const now = startOf(id);
    if (self.start === undefined || start === undefined) return isThere(id);
    return now === start;
  },
};
