import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { makeTar } from '../support/archives.ts';
import { noesis, start } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const good = ['{"id":"1","phase":"start","payload":{}}', '{"id":"2","phase":"act","payload":{}}'];
const bad = '{"id":"é","phase":True}';
const log = `${good[0]}\n\n${bad}\n${good[1]}\n`;

/** The place of `True`, in each of the units. */
const place = { line: 3, column: 19, byte_start: 60, byte_end: 64 };

/** A message without the ends of lines in a terminal. */
const flat = (text: string) => text.replace(/\s+/g, ' ');

const errorOf = (stderr: string) => {
  expect(stderr.trimEnd()).not.toContain('\n');
  return (JSON.parse(stderr) as { error: Record<string, unknown> }).error;
};

describe('a log with a corrupt line', () => {
  const path = tempFile(log);

  test.each([
    ['events', []],
    ['events', ['--last', '1']],
    ['events', ['--limit', '1']],
    ['events', ['--chain', '1']],
    ['events', ['--chain', 'nowhere']],
    ['insight', []],
    ['tail', []],
    ['project', []],
    ['project', ['--at', '1']],
  ])('makes %s %j print nothing and exit with 1', async (command, options) => {
    const json = await noesis([command, path, '-j', ...options]);
    expect([json.code, json.stdout]).toEqual([1, '']);
    expect(errorOf(json.stderr)).toMatchObject({ code: 'log-corrupt', file: path, ...place });
    const text = await noesis([command, path, ...options]);
    expect([text.code, text.stdout]).toEqual([1, '']);
    expect(text.stderr).toContain('line 3 of events.jsonl is damaged');
    expect(text.stderr).toContain(`${path}:3:19 (byte 60)`);
    expect(text.stderr).toContain('--partial');
  });

  test('is printed as far as it is intact with --partial, and the rest is named', async () => {
    const { code, stdout, stderr } = await noesis(['events', path, '-j', '--partial']);
    expect([code, stdout]).toEqual([1, `${good.join('\n')}\n`]);
    expect(errorOf(stderr)).toMatchObject({ code: 'log-corrupt', file: path, line: 3 });
    const filtered = await noesis(['events', path, '-j', '--partial', '-p', 'act']);
    expect([filtered.code, filtered.stdout]).toEqual([1, `${good[1]}\n`]);
    const table = await noesis(['events', path, '--partial', '--utc']);
    expect([table.code, table.stdout.trimEnd().split('\n').length]).toEqual([1, 3]);
    expect(table.stderr).toMatch(/^(.*): skipped damaged line 3: .*\n {2}see noesis verify \1\n$/);
    const chain = await noesis(['events', path, '-j', '--partial', '--chain', '2']);
    expect([chain.code, chain.stdout]).toEqual([1, `${good[1]}\n`]);
  });

  test('points at the place in a frame', async () => {
    const cwd = writeTree({ 'events.jsonl': log });
    const { stderr } = await noesis(['events', 'events.jsonl'], { cwd });
    expect(stderr).toMatchInlineSnapshot(`
      "error: line 3 of events.jsonl is damaged: not JSON: found \`True\`; JSON writes
             \`true\`
        --> events.jsonl:3:19 (byte 60)
         {"id":"é","phase":True}
                           ^^^^
      help: add --partial to skip damaged lines; see all errors with
        noesis verify events.jsonl
      "
    `);
  });

  test('is verified with all its findings and exit code 1', async () => {
    const { code, stdout } = await noesis(['verify', tempFile(`${log}x\n`), '-j']);
    expect(code).toBe(1);
    const [{ findings = [] } = {}] = (JSON.parse(stdout) as { episodes: { findings: object[] }[] }).episodes;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'log/invalid-json', ...place }));
    expect(findings).toContainEqual(expect.objectContaining({ code: 'log/invalid-json', line: 5 }));
  });
});

describe('a corrupt log among others', () => {
  const folder = writeTree({
    'good.jsonl': `${good.join('\n')}\n`,
    'bad.jsonl': log,
    'torn.jsonl': log.slice(0, -3),
  });

  test.each([
    // The table of stats says how many are left out.
    [['stats', '.'], ''],
    [['events', '.', '--limit', '1'], '2 damaged logs left out; add --partial to read the intact records'],
    [
      ['export', '.', '--format', 'csv', '-o', 'tables', '--force'],
      'the events of 2 damaged logs are left out',
    ],
    [['export', '.', '--format', 'chrome', '-o', 'trace.json'], ''],
  ])('takes one line of the remarks of %j', async (args, end) => {
    const { code, stderr } = await noesis(args, { cwd: folder });
    expect(code).toBe(1);
    const errors = stderr.split('\n').filter((line) => /^(?:error|help|\s)/.test(line));
    expect(errors).toEqual([
      expect.stringMatching(/^error: bad\.jsonl:3 is damaged: not JSON: found `True`/),
      expect.stringMatching(/^error: torn\.jsonl:3 is damaged: not JSON: found `True`/),
    ]);
    expect(stderr).toContain(end);
  });
});

