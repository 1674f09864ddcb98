import {
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Account } from '../../../src/dialects/kit/account.ts';
import { SAMPLES } from '../../support/cli.ts';
import { runHere } from '../../support/in-process.ts';
import { tempDir } from '../../support/temp.ts';

// A message or part that is damaged or missing in a store makes no number larger, and numbers that lack it are minima.

type Shown = Pick<Account, 'time'> & { readonly tokens?: object; readonly lacks?: object };

const show = async (name: string): Promise<Shown> =>
  JSON.parse((await runHere(['show', join(SAMPLES, 'opencode', name), '-j'])).stdout);

test.each([
  ['damaged/tree-missing-answer', { requests: 1 }],
  ['damaged/tree-missing-prompt', { requests: 1 }],
  ['damaged/tree-torn-part', { lines: 1 }],
])('%s', async (name, lacks) => {
  const [damaged, intact] = [await show(name), await show('damaged/tree-missing-parts')];
  expect(damaged.lacks).toEqual(lacks);
  expect(damaged.time?.unknown_ms).toBeGreaterThan(0);
  for (const key of ['model_ms', 'tools_ms', 'idle_ms'] as const)
    expect(damaged.time?.[key] ?? 0).toBeLessThanOrEqual((intact.time?.[key] ?? 0) + 10);
});

test('list marks a session with a part that cannot be read', async () => {
  const { stdout, stderr } = await runHere(['list', join(SAMPLES, 'opencode/damaged/tree-torn-part')], {
    columns: 160,
  });
  expect(stdout).toMatch(/ !/);
  expect(stderr).toContain('1 log is damaged (!): noesis verify ');
});

test('a turn counts only up to a missing message, which may have been the next prompt', async () => {
  const log = join(SAMPLES, 'opencode/damaged/tree-missing-prompt');
  const { turns } = JSON.parse((await runHere(['read', log, '-j'])).stdout);
  expect(turns).toHaveLength(1);
  expect(turns[0].duration_ms).toBeLessThan(1000);
});

test('a missing message after all others may have been the end', async () => {
  const { stdout } = await runHere(['list', join(SAMPLES, 'opencode/damaged/db-orphan-part.db'), '-j']);
  expect(JSON.parse(stdout)).toMatchObject([{ status: 'unknown' }]);
});

test('how a turn ended is unknown if its answer is missing', async () => {
  const log = tempDir();
  cpSync(join(SAMPLES, 'opencode/damaged/tree-missing-answer'), log, { recursive: true });
  const id = 'msg_217dc0162001yzlRqUYWiRyWAp';
  const sessionID = 'ses_de823ff52ffeZYZauTCAHKlqKv';
  rmSync(join(log, 'storage/message', sessionID, `${id}.json`));
  // One of its parts is left, so the program wrote it.
  const parts = join(log, 'storage/part', id);
  mkdirSync(parts);
  const part = { id: 'prt_217dc01680011sdufUtkGxxk9s', sessionID, messageID: id, type: 'step-start' };
  writeFileSync(join(parts, `${part.id}.json`), JSON.stringify(part));
  const { turns } = JSON.parse((await runHere(['read', log, '-j'])).stdout);
  expect(turns[0]).toMatchObject({ status: 'unknown' });
});

/** The home of a user with a store of sessions in files, one of them damaged. */
function homeWithStore(): string {
  const home = tempDir();
  cpSync(join(SAMPLES, 'opencode/damaged/tree-torn-part'), join(home, '.local/share/opencode'), {
    recursive: true,
  });
  return home;
}

test('list names verify for a damaged log that doctor does not examine, and doctor for the others', async () => {
  const home = homeWithStore();
  const projects = join(home, '.claude/projects/-home-usr-shop');
  cpSync(join(SAMPLES, 'claude-code/projects/-home-usr-shop'), projects, { recursive: true });
  const world = { home, cwd: home };
  const whole = (await runHere(['list'], world)).stderr;
  expect(whole).toMatch(/^1 log is damaged \(!\): noesis verify \S+$/m);
  const log = join(projects, '5e550000-0000-4000-8000-00000000a001.jsonl');
  truncateSync(log, statSync(log).size - 9);
  const { stderr } = await runHere(['list'], world);
  expect(stderr).toMatch(/^1 log is damaged \(!\): noesis doctor \S+$/m);
  expect(stderr).toMatch(/^1 other log is damaged \(!\): noesis verify \S+$/m);
  for (const [, command = ''] of stderr.matchAll(/damaged \(!\): noesis (.*)$/gm))
    expect((await runHere(command.split(' '), world)).code, command).toBe(1);
});

test('show and search name no doctor for a session that it does not examine', async () => {
  const home = homeWithStore();
  const messages = join(home, '.local/share/opencode/storage/message');
  const files = readdirSync(messages, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(messages, name));
  for (const file of files) {
    const message = JSON.parse(readFileSync(file, 'utf8'));
    const error = {
      name: 'APIError',
      data: { message: 'prompt is too long: 212345 tokens > 200000 maximum' },
    };
    if (message.role === 'assistant') writeFileSync(file, JSON.stringify({ ...message, error }));
  }
  const world = { home, cwd: home, columns: 400, env: { NO_COLOR: '1' } };
  const [{ episode }] = JSON.parse((await runHere(['list', '-j'], world)).stdout);
  for (const args of [
    ['show', episode],
    ['search', 'e', episode],
  ]) {
    const { stdout } = await runHere(args, world);
    expect(stdout, args[0]).toContain('the API refused the last request');
    expect(stdout, args[0]).toMatch(/see noesis verify \S+$/m);
    expect(stdout, args[0]).not.toContain('noesis doctor');
  }
});

test.each([
  ['tree-torn-part', 'many files', 'to see which file is damaged'],
  ['db-torn-data.db', 'a database', 'to see what is damaged'],
])('salvage says that %s is no log that it copies', async (name, form, next) => {
  const target = join(SAMPLES, 'opencode/damaged', name);
  const { code, stderr } = await runHere(['salvage', target, '-o', join(tempDir(), 'copy')]);
  expect(code).toBe(2);
  expect(stderr).toContain(`is in ${form}`);
  expect(stderr).toContain(`run noesis verify ${target} ${next}`);
  expect(stderr).not.toContain('#');
});
