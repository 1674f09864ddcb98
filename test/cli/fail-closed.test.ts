import { readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { noesis, start } from '../support/cli.ts';
import { tempDir, tempFile, writeTree } from '../support/temp.ts';

const good = ['{"id":"1","phase":"start","payload":{}}', '{"id":"2","phase":"act","payload":{}}'];
const bad = '{"id":"é","phase":True}';
const log = `${good[0]}\n\n${bad}\n${good[1]}\n`;

/** The place of `True`, in each of the units. */
const place = { line: 3, column: 19, byteStart: 60, byteEnd: 64 };

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
  ])('gives nothing to %s %j, and exit 1', async (command, options) => {
    const json = await noesis([command, path, '-j', ...options]);
    expect([json.code, json.stdout]).toEqual([1, '']);
    expect(errorOf(json.stderr)).toMatchObject({ code: 'log-corrupt', file: path, ...place });
    const text = await noesis([command, path, ...options]);
    expect([text.code, text.stdout]).toEqual([1, '']);
    expect(text.stderr).toContain('line 3 of events.jsonl is corrupt');
    expect(text.stderr).toContain(`${path}:3:19 (byte 60)`);
    expect(text.stderr).toContain('--partial');
  });

  test('gives its good beginning to --partial, and the same error', async () => {
    const { code, stdout, stderr } = await noesis(['events', path, '-j', '--partial']);
    expect([code, stdout]).toEqual([1, `${good[0]}\n`]);
    expect(errorOf(stderr)).toMatchObject({ code: 'log-corrupt', ...place });
    const filtered = await noesis(['events', path, '-j', '--partial', '-p', 'act']);
    expect([filtered.code, filtered.stdout]).toEqual([1, '']);
    const table = await noesis(['events', path, '--partial', '--utc']);
    expect([table.code, table.stdout.trimEnd().split('\n').length]).toEqual([1, 2]);
    const chain = await noesis(['events', path, '-j', '--partial', '--chain', '1']);
    expect([chain.code, chain.stdout]).toEqual([1, `${good[0]}\n`]);
    const gone = await noesis(['events', path, '-j', '--partial', '--chain', '2']);
    expect([gone.code, gone.stdout]).toEqual([1, '']);
  });

  test('points at the place in a frame', async () => {
    const cwd = writeTree({ 'events.jsonl': log });
    const { stderr } = await noesis(['events', 'events.jsonl'], { cwd });
    expect(stderr).toMatchInlineSnapshot(`
      "error: line 3 of events.jsonl is corrupt: not JSON: \`True\` is not JSON; JSON
             writes \`true\`
        --> events.jsonl:3:19 (byte 60)
         {"id":"é","phase":True}
                           ^^^^
      help: nothing of it is shown: --partial shows what comes before, noesis verify
            all that is wrong
      "
    `);
  });

  test('is all findings to verify, on exit 1', async () => {
    const { code, stdout } = await noesis(['verify', tempFile(`${log}x\n`), '-j']);
    expect(code).toBe(1);
    const [{ findings = [] } = {}] = (JSON.parse(stdout) as { episodes: { findings: object[] }[] }).episodes;
    expect(findings).toContainEqual(expect.objectContaining({ code: 'log/invalid-json', ...place }));
    expect(findings).toContainEqual(expect.objectContaining({ code: 'log/invalid-json', line: 5 }));
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
    'gives its good beginning to %j',
    async (options) => {
      const { code, stdout, stderr } = await noesis(['events', '-', '-j', ...options], { input: log });
      expect([code, stdout]).toEqual([1, `${good[0]}\n`]);
      expect(errorOf(stderr)).toMatchObject({ file: '-', ...place });
    },
  );

  test('streams with --partial: a line comes out before the input has ended', async () => {
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
  ])('is no target for %s %s %s', async (...args) => {
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
