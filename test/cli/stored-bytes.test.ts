import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { COMMAND, noesis, start } from '../support/cli.ts';
import { tempFile } from '../support/temp.ts';

/** These logs have too few records to detect their dialect. */
const NOESIS = ['--dialect', 'noesis'];

/** Lines that no parser and printer gives back as they were. */
const odd = [
  '{"n":1.0,"m":0.0,"e":1e-07,"big":12345678901234567890123,"phase":"act"}',
  '  { "z" : 1 , "a" : 2 , "a" : 3 }  ',
  '{"s":"\\u00e9 \\/ raw é → 😀 \u2028","lone":"\\ud800"}\r',
  '{"deep":[[[{"x":null}]]],"":""}',
];

describe('a stored line goes out byte for byte', () => {
  const stored = `${odd.join('\n')}\n`;

  test.each<[string, string, string]>([
    ['with all its oddities', stored, stored],
    ['with a newline where the last has none', odd.join('\n'), stored],
    ['without the blank lines between', `\n${odd.join('\n\n  \n\r\n')}\n\n`, stored],
    ['of an empty log, which is nothing', '', ''],
    ['of a blank log, which is nothing', '\n\n', ''],
  ])('%s', async (_, log, expected) => {
    const { code, bytes, stderr } = await noesis(['events', tempFile(log), '-j', ...NOESIS]);
    expect([code, stderr]).toEqual([0, '']);
    expect(bytes.equals(Buffer.from(expected))).toBe(true);
  });

  test('from standard input and with tail as well', async () => {
    const fromInput = await noesis(['events', '-', '-j'], { input: stored });
    expect(fromInput.stdout).toBe(stored);
    const streamed = await noesis(['events', '-', '-j', '--partial'], { input: stored });
    expect(streamed.stdout).toBe(stored);
    const tailed = await noesis(['tail', tempFile(stored), '-j', '-n', '2']);
    expect(tailed.stdout).toBe(`${odd.slice(-2).join('\n')}\n`);
  });

  test('also if it is read as a table', async () => {
    const { code, stderr } = await noesis(['events', tempFile(stored), '--utc', ...NOESIS]);
    expect([code, stderr]).toEqual([0, '']);
  });
});

describe('output larger than the pipe', () => {
  const line = `{"phase":"act","id":"x","payload":{"s":"${'y'.repeat(500)}"}}`;
  const large = `${line}\n`.repeat(3000);

  test('arrives complete, even at a reader that begins late', async () => {
    const running = start(['events', tempFile(large), '-j']);
    running.child.stdout?.pause();
    setTimeout(() => running.child.stdout?.resume(), 300);
    const { code, bytes, stderr } = await running.finished();
    expect([code, stderr, bytes.length]).toEqual([0, '', large.length]);
  });

  test('arrives complete as a table and as a report', async () => {
    const table = await noesis(['events', tempFile(large), '--utc', ...NOESIS]);
    expect(table.stdout.split('\n').length).toBe(3000 + 2);
    const report = await noesis([
      'verify',
      tempFile(`{}\n`.repeat(5000)),
      '-j',
      '--max-findings',
      '0',
      ...NOESIS,
    ]);
    expect(report.stdout.length).toBeGreaterThan(512 * 1024);
    expect(JSON.parse(report.stdout)).toMatchObject({ verdict: 'fail' });
  });

  test.each([
    ['events', '-j'],
    ['events', '--utc'],
    ['tail', '-n100000'],
    ['verify', '-j'],
  ])('ends quietly with 0 when the reader of %s %s has had enough', async (command, option) => {
    const path = tempFile(command === 'verify' ? '{"id":1}\n'.repeat(5000) : large);
    const script = '"$@" | head -n 1 | wc -l; echo $PIPESTATUS';
    const shell = spawn('bash', ['-c', script, 'bash', ...COMMAND, command, path, option]);
    let out = '';
    let err = '';
    shell.stdout.on('data', (chunk: Buffer) => (out += chunk));
    shell.stderr.on('data', (chunk: Buffer) => (err += chunk));
    await once(shell, 'close');
    expect([out.split('\n').map((text) => text.trim()), err]).toEqual([['1', '0', ''], '']);
  });
});

test('two runs give the same bytes', async () => {
  const path = tempFile(`${odd.join('\n')}\nnot json\n`);
  for (const args of [
    ['verify', path, '-j'],
    ['verify', path, '-f', 'sarif'],
    ['verify', path, '-f', 'junit'],
    ['verify', path],
  ]) {
    const [first, second] = await Promise.all([noesis(args), noesis(args)]);
    expect(second).toEqual(first);
    expect(first?.stdout).not.toBe('');
  }
});

test('white space that JSON does not know is not printed with a record', async () => {
  const record = '{"id":"e1","phase":"start","payload":{}}';
  const log = tempFile(`\u2028${record}\u0085\n${record.replace('e1', 'e2')} \r\n`);
  const stored = `${record}\n${record.replace('e1', 'e2')} \r\n`;
  for (const args of [
    ['events', log, '-j'],
    ['tail', log, '-j'],
  ])
    expect((await noesis(args)).stdout, args.join(' ')).toBe(stored);
  const input = `${record}\u2028\n`;
  expect((await noesis(['events', '-', '--partial', '-j'], { input })).stdout).toBe(`${record}\n`);
  const { stdout } = await noesis(['events', log, '--chain', 'e1', '-j']);
  expect(stdout).toBe(`${record}\n`);
});
