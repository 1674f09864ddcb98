import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { damagedOf, originalOf, type SampleProgram } from '../support/doctor-samples.ts';
import { type Outcome, runHere, type World } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

/** A home folder with the log of a sample, damaged in a way, and commands in it. */
function homeWith(program: SampleProgram, name?: string) {
  const home = tempDir();
  const { path, bytes } = originalOf(program);
  const damaged = name === undefined ? bytes : damagedOf(program).find((one) => one.name === name)?.bytes;
  const log = join(home, path);
  mkdirSync(dirname(log), { recursive: true });
  writeFileSync(log, damaged ?? '');
  const run = (args: readonly string[], world: World = {}): Promise<Outcome> =>
    runHere(args, { cwd: home, home, ...world });
  return { home, log, run };
}

interface Entry {
  readonly episode: string;
  readonly lacks?: { readonly lines?: number };
  readonly copy_of?: string;
  readonly repaired_as?: string;
}

const entries = async (run: (args: string[]) => Promise<Outcome>): Promise<Entry[]> =>
  JSON.parse((await run(['list', '-j'])).stdout) as Entry[];

test.each([
  ['claude', 'torn-middle', 1],
  ['pi', 'torn-middle', 1],
  ['qwen', 'torn-middle', 1],
  ['copilot', 'lost-first-line', undefined],
] as const)(
  'list marks the original of a repair and its copy, and says that the copy lacks lines: %s, %s',
  async (program, damage, lines) => {
    const { home, run } = homeWith(program, damage);
    const [before] = await entries(run);
    expect(before).not.toHaveProperty('repaired_as');
    const fix = await run(['doctor', '--fix', '--force', '--cwd', home, '-j', before?.episode ?? '']);
    const { written } = JSON.parse(fix.stdout);
    const found = await entries(run);
    const original = found.find(({ episode }) => episode === before?.episode);
    const copy = found.find(({ episode }) => episode !== before?.episode);
    expect(original).toMatchObject({ repaired_as: copy?.episode });
    expect(copy).toMatchObject({ copy_of: original?.episode });
    expect(copy?.lacks?.lines).toBe(lines);
    expect(copy?.episode).toContain(written.session);

    const { stdout, stderr } = await run(['list'], { columns: 80, env: { NO_COLOR: '1' } });
    expect(stdout).toMatch(/\n {2}repaired as \S*d0c7\w+\n/);
    expect(stdout).toMatch(/\n {2}repaired copy of \S+\n/);
    expect(stderr).not.toContain('damaged');
    expect(stdout).not.toContain(' ! ');
    const whole = await run(['list']);
    expect(whole.stdout).toContain('(repaired copy of ');
    expect(whole.stderr).toContain('2 runs, 1 repaired copy among them: ');
    const [stats, shown] = [await run(['stats']), await run(['show', copy?.episode ?? ''])];
    expect(stats.stdout).toMatch(
      /^Runs +1\b.*\nLeft out +1 repaired copy$|^Runs +0\nLeft out +.*, 1 repaired copy$/m,
    );
    expect(shown.stdout).toMatch(/^Copy of +\S+\.jsonl\s+\(this\s+log\s+is\s+a\s+repaired\s+copy\)$/m);
    expect(JSON.parse((await run(['show', copy?.episode ?? '', '-j'])).stdout)).toHaveProperty('copy_of');
    expect((await run(['show', original?.episode ?? ''])).stdout).not.toContain('Copy of');
  },
);

test('an original that was continued after its repair is not marked, and its copy still names it', async () => {
  const { run, log } = homeWith('claude', 'torn-middle');
  const [before] = await entries(run);
  await run(['doctor', '--fix', '--force', before?.episode ?? '']);
  writeFileSync(log, '{"type":"summary"}\n', { flag: 'a' });
  const found = await entries(run);
  expect(found.map(({ repaired_as: copy }) => copy)).toEqual([undefined, undefined]);
  expect(found.flatMap(({ copy_of: original }) => original ?? [])).toEqual([before?.episode]);
});

