import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A run is damaged if any of its logs is. Every command names the damaged log and fails, whichever log it is.

const THREAD = join(SAMPLES, 'parts/codex-segments');
const DAY = 'sessions/2026/09/01';
const thread = (time: string, id: string) =>
  `${DAY}/rollout-2026-09-01T${time}-019f1111-0000-7000-8000-00000000000a${id}.jsonl`;
const FIRST = thread('09-00-00', '');
const SESSION = join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub');
const MAIN = 'adbbd5d8-3c62-4646-ba0f-a2ac4ab64cc1';
const AGENT = `${MAIN}/subagents/agent-a4877a4f9f72b03c6.jsonl`;

/** The folder, the log of the run, and its damaged log. */
const LOGS: Readonly<Record<string, readonly [folder: string, log: string, damaged: string]>> = {
  'the first log of a thread': [THREAD, FIRST, FIRST],
  'the second log of a thread': [THREAD, FIRST, thread('09-10-00', '_019f1111-0000-7000-8000-0000000000b1')],
  'the last log of a thread': [THREAD, FIRST, thread('09-20-00', '_019f1111-0000-7000-8000-0000000000b2')],
  'the log of a session': [SESSION, `${MAIN}.jsonl`, `${MAIN}.jsonl`],
  'the log of a subagent': [SESSION, `${MAIN}.jsonl`, AGENT],
};

const COMMANDS: readonly (readonly string[])[] = [
  ['show'],
  ['show', '--changes'],
  ['read'],
  ['read', '--all'],
  ['read', '--format', 'markdown'],
  ['timeline'],
  ['timeline', '--records'],
  ['stats'],
  ['stats', '--partial'],
  ['events'],
  ['events', '--partial'],
  ['view', '-o', '-'],
];

/** A copy of a run, with damaged logs. */
function damagedRun(folder: string, damaged: readonly string[]): string {
  const cwd = tempDir();
  cpSync(folder, cwd, { recursive: true });
  for (const log of damaged) {
    const lines = readFileSync(join(cwd, log), 'utf8').split('\n');
    writeFileSync(join(cwd, log), lines.map((line, index) => (index === 2 ? `XX${line}` : line)).join('\n'));
  }
  return cwd;
}

describe.each(Object.entries(LOGS))('a run of which %s is damaged', (_, [folder, log, damaged]) => {
  const cwd = damagedRun(folder, [damaged]);

  test.each(COMMANDS.map((args) => [args.join(' '), args] as const))(
    '%s names it and fails',
    async (_, args) => {
      const { code, stderr } = await runHere([...args, log], { cwd });
      expect([code, stderr]).toEqual([1, expect.stringContaining(damaged)]);
      if (args.includes('-o')) return;
      const json = await runHere([...args, log, '-j'], { cwd });
      expect([json.code, json.stderr]).toEqual([1, expect.stringContaining(damaged)]);
    },
  );

  test('show says what verify says', async () => {
    const verified = await runHere(['verify', log, '-j'], { cwd });
    expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining('log/invalid-json')]);
    expect((await runHere(['show', log], { cwd })).stdout).toMatch(/^Integrity +fail/m);
    const { verdict, skipped_in_parts: inner } = JSON.parse(
      (await runHere(['show', log, '-j'], { cwd })).stdout,
    );
    expect([verdict, inner]).toEqual(['fail', undefined]);
  });

  test('stats counts the run only with --partial', async () => {
    const runs = async (...args: string[]) =>
      JSON.parse((await runHere(['stats', log, '-j', ...args], { cwd })).stdout).episodes;
    expect([await runs(), await runs('--partial')]).toEqual([0, 1]);
  });

  test('search names it', async () => {
    expect((await runHere(['search', 'e', log], { cwd })).stderr).toContain(damaged);
  });
});

describe.each([
  ['a thread', THREAD, FIRST, thread('09-20-00', '_019f1111-0000-7000-8000-0000000000b2')],
  ['a session', SESSION, `${MAIN}.jsonl`, AGENT],
])('%s with two damaged logs', (_, folder, log, other) => {
  const cwd = damagedRun(folder, [log, other]);

  test.each(COMMANDS.map((args) => [args.join(' '), args] as const))('%s names both', async (_, args) => {
    const { code, stderr } = await runHere([...args, log], { cwd });
    expect(code).toBe(1);
    for (const damaged of [log, other]) expect(stderr).toContain(damaged);
  });
});
