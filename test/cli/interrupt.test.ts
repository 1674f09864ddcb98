import { existsSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { start } from '../support/cli.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir } from '../support/temp.ts';

/** It takes every command that reads a log seconds to come to the end of so much. */
const LONG = 160 * 1024 * 1024;

/** What an open file is; nothing where it was closed meanwhile. */
function fileAt(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

/** Waits until the command has a log open, its own copy of standard input too: it hears signals by then. */
async function isReading(pid: number): Promise<void> {
  // Where the system does not tell, it is given time.
  if (!existsSync('/proc/self/fd')) return setTimeout(3000);
  for (;;) {
    for (const fd of readdirSync(`/proc/${pid}/fd`))
      if (/noesis-.*(?:jsonl|log)/.test(fileAt(`/proc/${pid}/fd/${fd}`))) return;
    await setTimeout(20);
  }
}

describe('Ctrl-C', () => {
  const { dir, log } = episodeIn(tempDir(), GOOD);
  const lines = readFileSync(log);
  writeFileSync(log, Buffer.alloc(lines.length * Math.ceil(LONG / lines.length), lines));

  test.each([
    ['events', dir],
    ['events', dir, '-j'],
    ['events', '-', '-j', '--partial'],
    ['events', '-'],
    ['show', dir],
    ['timeline', dir],
    ['stats', dir],
    ['diff', dir, log],
    ['project', dir],
    ['verify', dir],
    ['verify', log, '--jobs', '1', '-f', 'ndjson'],
  ])('ends noesis %s %s %s, with 130 and a whole last line', async (...args) => {
    // What comes in on standard input has no end.
    const running = start(args, { keepInput: true });
    if (args.includes('-')) running.child.stdin?.write(lines);
    // A stream is copied nowhere, and goes out as it comes in.
    if (args.includes('--partial')) await running.sees('\n');
    else await isReading(running.child.pid ?? 0);
    await setTimeout(300);
    // One that goes on is killed after a minute, and has no exit code.
    running.child.kill('SIGINT');
    const { code, stdout, stderr } = await running.finished();
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(stdout === '' || stdout.endsWith('\n')).toBe(true);
  });
});
