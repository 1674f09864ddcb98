import { describe, expect, test } from 'vitest';
import { pagerOf } from '../../src/cli/terminal/pager.ts';
import { EXAMPLES, LAUNCH } from '../support/cli.ts';
import { tempFile } from '../support/temp.ts';
import { hasTerminal, inTerminal } from '../support/terminal.ts';

describe('the pager', () => {
  const version = (number: number | undefined) => () => number;

  test('is the requested one, otherwise less with the options of git', () => {
    expect(pagerOf({ NOESIS_PAGER: 'most', PAGER: 'more' }, version(600), true)?.command).toBe('most');
    expect(pagerOf({ PAGER: 'more -e' }, version(600), true)?.command).toBe('more -e');
    expect(pagerOf({}, version(590), true)).toMatchObject({ command: 'less', env: { LESS: 'FRX' } });
    expect(pagerOf({ LESS: 'S' }, version(590), false)?.env).toMatchObject({ LESS: 'S' });
    for (const none of ['', 'cat']) {
      expect(pagerOf({ NOESIS_PAGER: none, PAGER: 'less' }, version(600), true)).toBeUndefined();
      expect(pagerOf({ PAGER: none }, version(600), true)).toBeUndefined();
    }
    expect(pagerOf({}, version(undefined), true)).toBeUndefined();
  });

  test('keeps the header of a table visible if less can', () => {
    expect(pagerOf({}, version(643), true)?.command).toBe('less --header=1');
    expect(pagerOf({}, version(643), false)?.command).toBe('less');
    expect(pagerOf({}, version(551), true)?.command).toBe('less');
  });
});

/** Marks the output that passes through the pager. */
const MARKED = "sed 's/^/| /'";

/**
 * A pager that takes Ctrl-C as a key and goes on until a line is typed. It is no script of the shell: a shell that gets the
 * signal just before it waits for a line handles it only after that line.
 */
const CATCHES = `
import { createReadStream } from 'node:fs';
process.on('SIGINT', () => console.log('caught'));
process.stdin.resume().on('end', () => {
  console.log('ready');
  createReadStream('/dev/tty').once('data', () => {
    console.log('left');
    process.exit();
  });
});
`;

describe.skipIf(!hasTerminal)('in a terminal (where script is installed)', () => {
  const run = (args: string, options: { env?: Record<string, string>; rows?: number } = {}) =>
    inTerminal(`${LAUNCH} ${args}`, { rows: 10, columns: 100, cwd: EXAMPLES, ...options });

  test('gets output longer than the screen, in colour, and the exit code stays', async () => {
    // On a slow machine progress is shown meanwhile, next to the pager.
    const paged = await run('verify damaged 2>/dev/null', { env: { NOESIS_PAGER: MARKED } });
    expect(paged.code).toBe(1);
    expect(paged.text).toMatch(/^\| fail/m);
    expect(paged.raw).toContain('\u001b[31m');
    expect(paged.text.split('\n').filter((line) => !line.startsWith('| ') && line !== '')).toEqual([]);
    const help = await run('--help', { env: { PAGER: MARKED } });
    expect([help.code, help.text]).toEqual([0, expect.stringMatching(/^\| Inspect and verify/)]);
  });

  test('does not get output that fits', async () => {
    const { code, text } = await run('list', { env: { NOESIS_PAGER: MARKED } });
    expect([code, text]).toEqual([0, expect.stringMatching(/^ID /)]);
  });

  test('--no-pager, cat, a followed log and a pipe use no pager', async () => {
    const env = { NOESIS_PAGER: MARKED };
    const lines = [
      'events latest --no-pager',
      'tail latest',
      '--color never tail latest',
      'events latest | cat',
    ];
    for (const line of lines) expect((await run(line, { env })).text).not.toMatch(/^\| /m);
    expect((await run('events latest', { env: { NOESIS_PAGER: 'cat' } })).text).toMatch(/^LINE/);
  });

  test('may be left early, and a missing one is reported', async () => {
    const left = await run('events latest', { env: { NOESIS_PAGER: 'head -n 1' } });
    expect([left.code, left.text]).toEqual([0, expect.stringMatching(/^LINE.*\n$/)]);
    const missing = await run('events latest', { env: { NOESIS_PAGER: 'no-such-pager' } });
    expect(missing.code).toBe(2);
    expect(missing.text).toContain('cannot run the pager "no-such-pager"');
  });

  test('Ctrl-C is the pager’s', async () => {
    const env = { NOESIS_PAGER: `'${process.execPath}' '${tempFile(CATCHES, 'pager.mjs')}'` };
    const { code, text } = await inTerminal(`exec ${LAUNCH} events latest`, {
      rows: 10,
      columns: 100,
      cwd: EXAMPLES,
      env,
      keys: [
        ['ready', '\u0003'],
        ['caught', '\n'],
      ],
    });
    expect(text).toMatch(/caught[\s\S]*left/);
    expect(code).toBe(0);
  });
});
