import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { writeTree } from '../support/temp.ts';

const LONG = 'x'.repeat(400_000);
const record = (at: number, model: string) => ({
  type: at % 2 === 0 ? 'user' : 'assistant',
  uuid: `u${at}`,
  parentUuid: at === 0 ? null : `u${at - 1}`,
  sessionId: 's',
  timestamp: '2026-03-02T09:00:00Z',
  message:
    at % 2 === 0
      ? { role: 'user', content: 'go on' }
      : {
          id: `m${at}`,
          model,
          role: 'assistant',
          content: [{ type: 'tool_use', id: `t${at}`, name: model }],
        },
});

test.each(['show', 'stats'])(
  '%s prints less than a log whose one name is long, and says that it cut it',
  async (command) => {
    const log = Array.from({ length: 12 }, (_, at) => JSON.stringify(record(at, at === 1 ? LONG : `m${at}`)));
    const cwd = writeTree({ 's.jsonl': `${log.join('\n')}\n` });
    const { stdout } = await runHere([command, 's.jsonl'], { cwd });
    expect(stdout).toMatch(/… \(\d+ more characters\)/);
    expect(stdout.length).toBeLessThan(LONG.length / 4);
  },
);

test('diff says how many characters of a long value it does not show', async () => {
  const start = {
    type: 'user',
    uuid: 'u0',
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-03-02T09:00:00Z',
  };
  const logOf = (value: string) => {
    const input = { command: 'run', note: value };
    const content = [{ type: 'tool_use', id: 't', name: 'Bash', input }];
    const message = { id: 'm', role: 'assistant', content };
    const prompt = { ...start, message: { role: 'user', content: 'go on' } };
    const answer = { ...start, type: 'assistant', uuid: 'u1', parentUuid: 'u0', message };
    return `${JSON.stringify(prompt)}\n${JSON.stringify(answer)}\n`;
  };
  const cwd = writeTree({ 'a.jsonl': logOf('a'.repeat(9000)), 'b.jsonl': logOf('b'.repeat(9000)) });
  const { stdout } = await runHere(['diff', 'a.jsonl', 'b.jsonl'], { cwd });
  expect(stdout).toMatch(/a…\s+\(8\d{3}\s+more\s+characters\)/);
  expect(stdout).toMatch(/b…\s+\(8\d{3}\s+more\s+characters\)/);
});
