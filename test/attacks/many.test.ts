import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { sampled } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';

// Each is an argument where a list is spread into a call, and V8 takes fewer of them.
const MANY = 150_000;

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
  'of one word': 'a'.repeat(MANY * 40),
  'of lines': 'a\n'.repeat(MANY),
  'of items': '- a\n'.repeat(MANY),
  'of one item': `- ${'a'.repeat(MANY * 40)}`,
  'of one quotation': `> ${'a'.repeat(MANY * 40)}`,
  'of one heading': `# ${'a'.repeat(MANY * 40)}`,
  'of a block of code': `~~~\n${'a\n'.repeat(MANY)}`,
  'of a line of code': `~~~\n${'a'.repeat(MANY * 40)}`,
  'of inline code': '`a '.repeat(MANY),
};

const COMMANDS: readonly (readonly string[])[] = [
  ['read', 'log.jsonl', '--full', '--all'],
  ['read', 'log.jsonl', '--full', '-f', 'markdown'],
];

const run = (cwd: string, args: readonly string[]) =>
  runHere(args, { cwd, columns: 40, env: { NO_COLOR: '1', PAGER: 'cat' } });

test.each(sampled(Object.entries(TEXTS), 3))('a text %s is read in full', async (_, text) => {
  const cwd = tempDir();
  writeFileSync(join(cwd, 'log.jsonl'), session(text));
  for (const args of COMMANDS) {
    const { code, stderr } = await run(cwd, args);
    expect([args.join(' '), code], stderr.slice(0, 500)).toEqual([args.join(' '), 0]);
  }
});

test('many damaged lines, findings and matches are listed', async () => {
  const cwd = tempDir();
  const whole = session('a');
  writeFileSync(join(cwd, 'torn.jsonl'), `${whole}${'{"a"\n'.repeat(MANY)}${whole}`);
  writeFileSync(
    join(cwd, 'odd.jsonl'),
    `${whole}${'{"type":"message","message":{"role":"user","content":"a"}}\n'.repeat(MANY)}`,
  );
  for (const args of [
    ['stats', 'torn.jsonl', '--partial', '-j'],
    ['verify', 'odd.jsonl', '--max-findings', '0'],
    ['search', 'a', 'odd.jsonl', '--limit', '0'],
  ]) {
    const { code, stderr } = await run(cwd, args);
    expect([args.join(' '), code === 0 || code === 1], stderr.slice(0, 500)).toEqual([args.join(' '), true]);
  }
});
