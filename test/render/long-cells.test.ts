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
    const log = Array.from({ length: 40 }, (_, at) => JSON.stringify(record(at, at === 1 ? LONG : `m${at}`)));
    const cwd = writeTree({ 's.jsonl': `${log.join('\n')}\n` });
    const { stdout } = await runHere([command, 's.jsonl'], { cwd });
    expect(stdout).toMatch(/… \(\d+ more characters\)/);
    expect(stdout.length).toBeLessThan(LONG.length / 4);
  },
);
