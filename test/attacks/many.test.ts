import { expect, test } from 'vitest';
import { sampled, times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';
import { cost, MANY, SMALL_STACK } from './cost.ts';

// A list whose elements are spread into a call fails if it is long: a call takes a limited number of arguments.

/** A text of more than `MANY` lines of 40 columns. */
const LONG = times(6_000_000, 600_000);

/** A session in which the agent said this, and a call that failed had this output. */
function session(said: string, output = said): string {
  const time = (at: number) => new Date(Date.parse('2026-03-02T09:00:00Z') + at * 1000).toISOString();
  const message = (at: number, body: object) => ({
    type: 'message',
    id: `m${at}`,
    parentId: at === 1 ? null : `m${at - 1}`,
    timestamp: time(at),
    message: body,
  });
  const call = { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'a' } };
  const records = [
    { type: 'session', version: 3, id: 's', timestamp: time(0), cwd: '/w' },
    message(1, { role: 'user', content: 'a' }),
    message(2, { role: 'assistant', content: [{ type: 'text', text: said }, call] }),
    message(3, {
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'bash',
      content: [{ type: 'text', text: output }],
      isError: true,
    }),
  ];
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

const TEXTS: Readonly<Record<string, string>> = {
  'of one word': 'a'.repeat(LONG),
  'of lines': 'a\n'.repeat(MANY),
  'of items': '- a\n'.repeat(MANY),
  'of one item': `- ${'a'.repeat(LONG)}`,
  'of one quotation': `> ${'a'.repeat(LONG)}`,
  'of one heading': `# ${'a'.repeat(LONG)}`,
  'of a block of code': `~~~\n${'a\n'.repeat(MANY)}`,
  'of a line of code': `~~~\n${'a'.repeat(LONG)}`,
  'of inline code': '`a '.repeat(MANY),
};

const READS: readonly (readonly string[])[] = [
  ['read', '--full', '--all'],
  ['read', '--full', '-f', 'markdown'],
];

function expectRead(args: readonly string[], log: string, codes: readonly (number | null)[]): void {
  const { code, stderr } = cost([...args, log], [SMALL_STACK], { COLUMNS: '40' });
  expect(codes, `${args.join(' ')}: ${code} ${stderr.slice(0, 500)}`).toContain(code);
}

test.each(sampled(Object.entries(TEXTS), 3))('a text %s is read in full', (_, text) => {
  const log = tempFile(session(text), 'log.jsonl');
  for (const args of READS) expectRead(args, log, [0]);
});

test('many damaged lines, findings and matches are listed', () => {
  const whole = session('a');
  const torn = tempFile(`${whole}${'{"a"\n'.repeat(MANY)}${whole}`, 'torn.jsonl');
  const odd = `${whole}${'{"type":"message","message":{"role":"user","content":"a"}}\n'.repeat(MANY)}`;
  const log = tempFile(odd, 'odd.jsonl');
  expectRead(['stats', '--partial', '-j'], torn, [0, 1]);
  expectRead(['verify', '--max-findings', '0'], log, [0, 1]);
  expectRead(['search', 'a', '--limit', '0'], log, [0, 1]);
});