test('a log that only has the name of a copy is not marked', async () => {
  const { run, log } = homeWith('claude', 'torn-middle');
  const name = join(dirname(log), 'd0c70000-0000-4000-8000-000000000001.jsonl');
  writeFileSync(name, originalOf('claude').bytes);
  writeFileSync(`${name}.doctor.json`, '{}');
  for (const entry of await entries(run)) expect(entry).not.toHaveProperty('copy_of');
});

test.each([60, 80, 120])('a list of %i columns marks the damaged log, and no other', async (columns) => {
  const { home, run } = homeWith('claude', 'torn-middle');
  const { path, bytes } = originalOf('pi');
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), bytes);
  const { stdout } = await run(['list'], { columns, env: { NO_COLOR: '1' } });
  const [damaged, whole] = ['claude-code', 'pi'].map((name) =>
    stdout.split('\n').find((line) => line.includes(` ${name} `)),
  );
  expect(damaged).toMatch(/ (?:done|open|unknown) ! +/);
  expect(whole).toMatch(/ (?:done|open) /);
  expect(whole).not.toContain('!');
  expect((await run(['explain', '!'])).stdout).toContain('damaged');
});

test('a few ids that are a little longer are in their rows', async () => {
  const { home, run } = homeWith('pi');
  const { path, bytes } = originalOf('pi');
  const copy = (id: string) =>
    writeFileSync(
      join(home, dirname(path), `2026-11-26T12-00-00-000Z_${id}.jsonl`),
      bytes.toString().replace(/"id":"[0-9a-f-]{36}"/, `"id":"${id}"`),
    );
  for (const part of ['ab01', 'bb01']) copy(`01a207bb-${part}-76b1-9106-9bd9e76003b1`);
  for (const n of [1, 2, 3, 4, 5, 6, 7, 8, 9]) copy(`0${n}f207bb-b801-76b1-9106-9bd9e76003b1`);
  const { stdout } = await run(['list'], { columns: 80, env: { NO_COLOR: '1' } });
  expect(stdout.match(/^01a207bb-[ab] .* T/gm)).toHaveLength(2);
});

test('list says that a damaged log is not repaired if another one is', async () => {
  const { home, run } = homeWith('claude', 'torn-middle');
  const [claude] = await entries(run);
  await run(['doctor', '--fix', '--force', claude?.episode ?? '']);
  const { path, bytes } = originalOf('pi');
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), damagedOf('pi').find(({ name }) => name === 'torn-middle')?.bytes ?? bytes);
  expect((await run(['list'])).stderr).toContain('\n1 log is damaged and not repaired (!): ');
});

test('list names the command for damaged sessions, and none if nothing is damaged', async () => {
  const one = homeWith('claude', 'torn-middle');
  expect((await one.run(['list'], { columns: 80 })).stderr).toContain(
    '\n1 log is damaged (!): noesis doctor aaaaaaaa\n',
  );
  const { path, bytes } = originalOf('pi');
  const other = join(one.home, path);
  mkdirSync(dirname(other), { recursive: true });
  writeFileSync(other, bytes);
  expect((await one.run(['list'])).stderr).toContain('\n1 log is damaged (!): ');
  writeFileSync(other, damagedOf('pi').find(({ name }) => name === 'torn-middle')?.bytes ?? '');
  expect((await one.run(['list'])).stderr).toContain('\n2 logs are damaged (!): noesis doctor --all\n');
  expect((await one.run(['list', '.claude', '.pi'])).stderr).toContain(
    '\n2 logs are damaged (!): noesis doctor .claude .pi\n',
  );
  expect((await homeWith('claude').run(['list'])).stderr).not.toContain('damaged');
});

test('list --failed counts the runs of which nobody knows how they ended', async () => {
  const { home, run, log } = homeWith('claude');
  expect((await run(['list', '--failed'])).stderr).not.toContain('may have failed');
  const [first = '', second = '', third = ''] = originalOf('claude').bytes.toString().split('\n');
  writeFileSync(log, `${[first, second, third].join('\n')}\n`);
  const { stderr } = await run(['list', '--failed'], { columns: 80 });
  expect(stderr).toContain('1 other run may have failed; its log does not say (--status open)\n');
  expect((await run(['list'])).stderr).not.toContain('may have failed');
  expect((await run(['list', '--failed', '--project', 'elsewhere'], { cwd: home })).stderr).not.toContain(
    'may have failed',
  );
});