describe('many damaged logs', () => {
  const folder = writeTree(Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`bad-${n}.jsonl`, log])));

  test.each([[['stats', '.']], [['events', '.']], [['export', '.', '--format', 'csv', '-o', 'out']]])(
    'are named by %j up to the third, and counted; -j names each',
    async (args) => {
      const { stderr } = await noesis(args, { cwd: folder });
      expect(stderr.match(/^error: bad-\d\.jsonl:3 is damaged/gm)).toHaveLength(3);
      expect(stderr).toContain('\nand 2 more damaged logs; noesis verify names all\n');
      const json = await noesis([...args, '-j', ...(args[0] === 'export' ? ['--force'] : [])], {
        cwd: folder,
      });
      expect(json.stderr.match(/"code":"log-corrupt"/g)).toHaveLength(5);
    },
  );
});

describe('damaged logs are reported below what is printed of all logs', () => {
  const folder = writeTree({ 'a.jsonl': log, 'b.jsonl': log, 'good.jsonl': `${good.join('\n')}\n` });

  test.each([
    [['stats', '.'], 'is damaged'],
    [['stats', '.', '--partial'], 'skipped damaged line'],
    [['events', '.'], 'is damaged'],
    [['events', '.', '--partial'], 'skipped damaged line'],
    [['search', '-e', 'act|start', '.'], 'skipped damaged line'],
  ])('by %j', async (args, said) => {
    const { stdout } = await runHere(args, { cwd: folder, joined: true });
    const { stdout: printed } = await runHere(args, { cwd: folder });
    expect(printed.split('\n').length).toBeGreaterThan(3);
    expect(stdout.startsWith(printed)).toBe(true);
    expect(stdout.slice(printed.length).match(/[ab]\.jsonl(?::| is)/g)).toHaveLength(2);
    expect(stdout.split(said)).toHaveLength(3);
  });
});

describe('standard input', () => {
  test('is printed only once its end has been checked', async () => {
    const { code, stdout, stderr } = await noesis(['events', '-', '-j'], { input: log });
    expect([code, stdout]).toEqual([1, '']);
    expect(errorOf(stderr)).toMatchObject({ code: 'log-corrupt', file: '-', ...place });
  });

  test('torn at its end is corrupt', async () => {
    const { code, stdout, stderr } = await noesis(['events', '-', '-j'], { input: `${good[0]}\n{"id` });
    expect([code, stdout]).toEqual([1, '']);
    expect(errorOf(stderr)).toMatchObject({ line: 2 });
  });

  test.each([[['--partial']], [['--partial', '--last', '5']], [['--partial', '-p', 'start']]])(
    'is printed as far as it is intact by %j',
    async (options) => {
      const { code, stdout, stderr } = await noesis(['events', '-', '-j', ...options], { input: log });
      const isAll = !options.includes('start');
      expect([code, stdout]).toEqual([1, isAll ? `${good.join('\n')}\n` : `${good[0]}\n`]);
      expect(errorOf(stderr)).toMatchObject({ code: 'log-corrupt', file: '-', line: 3 });
    },
  );

  test('streams with --partial: a line is printed before the input has ended', async () => {
    const running = start(['events', '-', '-j', '--partial'], { keepInput: true });
    running.child.stdin?.write(`${good[0]}\n`);
    await running.sees(`${good[0]}\n`);
    running.child.stdin?.end(`${good[1]}\n`);
    expect(await running.finished()).toMatchObject({ code: 0, stdout: `${good.join('\n')}\n`, stderr: '' });
  });

  test('streams chosen fields, and no more than --limit', async () => {
    const args = ['events', '-', '-j', '--partial', '--fields', 'id', '--limit', '1'];
    expect(await noesis(args, { input: `${good.join('\n')}\n` })).toMatchObject({
      code: 0,
      stdout: '{"id":"1"}\n',
    });
  });

  test('is verified and projected as well', async () => {
    const verified = await noesis(['verify', '-', '-j'], { input: log });
    expect(verified.code).toBe(1);
    expect(verified.stdout).toContain('log/invalid-json');
    const projected = await noesis(['project', '-', '-j'], { input: `${good.join('\n')}\n` });
    expect([projected.code, projected.stderr]).toEqual([0, '']);
  });

  test.each([
    ['state', '-'],
    ['list', '-'],
    ['project', '-', '--diff'],
    ['tail', '-', '-f'],
  ])('is not a target of %s %s %s', async (...args) => {
    const { code, stdout, stderr } = await noesis([...args, '-j'], { input: log });
    expect([code, stdout]).toEqual([2, '']);
    expect(errorOf(stderr)).toMatchObject({ code: 'usage', hint: expect.any(String) as unknown });
  });

  test('leaves no copy behind', async () => {
    const TMPDIR = tempDir();
    await noesis(['events', '-', '-j'], { input: log, env: { TMPDIR } });
    await noesis(['verify', '-', '-j'], { input: log, env: { TMPDIR } });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });
});

