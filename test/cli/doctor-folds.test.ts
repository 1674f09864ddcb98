import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { damagedOf, originalOf, SAMPLE_PROGRAMS } from '../support/doctor-samples.ts';
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

/** A home with whole sessions of Claude Code, and one that is damaged in this way; by default, by a torn record at its end. */
function mostlyWhole(whole: number, damage: string): string {
  const folder = tempDir();
  const { path, bytes } = originalOf('claude');
  const [id = ''] = UUID.exec(path) ?? [];
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  for (let at = 0; at < whole; at += 1) {
    const other = `${String(at).repeat(8)}${id.slice(8)}`;
    const text = Buffer.from(bytes).toString().replaceAll(id, other);
    writeFileSync(join(folder, path.replace(id, other)), text);
  }
  const damaged = damagedOf('claude').find(({ name }) => name === damage);
  const torn = Buffer.concat([bytes, Buffer.from('{"type":"system","uuid":"b')]);
  writeFileSync(join(folder, path), damaged?.bytes ?? torn);
  return folder;
}

test('doctor --all says what is damaged and what can be done, also of a log that resumes, before one line for whole sessions', async () => {
  const linesOf = async (damage: string, ...more: string[]) => {
    const folder = mostlyWhole(4, damage);
    const world = { cwd: folder, home: folder, columns: 80, env: { NO_COLOR: '1' } };
    const { stdout } = await runHere(['doctor', '--all', ...more], world);
    const piped = (await runHere(['doctor', '--all', ...more], { cwd: folder, home: folder })).stdout;
    return { lines: stdout.split('\n'), piped };
  };
  const tail = await linesOf('');
  expect(tail.lines[1]).toMatch(/^resumes .* aaaaaaaa/);
  expect(tail.lines.slice(2, 6).join(' ')).toMatch(/line \d+: the last record breaks off after/);
  expect(tail.lines).toContain('  resumes all the same: there is nothing to repair');
  expect(tail.lines).toContain('resumes      4 whole sessions (--full lists them)');
  expect(tail.lines).toContain('5 sessions: 5 resume; 1 log is damaged and resumes all the same');
  expect(tail.piped).toMatch(/aaaaaaaa .*the last record breaks off.*; resumes all the same/);
  expect(tail.piped).toContain('4 whole sessions');
  const full = await linesOf('', '--full');
  expect(full.lines.filter((line) => line.startsWith('resumes '))).toHaveLength(5);
  expect(full.lines[1]).toContain('aaaaaaaa');
  const lost = await linesOf('torn-tail');
  expect(lost.lines[1]).toMatch(/^lost .* aaaaaaaa/);
  expect(lost.lines.join(' ')).toContain('cannot be repaired: no repair loads more');
  const middle = await linesOf('torn-middle');
  expect(middle.lines[1]).toMatch(/^lost .* aaaaaaaa/);
  expect(middle.lines.slice(2, 8)).toContain('  noesis doctor --fix aaaaaaaa');
});

test('doctor --all counts as many damaged logs as list, whatever the damage and the program', async () => {
  const all = SAMPLE_PROGRAMS.filter((name) => name !== 'claude-compact').map(
    (program) => [originalOf(program).path, damagedOf(program)] as const,
  );
  const counts = new Set<string>();
  for (let at = 0; all.some(([, { length }]) => at < length); at += 1) {
    const folder = tempDir();
    const names: string[] = [];
    for (const [path, damaged] of all) {
      const one = damaged[at];
      if (one === undefined) continue;
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), one.bytes);
      names.push(one.name);
    }
    const world = { cwd: folder, home: folder };
    const listed = /\d+ logs? (?:is|are) damaged/.exec((await runHere(['list'], world)).stderr)?.[0];
    const { stdout } = await runHere(['doctor', '--all'], world);
    expect(/\d+ logs? (?:is|are) damaged/.exec(stdout)?.[0], names.join()).toBe(listed);
    counts.add(listed ?? 'none');
  }
  expect([...counts]).toContain('6 logs are damaged');
}, 120_000);

test('doctor --all puts what is damaged first, and folds whole sessions that are refused for one reason', async () => {
  const folder = home();
  const world = { cwd: folder, home: folder, columns: 80, env: { NO_COLOR: '1' } };
  const { stdout } = await runHere(['doctor', '--all'], world);
  expect(stdout).toMatch(/4 sessions of pi \(--full lists them\)\n {2}.*does not exist: /);
  expect(stdout).toContain('noesis doctor --fix ID --cwd DIR\n');
  expect(stdout).not.toContain('bbbbbbbb');
  expect(stdout.indexOf('claude-code')).toBeLessThan(stdout.indexOf('4 sessions of pi'));
  expect(stdout).toContain('5 sessions: ');
  const { stdout: full } = await runHere(['doctor', '--all', '--full'], world);
  expect(full.match(/--cwd DIR/g)?.length).toBeGreaterThanOrEqual(4);
  expect(full.indexOf('claude-code')).toBeLessThan(full.indexOf('bbbbbbbb'));
  const reports = JSON.parse((await runHere(['doctor', '--all', '-j'], world)).stdout);
  expect(reports).toHaveLength(5);
});

test('doctor --all keeps its columns in a pipe, where a long id or a missing folder moved the cells after it', async () => {
  const folder = home();
  const { path, bytes } = originalOf('claude');
  const claude = dirname(join(folder, path));
  const [id = ''] = UUID.exec(path) ?? [];
  // The beginning of these ids is not enough, and a path is needed for two logs with one id.
  for (const other of [`${id.slice(0, -1)}a`, `${id.slice(0, -1)}b`])
    writeFileSync(join(claude, `${other}.jsonl`), Buffer.from(bytes).toString().replaceAll(id, other));
  const copy = join(folder, '.claude/projects/-other', `${id}.jsonl`);
  mkdirSync(dirname(copy), { recursive: true });
  writeFileSync(
    copy,
    Buffer.from(bytes)
      .toString()
      .replace(/"cwd":"[^"]*",/g, ''),
  );
  const { stdout } = await runHere(['doctor', '--all', '--full'], { cwd: folder, home: folder });
  const [head = '', ...rows] = stdout.trimEnd().split('\n').slice(0, -1);
  const titles = ['DIALECT', 'ID', 'PROJECT', 'CONTINUE OR REPAIR', 'WHY'];
  const starts = titles.map((title) => head.indexOf(title));
  expect(starts).not.toContain(-1);
  expect(rows).toHaveLength(8);
  for (const row of rows)
    for (const start of starts) expect(row.slice(start - 2, start).trim(), row).toBe('');
  // As in `list`: an id, or the end of a path that is enough.
  expect(rows.filter((row) => row.slice(starts[1]).startsWith('projects/'))).toHaveLength(2);
});

test('doctor --all counts the damaged logs that list counts, also of programs with a folder per session', async () => {
  const folder = mostlyWhole(1, '');
  const { path } = originalOf('copilot');
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  const damaged = damagedOf('copilot').find(({ name }) => name === 'torn-middle');
  writeFileSync(join(folder, path), damaged?.bytes ?? '');
  const world = { cwd: folder, home: folder };
  expect((await runHere(['list'], world)).stderr).toContain('2 logs are damaged (!): noesis doctor --all');
  expect((await runHere(['doctor', '--all'], world)).stdout).toMatch(
    /^3 sessions: .*; 2 logs are damaged, 1 of which resumes all the same/m,
  );
});
