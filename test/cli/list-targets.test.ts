import { cpSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { LINE_DIALECTS } from '../dialects/sessions.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { runHere, type World } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir, writeTree } from '../support/temp.ts';

const SAMPLES = fileURLToPath(new URL('../samples/', import.meta.url));

const SAMPLE_OF: Readonly<Record<string, string>> = {
  'claude-code': 'claude-code/projects/-home-usr-w-128-kill2/122dc2f1-4ba8-48b1-9969-ca57dfee01ee.jsonl',
  codex: 'codex/damaged/ordinals.jsonl',
  copilot: 'copilot/damaged/lost-and-twice.jsonl',
  coordinator: 'coordinator/nested-two-sessions.jsonl',
  exarchos: 'exarchos/side-demo.after-merge.events.jsonl',
  gemini: 'gemini/resumed-0.61.0.jsonl',
  pi: 'pi/v3-fork-0.87.1.jsonl',
  qwen: 'qwen/resumed-0.24.4.jsonl',
};

const TWO_RUNS = ['r1', 'r2']
  .map((run) => `{"id":"${run}","run_id":"${run}","turn":0,"kind":"run.started","payload":{}}\n`)
  .join('');

/** Logs of all dialects below a folder. */
function logsOfAll(folder: string): void {
  for (const [dialect, path] of Object.entries(SAMPLE_OF))
    cpSync(join(SAMPLES, path), join(folder, dialect, basename(path)));
  writeTree({ 'fishbowl/ledger.jsonl': TWO_RUNS, 'packed/other.jsonl.gz': gzipSync(TWO_RUNS) }, folder);
  episodeIn(join(folder, 'noesis'), GOOD);
}

/** Commands that take a target, with options that keep their output short. */
const COMMANDS = [
  ['verify'],
  ['show'],
  ['events', '--limit', '1'],
  ['timeline'],
  ['tail', '-n', '1'],
  ['stats'],
  ['project'],
  ['state'],
  ['checkpoint'],
  ['list'],
  ['read'],
  ['export', '--format', 'otlp'],
  ['sql', 'select count(*) as n from events'],
  ['diff', 'SAME'],
  ['view', '-o', '-'],
  ['salvage', '--dry-run'],
  ['append', '--event', '{}', '--expect-sequence', '999'],
  ['redact', '-o', 'COPY'],
];

/** Commands that look up a target in different ways: a log, many, a state, one to write to. */
const WITH_SHORT: ReadonlySet<string> = new Set(['verify', 'show', 'list', 'state', 'append']);

async function listed(args: readonly string[], world: World): Promise<string[]> {
  const { code, stdout } = await runHere(['list', '-q', ...args], world);
  expect(code).toBe(0);
  return stdout.trimEnd().split('\n');
}

interface Row {
  readonly path: string;
  readonly id: string;
}

async function rowsOf(args: readonly string[], world: World): Promise<Row[]> {
  return JSON.parse((await runHere(['list', '-j', ...args], world)).stdout) as Row[];
}

/** Output without the names of folders that were made. */
const withoutFolder = (text: string): string =>
  text.replaceAll(/"output": "[^"]*"/g, '').replaceAll(/noesis-\w{6}\//g, '');

/** Checks that each command gives the same answer for the name in `list -q`, a short id, and the path in `list -j`. */
async function expectSame(lists: readonly string[], world: World, options: readonly string[] = []) {
  const names = await listed([...lists, ...options], world);
  const rows = await rowsOf([...lists, ...options], world);
  expect(names).toHaveLength(rows.length);
  const { stdout: table } = await runHere(['list', ...lists, ...options], world);
  const all = rows.flatMap(({ path, id }, index) => {
    // The table has what every command takes, in the order of the list.
    expect(table.split('\n')[index + 1]).toMatch(
      new RegExp(`^${id.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')} `),
    );
    const name = names[index] ?? '';
    const short = COMMANDS.filter(([command = '']) => name !== id && WITH_SHORT.has(command));
    return [
      { name, path, commands: COMMANDS },
      { name: id, path, commands: short },
    ];
  });
  for (const { name, path, commands } of all)
    for (const [command = '', ...args] of sampled(commands, 1)) {
      const rest = [...args, ...options, '-j'];
      const given = (target: string) => {
        const words = rest.map((word) =>
          word === 'SAME' ? target : word === 'COPY' ? join(tempDir(), 'copy') : word,
        );
        return command === 'sql'
          ? [command, words[0] ?? '', target, ...words.slice(1)]
          : [command, target, ...words];
      };
      const byName = await runHere(given(name), world);
      const byPath = await runHere(given(path), world);
      const where = `${command} ${name}`;
      const [named, found] = [byName, byPath].map(({ code, stdout }) => [where, code, withoutFolder(stdout)]);
      expect(named).toEqual(found);
      expect(byName.stderr, where).not.toMatch(/"(?:target-missing|root-missing|target-ambiguous)"/);
    }
  return names;
}

test('what list prints for a folder names the same episode in every command and dialect', async () => {
  const cwd = tempDir();
  logsOfAll(join(cwd, 'runs'));
  const names = await expectSame(['runs'], { cwd });
  // Besides the samples: two runs of a ledger, the same in a packed log, and an episode.
  expect(names).toHaveLength(Object.keys(SAMPLE_OF).length + 5);
  const input = Buffer.from(`${names.join('\n')}\n`);
  const { stdout } = await runHere(['verify', '--targets', '-', '-j'], { cwd, input });
  expect((JSON.parse(stdout) as { summary: { episodes: number } }).summary.episodes).toBe(names.length);
}, 240_000);

test('what list prints for a root does so too, in the same folder and with --root', async () => {
  const cwd = tempDir();
  logsOfAll(join(cwd, '.noesis', 'episodes'));
  await expectSame([], { cwd });
  await expectSame([], { cwd: tempDir() }, ['--root', cwd]);
}, 240_000);

test('an id is printed if it finds that episode, otherwise a path', async () => {
  const cwd = tempDir();
  const { id, dir } = episodeIn(join(cwd, '.noesis/episodes'), GOOD);
  expect(await listed([], { cwd })).toEqual([id]);
  expect(await listed(['latest'], { cwd })).toEqual([id]);
  cpSync(dir, join(cwd, 'copies', id), { recursive: true });
  expect(await listed(['copies'], { cwd })).toEqual([join('copies', id)]);
  // A path wins over an id.
  cpSync(dir, join(cwd, id), { recursive: true });
  expect(await listed([], { cwd })).toEqual([join('.noesis/episodes', id)]);
  cpSync(dir, join(cwd, 'apart', 'latest'), { recursive: true });
  expect(await listed(['.'], { cwd: join(cwd, 'apart') })).toEqual(['./latest']);
});

test('a stream is found by its id or the beginning of it, in the folder and with --root', async () => {
  const log = readFileSync(join(SAMPLES, SAMPLE_OF['exarchos'] ?? ''));
  const cwd = writeTree({ 'demo-cancel.events.jsonl': log, 'demo-merge.events.jsonl': log });
  const path = await runHere(['show', join(cwd, 'demo-cancel.events.jsonl'), '-j'], { cwd });
  for (const [where, root] of [
    [cwd, []],
    [tempDir(), ['--root', cwd]],
  ] as const)
    for (const name of ['demo-cancel', 'demo-c', join(cwd, 'demo-cancel.events.jsonl')]) {
      const found = await runHere(['show', name, '-j', ...root], { cwd: where });
      expect([name, found.code, found.stdout]).toEqual([name, path.code, path.stdout]);
    }
  const several = await runHere(['show', 'demo'], { cwd });
  expect([several.code, several.stderr]).toEqual([
    2,
    expect.stringMatching(/\ndemo-cancel .*\ndemo-merge |\ndemo-merge .*\ndemo-cancel /),
  ]);
});

/** How commands that read one run accept it: by `--stream`, or by a path instead of TARGET. */
const WITH_STREAM = [
  ['show', 'TARGET'],
  ['show', 'TARGET', '1'],
  ['read', 'TARGET'],
  ['timeline', 'TARGET'],
  ['project', 'TARGET'],
  ['state', 'TARGET'],
  ['view', 'TARGET', '-o', '-'],
  ['diff', 'TARGET', 'TARGET'],
  ['redact', 'TARGET', '-o', 'COPY'],
  ['salvage', 'TARGET', '--dry-run'],
  ['events', 'TARGET'],
  ['tail', 'TARGET'],
  ['export', 'TARGET', '--format', 'otlp'],
  ['sql', 'select count(*) as n from events', 'TARGET'],
  ['stats', 'TARGET'],
  ['verify', 'TARGET'],
  ['search', 'plan', 'TARGET'],
];

/** A folder of two streams, each with its state; b was written to last. */
function twoStreams(): string {
  const cwd = tempDir();
  const log = readFileSync(join(SAMPLES, 'exarchos/demo-feature.events.jsonl'), 'utf8');
  const state = readFileSync(join(SAMPLES, 'exarchos/demo-feature.state.json'), 'utf8');
  for (const [index, id] of ['aaaa', 'bbbb'].entries()) {
    const path = join(cwd, `${id}.events.jsonl`);
    writeFileSync(path, log.replaceAll('demo-feature', id));
    utimesSync(path, index + 1, index + 1);
    writeFileSync(join(cwd, `${id}.state.json`), state.replaceAll('demo-feature', id));
  }
  return cwd;
}

test.each(WITH_STREAM.map((args) => [args.join(' '), args] as const))(
  '--stream picks one of a folder: %s',
  async (_, args) => {
    const cwd = twoStreams();
    const run = (target: string | undefined, copy: string, ...rest: string[]) =>
      runHere(
        [
          ...args.flatMap((word) =>
            word === 'TARGET' ? (target ?? []) : word === 'COPY' ? join(tempDir(), copy) : word,
          ),
          ...rest,
          ...(args[0] === 'view' ? [] : ['-j']),
        ],
        { cwd },
      );
    const shown = ({ code, stdout }: { code: number; stdout: string }) => [code, withoutFolder(stdout)];
    const byPath = shown(await run('aaaa.events.jsonl', 'c'));
    expect(byPath).toEqual([0, expect.stringMatching(/./)]);
    expect(shown(await run('.', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    expect(shown(await run('aaaa.events.jsonl', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    // In the folder, the stream is enough.
    expect(shown(await run('latest', 'c', '--stream', 'aaaa'))).toEqual(byPath);
    expect((await run('.', 'c', '--stream', 'cccc')).code).not.toBe(0);
    if (!['events', 'tail', 'timeline'].includes(args[0] ?? ''))
      expect((await run('bbbb.events.jsonl', 'c', '--stream', 'aaaa')).code).not.toBe(0);
  },
);

test('--stream needs no target in the folder of the streams', async () => {
  const cwd = twoStreams();
  for (const command of ['show', 'read', 'timeline', 'project', 'state', 'stats'])
    expect([command, (await runHere([command, '--stream', 'aaaa', '-j'], { cwd })).code]).toEqual([
      command,
      0,
    ]);
  const onInput = await runHere(['show', '-', '--stream', 'aaaa'], { cwd, input: Buffer.from('{}\n') });
  expect([onInput.code, onInput.stderr]).toEqual([3, expect.stringContaining('standard input is not')]);
});

test('latest is the stream that was written to last, in a folder without a root and with --root', async () => {
  const cwd = twoStreams();
  const last = await runHere(['show', 'bbbb.events.jsonl', '-j'], { cwd });
  expect((await runHere(['show', 'latest', '-j'], { cwd })).stdout).toBe(last.stdout);
  expect((await runHere(['show', 'latest', '-j', '--root', cwd], { cwd: tempDir() })).stdout).toBe(
    last.stdout,
  );
});

const PROGRAMS = [
  ['claude-code', '.claude', 'projects'],
  ['codex', '.codex', 'sessions'],
  ['copilot', '.copilot', 'session-state'],
] as const;

/** A home with the sessions of three programs, with different times of their last write. */
async function homeOfSessions(): Promise<World> {
  const home = tempDir();
  for (const [dialect, usual, folder] of PROGRAMS)
    cpSync(join(SAMPLES, dialect, folder), join(home, usual, folder), { recursive: true });
  const world = { cwd: tempDir(), home };
  for (const [index, { path }] of (await rowsOf([], world)).entries()) {
    const at = Date.UTC(2026, 10, 1 + ((index * 7) % 23)) / 1000;
    const log = path.endsWith('.jsonl') ? path : join(path, 'events.jsonl');
    utimesSync(log, at, at);
  }
  return world;
}

test('sessions of the machine are listed by their last record, and latest is the first, whatever the times of the files', async () => {
  const world = await homeOfSessions();
  const rows = JSON.parse((await runHere(['list', '-j'], world)).stdout) as (Row & {
    episode: string;
    written_at: string;
  })[];
  const times = rows.map(({ written_at: time }) => time);
  expect(times).toEqual(times.toSorted().toReversed());
  expect(await listed([], world)).toEqual(rows.map(({ episode }) => episode));
  expect(await listed(['--limit', '1'], world)).toEqual(await listed(['latest'], world));
  for (const [dialect] of PROGRAMS) {
    const own = ['--dialect', dialect];
    expect(await listed([...own, '--limit', '1'], world)).toEqual(await listed(['latest', ...own], world));
  }
});

test('the short id of a session means it in every command', async () => {
  const world = await homeOfSessions();
  for (const { id, path } of await rowsOf([], world)) {
    expect(id.length).toBeGreaterThanOrEqual(8);
    expect(id.length).toBeLessThan(20);
    expect((await rowsOf([id], world)).map((row) => row.path)).toEqual([path]);
  }
  const [first] = await rowsOf([], world);
  for (const command of ['show', 'read', 'timeline', 'verify', 'stats', 'project', 'tail']) {
    const [byId, byPath] = [
      await runHere([command, first?.id ?? '', '-j'], world),
      await runHere([command, first?.path ?? '', '-j'], world),
    ];
    expect([command, byId.code, byId.stdout]).toEqual([command, byPath.code, byPath.stdout]);
  }
});

test('a short id is longer if another name begins with it, or a file has its name', async () => {
  const cwd = tempDir();
  const folder = join(cwd, '.noesis/episodes');
  const { id, dir } = episodeIn(folder, GOOD);
  const shortOf = async () => (await rowsOf([], { cwd })).find((row) => row.path === dir)?.id;
  expect(await shortOf()).toBe(id.slice(0, 11));
  cpSync(dir, join(folder, `${id.slice(0, 12)}${'Z'.repeat(id.length - 12)}`), { recursive: true });
  expect(await shortOf()).toBe(id.slice(0, 13));
  writeFileSync(join(cwd, id.slice(0, 13)), '');
  expect(await shortOf()).toBe(id.slice(0, 14));
  expect((await runHere(['show', id.slice(0, 14)], { cwd })).code).toBe(0);
});

test('streams in a folder without a root are listed by their ids', async () => {
  const cwd = twoStreams();
  expect((await rowsOf([], { cwd })).map(({ id }) => id)).toEqual(['bbbb', 'aaaa']);
  expect((await rowsOf(['--root', cwd], { cwd: tempDir() })).map(({ id }) => id)).toEqual(['bbbb', 'aaaa']);
});

test('without a target, commands for one run take the latest, and those for many take all sessions', async () => {
  const world = await homeOfSessions();
  const all = await listed([], world);
  for (const command of ['show', 'read', 'timeline']) {
    const { code, stdout, stderr } = await runHere([command, '-j'], world);
    expect([code, stderr]).toEqual([0, `the newest run: ${all[0]}\n`]);
    expect(stdout).toBe((await runHere([command, all[0] ?? '', '-j'], world)).stdout);
  }
  const verified = await runHere(['verify', '-j'], world);
  expect([verified.code, verified.stderr]).toEqual([0, '']);
  expect((JSON.parse(verified.stdout) as { summary: { episodes: number } }).summary.episodes).toBe(
    all.length,
  );
  const counted = await runHere(['stats', '-j'], world);
  expect([counted.code, counted.stderr]).toEqual([0, '']);
  expect((JSON.parse(counted.stdout) as { episodes: number }).episodes).toBe(all.length);
  const events = await runHere(['events', '--all', '-j', '--with-source', '-q'], world);
  const episodes = new Set(
    events.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { episode: string }).episode),
  );
  // The events of subagents have the names of their logs.
  expect([events.code, all.filter((name) => !episodes.has(name))]).toEqual([0, []]);
  const sql = await runHere(['sql', 'select count(*) as n from episodes', '-j'], world);
  expect([sql.code, JSON.parse(sql.stdout)]).toEqual([0, { n: all.length }]);
}, 240_000);

test('a named root that does not exist is an error, whatever else the machine has', async () => {
  const { home = '' } = await homeOfSessions();
  const cwd = writeTree({ 'noesis.toml': 'runs_dir = "gone"\n' });
  for (const command of ['list', 'verify', 'stats', 'show'])
    for (const world of [
      { cwd, home },
      { cwd: tempDir(), home, env: { NOESIS_RUNS_DIR: 'gone' } },
    ])
      expect([command, (await runHere([command], world)).code]).toEqual([command, 3]);
});

test.each(LINE_DIALECTS)(
  'a log of %s with the name of a stream is read as what it contains, also next to an episode',
  async (dialect) => {
    const cwd = tempDir();
    const { dir } = episodeIn(join(cwd, '.noesis/episodes'), GOOD);
    const log = join(dir, 'x.events.jsonl');
    cpSync(join(SAMPLES, SAMPLE_OF[dialect] ?? ''), log);
    const { stdout } = await runHere(['list', log, '-j'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject([{ dialect }]);
    // One event of a stream among its records does not make it a stream.
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, `{"type":"workflow.started","data":{"featureId":"x"}}\n${text}`);
    const mixed = await runHere(['list', log, '-j'], { cwd });
    expect(JSON.parse(mixed.stdout)).toMatchObject([{ dialect }]);
  },
);
