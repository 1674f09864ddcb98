import { expect, test } from 'vitest';
import { sampled, testOnce, times } from '../support/length.ts';
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

testOnce('many damaged lines, findings and matches are listed', () => {
  const whole = session('a');
  const torn = tempFile(`${whole}${'{"a"\n'.repeat(MANY)}${whole}`, 'torn.jsonl');
  const odd = `${whole}${'{"type":"message","message":{"role":"user","content":"a"}}\n'.repeat(MANY)}`;
  const log = tempFile(odd, 'odd.jsonl');
  expectRead(['stats', '--partial', '-j'], torn, [0, 1]);
  expectRead(['verify', '--max-findings', '0'], log, [0, 1]);
  expectRead(['search', 'a', '--limit', '0'], log, [0, 1]);
});

testOnce('many hooks of Claude Code, and many parts of a message of opencode, are read', () => {
  const envelope = { sessionId: 's', version: '2.1.332', cwd: '/w', isSidechain: false };
  const hooks = [
    { uuid: 'a', parentUuid: null, type: 'user', message: { role: 'user', content: 'a' } },
    {
      uuid: 'b',
      parentUuid: 'a',
      type: 'assistant',
      message: {
        id: 'm',
        role: 'assistant',
        model: 'x',
        stop_reason: 'end_turn',
        content: [{ type: 'text', text: 'b' }],
      },
    },
    {
      uuid: 'c',
      parentUuid: 'b',
      type: 'system',
      subtype: 'stop_hook_summary',
      hookInfos: Array.from({ length: MANY }, () => ({ command: 'x', durationMs: 1 })),
    },
  ].map((record, at) =>
    JSON.stringify({
      ...envelope,
      ...record,
      timestamp: new Date(Date.UTC(2026, 2, 2, 9, at)).toISOString(),
    }),
  );
  const info = {
    id: 'ses_1',
    projectID: 'p',
    directory: '/w',
    title: 't',
    version: '1',
    time: { created: 1, updated: 2 },
  };
  const part = {
    type: 'text',
    text: 'a',
    sessionID: 'ses_1',
    messageID: 'msg_1',
    time: { start: 1, end: 2 },
  };
  const parts = Array.from({ length: MANY }, (_, at) => ({ id: `prt_${at}`, ...part }));
  const message = { id: 'msg_1', sessionID: 'ses_1', role: 'assistant', modelID: 'm', time: { created: 1 } };
  const document = JSON.stringify({ info, messages: [{ info: message, parts }] });
  expectRead(['show'], tempFile(`${hooks.join('\n')}\n`, '0abc0001-0000-4000-8000-000000000001.jsonl'), [0]);
  expectRead(['show'], tempFile(document, 'session.json'), [0]);
});
