import { spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from './pages.ts';

/** Whether there is `script`, which gives a command a terminal. */
export const hasTerminal = spawnSync('script', ['--version']).status === 0;

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The texts to type, each after its own text has appeared. */
  readonly keys?: readonly (readonly [seen: string, typed: string])[];
}

export interface TerminalOutcome {
  readonly code: number | null;
  /** The bytes that the terminal received, with `\n` at the end of a line. */
  readonly raw: string;
  /** The final text: without colours and erased lines. */
  readonly text: string;
}

/** A line up to where it is erased. It shows progress, if a command takes long. */
const ERASED = /[^\n]*\u001b\[\d?K/g;

/** Runs a line of shell in a new terminal. */
export function inTerminal(line: string, options: TerminalOptions): Promise<TerminalOutcome> {
  const { columns, rows, cwd = ROOT, keys = [] } = options;
  const env = { PATH: process.env['PATH'], HOME: '/nonexistent', TERM: 'xterm', TZ: 'UTC', SHELL: '/bin/sh' };
  const sized = `stty rows ${rows} cols ${columns}; ${line}`;
  const child = spawn('script', ['-qefc', sized, '/dev/null'], {
    cwd,
    env: { ...env, ...options.env },
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 600_000,
  });
  let raw = '';
  let from = 0;
  const waiting = [...keys];
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    raw += chunk;
    for (const [seen, typed] of [...waiting]) {
      const at = raw.indexOf(seen, from);
      if (at === -1) return;
      waiting.shift();
      from = at + seen.length;
      child.stdin.write(typed);
    }
  });
  child.stdin.on('error', () => {});
  return new Promise((resolve) => {
    child.on('close', (code) => {
      const lines = raw.replaceAll('\r\n', '\n');
      resolve({ code, raw: lines, text: stripVTControlCharacters(lines.replace(ERASED, '')) });
    });
  });
}
