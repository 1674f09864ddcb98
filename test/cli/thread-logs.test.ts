import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { doctorReport } from '../../src/read/outputs/doctor.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

// A thread of Codex that went on in further logs: commands look at all of them.

const THREAD = '019f1111-0000-7000-8000-00000000000a';

/** A home with a thread in three logs, oldest first. */
function threadAtHome(): { readonly home: string; readonly logs: readonly string[] } {
  const home = tempDir();
  const day = join(home, '.codex/sessions/2026/09/01');
  cpSync(join(SAMPLES, 'parts/codex-segments/sessions'), join(home, '.codex/sessions'), { recursive: true });
  const logs = readdirSync(day)
    .map((name) => join(day, name))
    .sort();
  return { home, logs };
}

describe('doctor', () => {
  test('counts what is loaded of all logs', async () => {
    const { home, logs } = threadAtHome();
    const { code, stdout } = await runHere(['doctor', THREAD, '-j'], { home, cwd: home });
    const report = doctorReport.parse(JSON.parse(stdout));
    expect(code).toBe(0);
    expect(report).toMatchObject({ loads: { parts: 8, of: 8 }, prompts: { of: 3, loaded: [1, 2, 3] } });
    expect(report.further_logs.sort()).toEqual(logs.filter((log) => log.includes('_')));
    const shown = (await runHere(['doctor', THREAD], { home, cwd: home })).stdout;
    expect(shown).toContain('The session continues in 2 further logs.');
  });

  test('finds damage in the last log, names the log, and repairs nothing', async () => {
    const { home, logs } = threadAtHome();
    const last = logs.at(-1) ?? '';
    const lines = readFileSync(last, 'utf8').split('\n');
    writeFileSync(last, [...lines.slice(0, 7), lines[7]?.slice(0, -30)].join('\n'));
    const { code, stdout } = await runHere(['doctor', THREAD], { home, cwd: home });
    expect(code).toBe(1);
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /line 8 +in rollout-\S+ ?\S*b2\.jsonl: the last record breaks off/,
    );
    const { loads } = doctorReport.parse(
      JSON.parse((await runHere(['doctor', THREAD, '-j'], { home, cwd: home })).stdout),
    );
    expect(loads.parts).toBeLessThan(loads.of);
    expect((await runHere(['show', THREAD], { home, cwd: home })).stdout).toContain(
      `loads ${loads.parts} of ${loads.of} parts`,
    );
    const before = logs.map((log) => readFileSync(log, 'utf8'));
    for (const more of [[], ['--in-place']]) {
      const fixed = await runHere(['doctor', '--fix', '--force', THREAD, ...more], { home, cwd: home });
      expect(fixed.code).toBe(2);
      expect(fixed.stderr).toContain('doctor repairs a session in one log');
    }
    expect(logs.map((log) => readFileSync(log, 'utf8'))).toEqual(before);
  });
});

test('tail shows the last events of the thread, of several logs if it must', async () => {
  const { home } = threadAtHome();
  const tail = async (count: number) =>
    (await runHere(['tail', THREAD, '-n', String(count), '-j'], { home, cwd: home })).stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { timestamp: string }).timestamp);
  expect(await tail(2)).toEqual(['2026-09-01T09:20:07.000Z', '2026-09-01T09:20:08.000Z']);
  const more = await tail(12);
  expect(more).toHaveLength(12);
  expect(more).toEqual([...more].sort());
  expect(more[0]).toMatch(/^2026-09-01T09:10/);
  expect(await tail(100)).toHaveLength(29);
});

describe('a wrong target', () => {
  const hintOf = async (...args: string[]) => {
    const { home } = threadAtHome();
    const { code, stderr } = await runHere(args, { home, cwd: home });
    return `${code} ${stderr.replace(/\s+/g, ' ')}`;
  };

  test('that differs from an id in a letter is followed by that id', async () => {
    expect(await hintOf('show', '019f1112')).toContain('did you mean 019f1111? run noesis list');
    expect(await hintOf('show', THREAD.replace(/a$/, 'b'))).toContain(`did you mean ${THREAD}?`);
    expect(await hintOf('show', 'abcdef12')).not.toContain('did you mean');
  });

  test('that is too short says how many ids begin like it', async () => {
    expect(await hintOf('show', '01')).toContain('one id begins like that');
  });

  test('that is empty is named as such by every command', async () => {
    for (const command of ['show', 'doctor', 'read', 'verify'])
      expect(await hintOf(command, '')).toContain('3 error: a target is empty');
  });

  test('with a wrong command is in the command that is suggested', async () => {
    expect(await hintOf('why', '019f1111')).toContain('use noesis show 019f1111');
    expect(await hintOf('why')).toContain('use noesis show latest');
    expect(await hintOf('explain', '019f1111')).toContain('run noesis show 019f1111');
  });

  test('that is an empty log has no session', async () => {
    const folder = tempDir();
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'empty.jsonl'), '');
    expect(await hintOf('doctor', join(folder, 'empty.jsonl'))).toContain('3 error: empty.jsonl is empty');
  });
});
