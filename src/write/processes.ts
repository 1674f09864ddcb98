import { readFileSync, readlinkSync } from 'node:fs';
import { getPriority, hostname } from 'node:os';
// A constant, and the one thing of its process that the core has to know: a lock says whose it is.
import { pid } from 'node:process';

/** What tells a process from every other. */
export interface ProcessId {
  /** The machine, its boot and its space of process ids, in one text. */
  readonly host: string;
  readonly pid: number;
  /** When it was started, in the system's own count; undefined where the system does not tell. */
  readonly start?: string | undefined;
}

/** What is known of processes. */
export interface Processes {
  readonly self: ProcessId;
  /** Undefined where that cannot be known from here: it runs on another machine. */
  isAlive(process: ProcessId): boolean | undefined;
}

function textOf(read: () => string): string | undefined {
  try {
    return read().trim();
  } catch {
    return undefined;
  }
}

/** The field of /proc that says when a process was started: behind its name, which may hold spaces and brackets. */
const START_FIELD = 19;

/** When a process was started; undefined where it is none, or where the system has no /proc. */
function startOf(id: number): string | undefined {
  const stat = textOf(() => readFileSync(`/proc/${id}/stat`, 'utf8'));
  return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
}

function isThere(id: number): boolean {
  try {
    getPriority(id);
    return true;
  } catch (error) {
    // Only that there is no such process is an answer.
    return !(error instanceof Error && /ESRCH/.test(error.message));
  }
}

/**
 * Two machines may have one name; a machine that was booted again has none of its processes left. What the system does
 * not tell is left empty.
 */
const hostId = (): string =>
  [
    hostname(),
    textOf(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8')),
    textOf(() => readlinkSync('/proc/self/ns/pid')),
  ].join(' ');

let own: ProcessId | undefined;

/** This process. Asked of the system once, and not before a lock is asked for: those who only read have no need of it. */
function ownId(): ProcessId {
  own ??= { host: hostId(), pid, start: startOf(pid) };
  return own;
}

/** The machine's own processes. A process id is used again, so that a process is alive only with its own start. */
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
