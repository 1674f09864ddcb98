import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeHomeOfSessions } from '../../bench/data/home-of-sessions.ts';
import { KNOWN_FILE, type KnownPlace } from '../../src/find/known-logs.ts';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { seed, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

const SHOP = 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl';
/** The files of a test are young. */
const LATER = () => Date.now() + 60_000;

let home = '';
let place: KnownPlace;
let log = '';
beforeEach(() => {
  home = tempDir();
  const folder = join(home, 'kept');
  mkdirSync(folder, { mode: 0o700 });
  place = { folder, user: process.getuid?.() ?? 0, build: 'one', pid: process.pid };
  const project = join(home, '.claude/projects/-home-usr-shop');
  mkdirSync(project, { recursive: true });
  log = join(project, '5e550000-0000-4000-8000-00000000a001.jsonl');
  cpSync(join(SAMPLES, SHOP), log);
});

const stored = () => join(place.folder, KNOWN_FILE);
const run = (args: readonly string[], more = {}) =>
  runHere(args, { cwd: home, home, knownPlace: place, now: LATER, ...more });
/** The list, as a run without memory prints it. */
const fresh = async () => (await run(['list', '-j'], { knownPlace: undefined })).stdout;
const listed = async () => (await run(['list', '-j'])).stdout;

/** Replaces the stored memory, with a correct checksum. */
function forge(change: (text: string) => string): void {
  const whole = readFileSync(stored(), 'utf8');
  const [head = '', ...lines] = whole.split('\n');
  const text = change(lines.join('\n'));
  const [form, build] = head.split('\t');
  writeFileSync(stored(), `${[form, build, crc32(text)].join('\t')}\n${text}`);
}

const SHOWN = 'a task that no log has';
const forgeTask = () => forge((text) => text.replace(/"task":"[^"]*"/, `"task":"${SHOWN}"`));
/** Makes the memory hide every log from the commands that believe it. */
const forgeHidden = () =>
  forge((text) => text.replaceAll('"no claude-code":""', '"no claude-code":"=yes","a log":""'));

/** Sessions of every program, below the folder where it keeps them. */
const PROGRAMS = [
  ['claude-code/projects', '.claude/projects'],
  ['codex/sessions', '.codex/sessions'],
  ['copilot/session-state', '.copilot/session-state'],
  ['gemini', '.gemini/tmp/x/chats'],
  ['qwen', '.qwen/projects/x/chats'],
  ['pi', '.pi/agent/sessions/x'],
] as const;

test('a list is the same with and without memory, for sessions of every program', async () => {
  for (const [from, to] of PROGRAMS) cpSync(join(SAMPLES, from), join(home, to), { recursive: true });
  const expected = await fresh();
  expect(JSON.parse(expected).length).toBeGreaterThan(20);
  expect(await listed()).toBe(expected);
  expect(existsSync(stored())).toBe(true);
  expect(await listed()).toBe(expected);
  for (const command of [['show', 'latest', '-j'], ['search', 'error', '-j'], ['stats', '-j'], ['list']]) {
    const without = await run(command, { knownPlace: undefined });
    expect(await run(command)).toEqual(without);
    expect(await run(command)).toEqual(without);
  }
});

test('the memory is believed for an unchanged log', async () => {
  await listed();
  forgeTask();
  expect(await listed()).toContain(SHOWN);
  expect((await run(['search', 'price'])).stdout).toContain(SHOWN);
});

test('stats finds its targets with the memory, and remembers them', async () => {
  expect((await run(['stats', '-j'])).code).toBe(0);
  forgeHidden();
  expect((await run(['stats', '-j'])).code).toBe(3);
});

test('completion orders sessions with the memory, and remembers their times', async () => {
  const words = ['__complete', 'show', ''];
  const expected = await run(words, { knownPlace: undefined });
  expect(expected.stdout).toContain('5e550000-0000-4000-8000-00000000a001');
  expect(await run(words)).toEqual(expected);
  expect(readFileSync(stored(), 'utf8')).toContain('"last"');
  expect(await run(words)).toEqual(expected);
  forgeHidden();
  expect((await run(words)).stdout).not.toContain('5e550000');
});

test('a list remembers when each run was last active, so that latest need not read its log', async () => {
  for (const [from, to] of PROGRAMS) cpSync(join(SAMPLES, from), join(home, to), { recursive: true });
  await listed();
  const lines = readFileSync(stored(), 'utf8').split('\n').slice(1);
  // A log that cannot be listed has no rows.
  const facts = lines.flatMap((line) => {
    const [, , known, rows] = line.split('\t');
    return rows === '' ? [] : [known];
  });
  expect(facts.length).toBeGreaterThan(20);
  expect(facts.filter((known) => known?.includes('"last":') !== true)).toEqual([]);
});

/** Changes of the bytes of a log; `at` is a place in it, from 0 to 1. */
const MUTATIONS: readonly ((text: Buffer, at: number) => Buffer)[] = [
  (text) => text,
  () => Buffer.alloc(0),
  (text, at) => text.subarray(0, Math.floor(text.length * at)),
  (text, at) => text.subarray(Math.floor(text.length * at)),
  (text, at) => Buffer.concat([text, text.subarray(Math.floor(text.length * at))]),
  (text, at) => {
    const copy = Buffer.from(text);
    if (copy.length > 0) copy.writeUInt8(0x7d, Math.floor((copy.length - 1) * at));
    return copy;
  },
  (text) => Buffer.from(text.toString().replaceAll('"sessionId"', '"sessionid"')),
  (text) => Buffer.from(text.toString().split('\n').reverse().join('\n')),
  (text) => Buffer.from(`${JSON.stringify({ a: text.toString() }, undefined, 2)}\n`),
];

test.each<[what: string, fill: () => void]>([
  [
    'copies of real ones',
    () => {
      for (const [from, to] of PROGRAMS) cpSync(join(SAMPLES, from), join(home, to), { recursive: true });
    },
  ],
  ['generated', () => void writeHomeOfSessions(home, 40, 4000)],
])(
  'list, stats, search and show answer the same with and without memory, for changed logs: %s',
  async (_, fill) => {
    fill();
    const logs = readdirSync(home, { recursive: true, encoding: 'utf8' })
      .map((name) => join(home, name))
      .filter((path) => path.endsWith('.jsonl'));
    const changes = fc.array(
      fc.record({
        path: fc.constantFrom(...logs),
        change: fc.constantFrom(...MUTATIONS),
        at: fc.double({ min: 0, max: 1, noNaN: true }),
      }),
      { minLength: 1, maxLength: 6 },
    );
    const command = fc.constantFrom(
      ['stats', '-j'],
      ['stats', '--by', 'agent', '-j'],
      ['list', '-j'],
      ['search', 'error', '-j'],
      ['show', 'latest', '-j'],
      ['list', '--sort', 'tokens', '--since', '2026-01-01', '-j'],
      ['stats', '--since', '2026-10-01', '-j'],
    );
    await fc.assert(
      fc.asyncProperty(changes, command, async (made, args) => {
        for (const { path, change, at } of made) writeFileSync(path, change(readFileSync(path), at));
        const without = await run(args, { knownPlace: undefined });
        // The first run sees changed logs, the second one what the first remembered.
        expect(await run(args)).toEqual(without);
        expect(await run(args)).toEqual(without);
      }),
      { seed, numRuns: times(8, 2), endOnFailure: true },
    );
  },
);

describe('no change of a log is missed', () => {
  const line = (text: string) =>
    `${JSON.stringify({ type: 'user', sessionId: 's', uuid: text, message: { role: 'user', content: text } })}\n`;
  test.each<[what: string, change: () => void]>([
    ['a record is appended', () => appendFileSync(log, line('more'))],
    [
      'a byte is changed',
      () => writeFileSync(log, readFileSync(log, 'utf8').replace('"role":"user"', '"role":"User"')),
    ],
    [
      'a byte is changed, and the time of the file restored',
      () => {
        const { atime, mtime } = statSync(log);
        writeFileSync(log, readFileSync(log, 'utf8').replace('"role":"user"', '"role":"User"'));
        utimesSync(log, atime, mtime);
      },
    ],
    [
      'another file takes its name, with the same size and time',
      () => {
        const { atime, mtime } = statSync(log);
        writeFileSync(`${log}.new`, readFileSync(log, 'utf8').replace('"role":"user"', '"role":"User"'));
        utimesSync(`${log}.new`, atime, mtime);
        renameSync(`${log}.new`, log);
      },
    ],
    [
      'it is removed and written again',
      () => {
        const text = readFileSync(log, 'utf8');
        rmSync(log);
        writeFileSync(log, text);
      },
    ],
  ])('%s', async (_, change) => {
    await listed();
    forgeTask();
    change();
    expect(await listed()).not.toContain(SHOWN);
    expect(await listed()).toBe(await fresh());
  });

  test('a log that changed within two seconds is neither stored nor trusted', async () => {
    const now = Date.now;
    expect((await run(['list', '-j'], { now })).stdout).toBe(await fresh());
    expect(existsSync(stored())).toBe(false);
    await listed();
    forgeTask();
    expect((await run(['list', '-j'], { now })).stdout).not.toContain(SHOWN);
    // A clock that is behind the file's time says nothing.
    expect((await run(['list', '-j'], { now: () => now() - 1e9 })).stdout).not.toContain(SHOWN);
  });

  test('a log of a subagent belongs to what is known of its session', async () => {
    const part = join(log.replace(/\.jsonl$/, ''), 'subagents/agent-a1.jsonl');
    mkdirSync(join(part, '..'), { recursive: true });
    cpSync(log, part);
    await listed();
    forgeTask();
    appendFileSync(part, line('more'));
    expect(await listed()).not.toContain(SHOWN);
  });

  test('a removed log is forgotten', async () => {
    await listed();
    expect(readFileSync(stored(), 'utf8')).toContain(log);
    renameSync(log, log.replace('a001', 'a002'));
    await listed();
    expect(readFileSync(stored(), 'utf8')).not.toContain(log);
  });
});

describe('a memory that cannot be trusted is ignored, and written again', () => {
  test.each<[what: string, break_: () => void]>([
    [
      'one byte is flipped',
      () => writeFileSync(stored(), readFileSync(stored(), 'utf8').replace(SHOWN, SHOWN.toUpperCase())),
    ],
    ['it is cut', () => writeFileSync(stored(), readFileSync(stored()).subarray(0, 200))],
    ['it is empty', () => writeFileSync(stored(), '')],
    ['it is of another build', () => (place = { ...place, build: 'two' })],
    ['others may write to it', () => chmodSync(stored(), 0o666)],
    ['it belongs to another user', () => (place = { ...place, user: place.user + 1 })],
    [
      'it is a folder',
      () => {
        rmSync(stored());
        mkdirSync(stored());
      },
    ],
    [
      'it is a link to nothing',
      () => {
        rmSync(stored());
        symlinkSync('nowhere', stored());
      },
    ],
    [
      'it has lines of other forms',
      () => forge((text) => `x\n\t\t\t\n${log}\t1\t[]\t\n${text.replaceAll('\t', '\n')}`),
    ],
  ])('%s', async (_, damage) => {
    await listed();
    forgeTask();
    damage();
    const { code, stdout, stderr } = await run(['list', '-j']);
    expect([code, stdout]).toEqual([0, await fresh()]);
    expect(stderr).not.toMatch(/error|known/);
    expect(await listed()).toBe(await fresh());
  });

  test('a folder that cannot be written to is no error, and leaves no file', async () => {
    place = { ...place, folder: join(home, 'missing') };
    expect(await listed()).toBe(await fresh());
    place = { ...place, folder: join(home, 'kept') };
    mkdirSync(stored());
    expect(await listed()).toBe(await fresh());
    expect(readdirSync(place.folder)).toEqual([KNOWN_FILE]);
  });

  test('two lists at once leave a whole memory', async () => {
    const expected = await fresh();
    const one = run(['list', '-j']);
    const two = run(['list', '-j'], { knownPlace: { ...place, pid: place.pid + 1 } });
    for (const { stdout } of await Promise.all([one, two])) expect(stdout).toBe(expected);
    expect(readdirSync(place.folder)).toEqual([KNOWN_FILE]);
    forgeTask();
    expect(await listed()).toContain(SHOWN);
  });
});

test.skipIf(process.platform !== 'linux')(
  'a time at the end of a millisecond is the same with and without memory',
  async () => {
    // Without times in the log, that of the file counts.
    writeFileSync(log, readFileSync(log, 'utf8').replace(/"timestamp":"[^"]*"/g, '"timestamp":null'));
    // As a double, this is the next millisecond. Node cannot set a time that exactly.
    execFileSync('touch', ['-d', '@1795747600.242999896', log]);
    const expected = await fresh();
    expect(JSON.parse(expected)).toMatchObject([{ written_at: '2026-11-27T02:46:40.242Z' }]);
    expect(await listed()).toBe(expected);
  },
);

test('verify never reads it', async () => {
  appendFileSync(log, '{"torn":');
  await listed();
  forgeHidden();
  expect(await run(['list', '-j'])).toMatchObject({ code: 3, stdout: '' });
  const before = readFileSync(stored());
  const report = async (knownPlace?: KnownPlace) =>
    (await run(['verify', '-j', '.claude'], { knownPlace })).stdout;
  expect(await report(place)).toBe(await report());
  expect(JSON.parse(await report(place))).toMatchObject({ verdict: 'fail', summary: { episodes: 1 } });
  expect((await run(['verify', '-j'], { knownPlace: place })).stdout).toBe(
    (await run(['verify', '-j'], { knownPlace: undefined })).stdout,
  );
  expect(readFileSync(stored())).toEqual(before);
});

test('formats of the user are not remembered, because they change what a log is', async () => {
  await listed();
  forgeTask();
  const { stdout } = await run(['list', '-j', '--map', 'id=uuid', '.claude']);
  expect(stdout).not.toContain(SHOWN);
  writeFileSync(join(home, 'noesis.toml'), '[dialects.mine]\nid = "uuid"\ndetect = ["uuid"]\n');
  expect(await listed()).not.toContain(SHOWN);
});

test('completion offers the projects and models that a list found, and reads no log', async () => {
  const offered = async (...words: string[]) =>
    (await run(['__complete', ...words, ''])).stdout.split('\n').slice(0, -1);
  expect(await offered('list', '--project')).toEqual([]);
  await listed();
  expect(await offered('list', '--project')).toEqual(['shop']);
  expect(await offered('stats', '--model')).toEqual(['claude-sonnet-5']);
  expect(await offered('events', '--status')).toEqual(['open']);
});
