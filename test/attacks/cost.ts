import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VerifyReport } from '../../src/findings/report.ts';
import { BIN } from '../support/cli.ts';
import { episodeIn, GOOD, type Written } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';

/** The cost and the output of a run of the command line. */
export interface Cost {
  readonly code: number | null;
  /** CPU time in seconds: what else the machine does says nothing. */
  readonly cpu: number;
  /** The most resident memory, in MiB. */
  readonly memory: number;
  /** The number of bytes read from files. */
  readonly read: number;
  readonly stdout: string;
  readonly stderr: string;
}

const AT_EXIT = `const fs = require('node:fs');
const { readSync, writeSync } = fs;
let read = 0;
fs.readSync = (...args) => {
  const count = readSync(...args);
  read += count;
  return count;
};
require('node:module').syncBuiltinESMExports();
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  // maxRSS includes memory of the parent process; on Linux, VmHWM only counts that of this one.
  let most = maxRSS;
  try {
    most = Number(/^VmHWM:\\s+(\\d+)/m.exec(fs.readFileSync('/proc/self/status', 'utf8'))[1]);
  } catch {}
  writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: most / 1024, read }));
});`;

/** A stack that is too small for a call with {@link MANY} arguments, but large enough for the program. */
export const SMALL_STACK = '--stack-size=90';
export const MANY = 12_000;

/** Runs the built command line to its end, with options of Node and variables of the environment. One that hangs is killed, and has no exit code. */
export function cost(
  args: readonly string[],
  node: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
): Cost {
  const hook = join(tempDir(), 'cost.cjs');
  writeFileSync(hook, AT_EXIT);
  const { status, output } = spawnSync(process.execPath, [...node, '--require', hook, BIN, ...args], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
    timeout: 300_000,
    maxBuffer: 1e9,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...more },
  });
  const [, stdout = '', stderr = '', usage = ''] = output.map((text) => text ?? '');
  const {
    cpu = Infinity,
    memory = Infinity,
    read = Infinity,
  } = (usage === '' ? {} : JSON.parse(usage)) as Partial<Cost>;
  return { code: status, cpu, memory, read, stdout, stderr };
}

/** One that nothing is wrong with, unless `change` does something to it. */
export function episode(change: (it: Damaged) => void = () => {}): Damaged {
  const it = new Damaged(episodeIn(tempDir(), GOOD));
  change(it);
  return it;
}

/** An episode to be changed. */
export class Damaged {
  readonly dir: string;
  readonly written: Written;

  constructor(written: Written) {
    this.written = written;
    this.dir = written.dir;
  }

  path(name: string): string {
    return join(this.dir, name);
  }

  text(name: string): string {
    return readFileSync(this.path(name), 'utf8').trimEnd();
  }

  put(name: string, text: string): void {
    writeFileSync(this.path(name), text);
  }

  /** Adds members to the outermost object of a document. */
  extend(name: string, members: string): void {
    this.put(name, `${this.text(name).slice(0, -1)},${members}}\n`);
  }

  /** Adds members to the record on a line, from 1. */
  extendLine(line: number, members: string): void {
    const lines = this.written.lines.map((text, index) =>
      index === line - 1 ? `${text.slice(0, -1)},${members}}` : text,
    );
    this.put('events.jsonl', `${lines.join('\n')}\n`);
  }

  /** Verifies it as one that nobody writes to any more. */
  verify(...options: readonly string[]): Cost & { readonly report: VerifyReport } {
    const past = new Date('2026-03-02T10:00:00Z');
    for (const name of readdirSync(this.dir)) utimesSync(this.path(name), past, past);
    utimesSync(this.dir, past, past);
    const run = cost(['verify', '--jobs', '1', '-j', ...options, this.dir]);
    if (run.stdout === '') throw new Error(`no report: exit ${run.code}, ${run.stderr}`);
    return { ...run, report: JSON.parse(run.stdout) as VerifyReport };
  }
}

/** How many findings of a code there are, those that are only counted as well. */
export function countOf({ episodes: [only] }: VerifyReport, code: string): number {
  const kept = only?.findings.filter((finding) => finding.code === code).length ?? 0;
  const counted = only?.omitted?.filter((more) => more.code === code) ?? [];
  return counted.reduce((sum, { count }) => sum + count, kept);
}
