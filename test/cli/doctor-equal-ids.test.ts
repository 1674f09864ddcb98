import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
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
