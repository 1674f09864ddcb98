import { describe, expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

/** A session of Claude Code with one command and its output. */
const session = (output: string, id = '5e550000-0000-4000-8000-0000000000aa') =>
  tempFile(
    [
      { type: 'user', message: { role: 'user', content: 'go' } },
      {
        type: 'assistant',
        message: {
          id: 'msg_1',
          role: 'assistant',
          content: [{ type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'make' } }],
        },
      },
      {
        type: 'user',
        message: {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: output }],
        },
      },
    ]
      .map((record, at) =>
        JSON.stringify({
          ...record,
          uuid: `${id.slice(0, -2)}${10 + at}`,
          parentUuid: at === 0 ? null : `${id.slice(0, -2)}${9 + at}`,
          timestamp: `2026-01-01T00:00:0${at}.000Z`,
          sessionId: id,
          cwd: '/w',
          version: '2.1.0',
        }),
      )
      .join('\n')
      .concat('\n'),
    `${id}.jsonl`,
  );

/** The rows below `output` at the place where two runs part. */
async function rowsOf(a: string, b: string): Promise<string[]> {
  const { stdout } = await runHere(['diff', session(a), session(b)]);
  const lines = stdout.split('\n');
  const at = lines.findIndex((line) => /^ {6}output/.test(line));
  expect(at, stdout).not.toBe(-1);
  const [head = '', ...rest] = lines.slice(at);
  const end = rest.findIndex((line) => !line.startsWith(' '.repeat(8)));
  return [head, ...rest.slice(0, end)].map((line) => line.slice(6));
}

const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, at) => `${name} ${at}`);
const withLine = (at: number, line: string) => numbered(200, 'line').with(at, line).join('\n');

describe('the outputs of a call in two runs', () => {
  test('of many lines are shown by the lines that differ, with two lines before and after', async () => {
    expect(await rowsOf(withLine(100, 'a\tb'), withLine(100, 'c'))).toEqual([
      'output',
      '     line 98',
      '     line 99',
      '  A  a  b',
      '  B  c',
      '     line 101',
      '     line 102',
    ]);
  });

  test('mark where equal lines are left out', async () => {
    const both = numbered(50, 'line').with(10, 'x');
    const rows = await rowsOf(both.with(40, 'y').join('\n'), numbered(50, 'line').join('\n'));
    expect(rows.filter((row) => row === '     …')).toHaveLength(1);
    expect(rows).toContain('  A  x');
    expect(rows).toContain('  B  line 40');
  });

  test('with many different lines show the first of each side, and count the others', async () => {
    const rows = await rowsOf(numbered(100, 'red').join('\n'), numbered(50, 'blue').join('\n'));
    expect(rows).toEqual([
      'output',
      ...numbered(4, 'red').map((line) => `  A  ${line}`),
      '     …',
      ...numbered(4, 'blue').map((line) => `  B  ${line}`),
      '     …',
      '     and 142 more lines: -j',
    ]);
  });

  test('count what differs in the parts that are not shown', async () => {
    const lines = numbered(400, 'line');
    const other = lines.map((line, at) => (at % 20 === 10 ? `other ${at}` : line));
    const rows = await rowsOf(lines.join('\n'), other.join('\n'));
    const shown = rows.filter((row) => /^ {2}[AB] /.test(row)).length;
    expect(rows.at(-1)).toBe(`     and ${40 - shown} more lines: -j`);
    expect(rows.length).toBeLessThan(60);
  });

  test('of one long line are shown around the first difference', async () => {
    const text = (word: string) => `${'same '.repeat(300)}${word}${' end'.repeat(300)}`;
    const rows = await rowsOf(text('red'), text('blue'));
    expect(rows.filter((row) => row.startsWith('  A  … '))).toHaveLength(1);
    expect(rows.join('\n')).toMatch(
      /A {2}… (?:\S+ )+red end[\s\S]*more characters\)\n {2}B {2}… (?:\S+ )+blue end/,
    );
    expect(rows.length).toBeLessThan(12);
  });

  test('of long lines show where a line differs', async () => {
    const lines = (word: string) => `first\n${'same '.repeat(30)}${word}`;
    const [, , a, b] = await rowsOf(lines('red'), lines('blue'));
    expect(a).toMatch(/^ {2}A {2}….* red$/);
    expect(b).toMatch(/^ {2}B {2}….* blue$/);
  });

  test('quote lines that differ only in space', async () => {
    expect(await rowsOf('a\nb c\nd', 'a\nb\tc\nd')).toEqual([
      'output',
      '     a',
      '  A  "b c"',
      '  B  "b\\tc"',
      '     d',
    ]);
  });

  test('say which of them has no line', async () => {
    expect(await rowsOf('', 'a\nb')).toEqual(['output', '  A  nothing', '  B  a', '  B  b']);
  });

  test('stay on one line if they are short', async () => {
    expect(await rowsOf('red', 'blue')).toEqual(['output: "red" | "blue"']);
  });

  test('do not show a line that differs only in a time', async () => {
    const lines = (second: number, word: string) => `at 2026-01-01T00:00:0${second}Z\n\n\n\n${word}`;
    expect((await rowsOf(lines(1, 'red'), lines(2, 'blue'))).join('\n')).not.toContain('2026');
  });

  test('are whole in JSON', async () => {
    const [a, b] = [withLine(100, 'a'), withLine(100, 'b')];
    const { stdout } = await runHere(['diff', session(a), session(b), '-j']);
    expect(JSON.parse(stdout)).toMatchObject({
      behaviour: { results: { differ: [{ fields: [{ path: 'output', a, b }] }] } },
    });
  });
});

test('differing events show the lines that differ in their texts', async () => {
  const [a, b] = [session(withLine(100, 'a')), session(withLine(100, 'b'))];
  const { stdout } = await runHere(['diff', a, b, '--limit', '50', '--only', 'user']);
  expect(stdout).toContain('\n          line 99\n        - a\n        + b\n          line 101\n');
  expect(stdout).not.toContain('line 97');
});
