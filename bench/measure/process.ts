import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** A whole process to measure. */
export interface Command {
  readonly name: string;
  readonly file: string;
  readonly args: readonly string[];
  /** The file for standard output; without it, output is discarded. */
  readonly output?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The expected exit code: 0, 1 if there is something to find, or 3 if there is nothing to read. */
  readonly status?: 0 | 1 | 3 | readonly (0 | 1)[];
}

/** One run of a process. */
export interface Sample {
  readonly wallMs: number;
  /** User and system time of all threads of the process; only on Linux. */
  readonly cpuMs: number | undefined;
}

const millisecondsPerTick = 10;

/** User and system time of all children that have ended so far (proc(5): cutime and cstime). */
function childrenCpuMs(): number | undefined {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // The name before it may contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) * millisecondsPerTick;
  } catch {
    return undefined;
  }
}

/** Runs a process to its end. Throws if it fails, because a failed run measures nothing. */
export function runOnce(command: Command): Sample {
  const output = command.output === undefined ? 'ignore' : openSync(command.output, 'w');
  try {
    const cpuBefore = childrenCpuMs();
    const before = process.hrtime.bigint();
    const { status, signal, stderr, error } = spawnSync(command.file, command.args, {
      stdio: ['ignore', output, 'pipe'],
      env: { ...process.env, ...command.env },
    });
    const wallMs = Number(process.hrtime.bigint() - before) / 1e6;
    const cpuAfter = childrenCpuMs();
    if (status === null || ![command.status ?? 0].flat().some((one) => one === status)) {
      const reason = error?.message ?? String(stderr).trim().slice(0, 2000);
      throw new Error(`${command.name} ended with ${signal ?? status}: ${reason}`);
    }
    const cpuMs =
      cpuBefore === undefined || cpuAfter === undefined ? undefined : Math.max(0, cpuAfter - cpuBefore);
    return { wallMs, cpuMs };
  } finally {
    if (typeof output === 'number') closeSync(output);
  }
}

/** Runs a process and returns its output; undefined if it cannot be started or ends with another code. */
export function textOf(file: string, args: readonly string[], wanted = 0): string | undefined {
  const { status, stdout } = spawnSync(file, args, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  return status === wanted ? stdout : undefined;
}
