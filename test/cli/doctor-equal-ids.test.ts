import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { claude } from '../support/claude-records.ts';
import { originalOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

test('doctor says that another log has the id of a session, and does not say which one is continued', async () => {
  const home = tempDir();
  const { path, bytes } = originalOf('claude');
  const log = join(home, path);
  const other = join(home, '.claude/projects/-home-usr-other', basename(path));
  const doctor = () => runHere(['doctor', log], { home, cwd: home });
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, bytes);
  expect((await doctor()).stderr).not.toContain('has this id');
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, bytes);
  expect((await doctor()).stderr).toMatch(
    /^another log has this id, and it is not known which one Claude Code continues; .*-home-usr-other/m,
  );
});

test('a session of another program may have this id', async () => {
  const home = tempDir();
  for (const program of ['claude', 'qwen'] as const) {
    const { path, bytes } = originalOf(program);
    mkdirSync(dirname(join(home, path)), { recursive: true });
    writeFileSync(join(home, path), bytes);
  }
  const [claude, qwen] = [originalOf('claude'), originalOf('qwen')].map(({ path }) => join(home, path));
  expect(basename(claude ?? '')).toBe(basename(qwen ?? ''));
  for (const log of [claude, qwen])
    expect((await runHere(['doctor', log ?? ''], { home, cwd: home })).stderr).not.toContain('has this id');
});

test('what follows the third record with an id is joined to it, and not to the second one', async () => {
  const home = tempDir();
  const id = 'aaaaaaaa-0000-4000-8000-000000000001';
  const log = join(home, '.claude/projects/-w', `${id}.jsonl`);
  const record = (second: number, uuid: string, parentUuid: string | null) =>
    claude(second, second % 2 === 1 ? 'user' : 'assistant', said(second), {
      uuid,
      parentUuid,
      sessionId: id,
      cwd: home,
      version: '2.0.1',
      userType: 'external',
    });
  const said = (second: number) =>
    second % 2 === 1 ? `prompt ${second}` : [{ type: 'text', text: `${second}` }];
  const records = [
    record(1, 'p', null),
    record(2, 'a', 'p'),
    record(3, 'p', 'a'),
    record(4, 'b', 'p'),
    record(5, 'p', 'b'),
    record(6, 'c', 'p'),
  ];
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  const { code, stderr } = await runHere(['doctor', '--fix', '--in-place', '--force', log], {
    home,
    cwd: home,
  });
  expect(code, stderr).toBe(0);
  const written = readFileSync(log, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { uuid: string; parentUuid: string | null });
  for (const [index, { parentUuid }] of written.entries())
    expect(parentUuid).toBe(written[index - 1]?.uuid ?? null);
});
