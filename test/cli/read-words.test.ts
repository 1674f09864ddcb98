import { join } from 'node:path';
import { expect, test } from 'vitest';
import { SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const shown = async (...args: readonly string[]): Promise<string> =>
  (await runHere([...args], { columns: 100 })).stdout.replaceAll(/\u001b\[\d+m/g, '');

const at = (minute: number, second = 0): string =>
  new Date(Date.UTC(2026, 9, 5, 9, minute, second)).toISOString();
const DONE = {
  role: 'assistant',
  model: 'm',
  stop_reason: 'end_turn',
  content: [{ type: 'text', text: 'ok' }],
};
const turn = (name: string, minute: number, parent: string | null) => [
  {
    ...{ type: 'user', uuid: `p${name}`, parentUuid: parent, sessionId: 's', timestamp: at(minute) },
    message: { role: 'user', content: `Do ${name}` },
  },
  {
    ...{
      type: 'assistant',
      uuid: `a${name}`,
      parentUuid: `p${name}`,
      sessionId: 's',
      timestamp: at(minute, 9),
    },
    message: DONE,
  },
];

test('read and timeline call the time between two turns the same', async () => {
  const records = [...turn('x', 0, null), ...turn('y', 7, 'ax')];
  const log = tempFile(records.map((record) => `${JSON.stringify(record)}\n`).join(''), 's.jsonl');
  expect(await shown('read', log)).toMatch(/^ +6m 51s idle$/m);
  expect(await shown('timeline', log)).toContain('── 6m 51s idle ──');
});

test('read names an unknown time between turns as timeline does', async () => {
  const log = join(SAMPLES, 'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl');
  const [, unknown] = /── (.*m.* unknown) ──/.exec(await shown('timeline', log)) ?? [];
  expect(unknown).toBeDefined();
  expect(await shown('read', log)).toContain(`      ${unknown}\n`);
});

test('read --all shows the type of a record once', async () => {
  const log = tempFile(
    ['session.start', 'assistant.turn_start', 'session.usage_record']
      .map((type, line) => `${JSON.stringify({ type, id: `e${line}`, timestamp: at(line), data: {} })}\n`)
      .join(''),
    'events.jsonl',
  );
  for (const format of [[], ['-f', 'markdown']]) {
    const text = await shown('read', log, '--all', '--dialect', 'copilot', ...format);
    expect(text.match(/session\.usage/g)).toHaveLength(1);
  }
});

test.each([[], ['--dialect', 'copilot']])(
  'show says of an empty log that there is no record %j',
  async (...dialect) => {
    const text = (await shown('show', tempFile('', 'events.jsonl'), ...dialect)).replaceAll(/\s+/g, ' ');
    expect(text).toContain('Integrity warn, there is no record (1 warning)');
    expect(text).not.toContain('could be read');
  },
);
