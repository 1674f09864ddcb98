import { chmodSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemFiles } from '../../src/base/files/port.ts';
import { readState } from '../../src/library/index.ts';
import { asNobody } from '../support/cli.ts';
import { tempDir, writeTree } from '../support/temp.ts';

test('touching a file sets its time to now', async () => {
  const path = join(writeTree({ f: 'x' }), 'f');
  utimesSync(path, 1, 1);
  const file = await systemFiles.open(path, 'append');
  const before = Date.now();
  await file.touch();
  await file.close();
  expect(statSync(path).mtimeMs).toBeGreaterThanOrEqual(Math.floor(before) - 1);
});

test('a missing file is undefined; an unreadable one is an error', async () => {
  const dir = writeTree({ f: 'x' });
  expect(await systemFiles.readFile(join(dir, 'none'))).toBeUndefined();
  expect(await systemFiles.readFile(join(dir, 'f/below'))).toBeUndefined();
  await expect(systemFiles.readFile(dir)).rejects.toMatchObject({ code: 'unwritable' });
});

test('a folder that cannot be synced is ignored; a missing one is an error', async () => {
  const dir = tempDir();
  chmodSync(dir, 0o755);
  mkdirSync(join(dir, 'locked'), { mode: 0 });
  await asNobody(() => systemFiles.syncFolder(join(dir, 'locked')));
  await expect(systemFiles.syncFolder(join(dir, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test.each<[string, Record<string, string>, object]>([
  ['is a folder', { 'state.json/f': '' }, { code: 'state-missing' }],
  [
    'is not an object',
    { 'state.json': '[1]' },
    { code: 'state-invalid', message: /a state must be a JSON object$/ },
  ],
])('a state that %s is refused', async (_what, files, failure) => {
  const path = join(writeTree(files), 'state.json');
  await expect(readState(path)).rejects.toMatchObject({
    ...failure,
    ...('message' in failure && { message: expect.stringMatching(failure.message as RegExp) }),
  });
});

test('a state that is unreadable or not a file is an error', async () => {
  const dir = writeTree({ 'state.json': '{}', 'below/state.json/f': '' });
  chmodSync(dir, 0o755);
  chmodSync(join(dir, 'state.json'), 0);
  await asNobody(() =>
    expect(readState(join(dir, 'state.json'))).rejects.toMatchObject({
      code: 'unreadable',
      message: `cannot read ${join(dir, 'state.json')}: permission denied`,
    }),
  );
  await expect(readState(join(dir, 'below'))).rejects.toMatchObject({ code: 'unreadable' });
});
