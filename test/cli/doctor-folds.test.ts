import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { damagedOf, originalOf } from '../support/doctor-samples.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;

/** Four sessions of pi whose folder does not exist, and a damaged one of Claude Code. */
function home(): string {
  const folder = tempDir();
  const write = (path: string, bytes: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  const { path, bytes } = originalOf('pi');
  const [id = ''] = UUID.exec(path) ?? [];
  for (const begin of ['aaaaaaaa', 'bbbbbbbb', 'cccccccc', 'dddddddd']) {
    const other = begin + id.slice(begin.length);
    write(path.replace(id, other), Buffer.from(bytes).toString().replaceAll(id, other));
  }
  const damaged = damagedOf('claude').find(({ name }) => name === 'torn-middle');
  write(originalOf('claude').path, damaged?.bytes ?? '');
  return folder;
}

test('doctor --all puts what is damaged first, and folds whole sessions that are refused for one reason', async () => {
  const folder = home();
  const world = { cwd: folder, home: folder, columns: 80, env: { NO_COLOR: '1' } };
  const { stdout } = await runHere(['doctor', '--all'], world);
  expect(stdout).toMatch(/4 sessions of pi \(--full lists them\)\n {2}.*does not exist: /);
  expect(stdout).toContain('noesis doctor --fix ID --cwd DIR\n');
  expect(stdout).not.toContain('bbbbbbbb');
  expect(stdout.indexOf('Claude Code')).toBeLessThan(stdout.indexOf('4 sessions of pi'));
  expect(stdout).toContain('5 sessions: ');
  const { stdout: full } = await runHere(['doctor', '--all', '--full'], world);
  expect(full.match(/--cwd DIR/g)?.length).toBeGreaterThanOrEqual(4);
  expect(full.indexOf('Claude Code')).toBeLessThan(full.indexOf('bbbbbbbb'));
  const reports = JSON.parse((await runHere(['doctor', '--all', '-j'], world)).stdout);
  expect(reports).toHaveLength(5);
});