describe('an archive with an entry that is refused', () => {
  const cwd = tempDir();
  const entries = (extra: Parameters<typeof makeTar>[0][number][]) =>
    makeTar([{ name: 'ep_1/events.jsonl', content: Buffer.from(`${good.join('\n')}\n`) }, ...extra]);

  test.each([
    ['events'],
    ['show'],
    ['read'],
    ['timeline'],
    ['stats'],
    ['project'],
    ['project', '--diff'],
    ['state'],
    ['list'],
    ['tail'],
    ['diff', 'whole.tar'],
    ['view', '-o', 'page.html'],
    ['redact', '-o', 'copy'],
    ['insight'],
  ])('makes %s %s print nothing and exit with 1', async (command, ...options) => {
    writeFileSync(join(cwd, 'whole.tar'), await entries([]));
    const extra = { name: 'ep_1/link', type: 'symlink', linkname: '/etc' } as const;
    writeFileSync(join(cwd, 'bad.tar'), await entries([extra]));
    const before = readdirSync(cwd);
    const { code, stdout, stderr } = await noesis([command, 'bad.tar', ...options], { cwd });
    expect([code, stdout]).toEqual([1, '']);
    expect(flat(stderr)).toContain('bad.tar: an entry is a link');
    expect(flat(stderr)).toContain('it was not read, because a part of a run may be missing');
    expect(flat(stderr)).toContain('help: unpack the archive and read the copy; ');
    expect(stderr).toMatch(/; see\s+the\s+details\s+with\n {2}noesis verify bad\.tar\n$/);
    expect(readdirSync(cwd)).toEqual(before);
  });

  test('does not prevent reading another episode in it', async () => {
    const extra = { name: 'ep_2/link', type: 'symlink', linkname: '/etc' } as const;
    writeFileSync(join(cwd, 'two.tar'), await entries([extra]));
    expect((await noesis(['events', 'two.tar/ep_1', '-j'], { cwd })).code).toBe(0);
  });
});

test('a comparison prints the given paths, not those of private copies', async () => {
  const cwd = tempDir();
  const text = `${good.join('\n')}\n`;
  writeFileSync(join(cwd, 'a.events.jsonl.gz'), gzipSync(text));
  writeFileSync(
    join(cwd, 'b.tar'),
    await makeTar([{ name: 'ep_1/events.jsonl', content: Buffer.from(text) }]),
  );
  const { stdout } = await noesis(['diff', 'a.events.jsonl.gz', 'b.tar', '-j'], { cwd });
  expect(JSON.parse(stdout)).toMatchObject({
    a: { path: join(cwd, 'a.events.jsonl.gz') },
    b: { path: join(cwd, 'b.tar/ep_1/events.jsonl') },
  });
  const input = await noesis(['diff', '-', 'b.tar', '-j'], { cwd, input: Buffer.from(text) });
  expect(JSON.parse(input.stdout)).toMatchObject({ a: { path: '-' } });
});

test.each(['events', 'show', 'project', 'timeline', 'stats', 'tail', 'verify'])(
  '%s says that a log has JSON documents over many lines',
  async (command) => {
    const path = tempFile(good.map((text) => `${JSON.stringify(JSON.parse(text), null, 2)}\n`).join(''));
    const { code, stdout, stderr } = await noesis([command, path]);
    expect(code).toBe(1);
    const said = flat(stdout + stderr);
    expect(said).toContain('2 JSON documents on several lines each, not JSON Lines');
    expect(said).toContain("jq -c '.'");
  },
);

test('a folder with nothing but archives is refused, with the command that verifies one', async () => {
  const cwd = tempDir();
  writeFileSync(
    join(cwd, 'e.tar'),
    await makeTar([{ name: 'ep_1/events.jsonl', content: Buffer.from(`${good[0]}\n`) }]),
  );
  const { code, stderr } = await noesis(['verify', '.'], { cwd });
  expect(code).toBe(3);
  expect(flat(stderr)).toContain('not read: e.tar (archives in a folder are not opened)');
  expect(flat(stderr)).toContain("noesis verify 'e.tar'");
});
