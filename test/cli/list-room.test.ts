import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempDir } from '../support/temp.ts';

const USAGE = { input_tokens: 1200, output_tokens: 300 };

/** A session of Claude Code in a folder of its own. */
function session(home: string, name: string): void {
  const at = { sessionId: name, cwd: '/srv/garden', timestamp: '2026-10-05T09:00:00.000Z' };
  const records = [
    {
      ...at,
      type: 'user',
      uuid: 'u1',
      parentUuid: null,
      message: { role: 'user', content: 'Count the birds in the garden, and write their number' },
    },
    {
      ...{ ...at, type: 'assistant', uuid: 'u2', parentUuid: 'u1' },
      message: {
        ...{ id: 'm1', role: 'assistant', model: 'm', stop_reason: 'end_turn', usage: USAGE },
        content: [{ type: 'text', text: 'ok' }],
      },
    },
  ];
  const folder = join(home, '.claude/projects/-srv-garden');
  mkdirSync(folder, { recursive: true });
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  writeFileSync(join(folder, `${name}.jsonl`), text);
}

test('one long id does not take the room of columns, and is accepted as a target', async () => {
  const home = tempDir();
  const ids = ['11111111', '22222222', '33333333', '44444444'].map(
    (id) => `${id}-0000-4000-8000-000000000001`,
  );
  const long = 'a-name-of-20-letters';
  for (const id of [...ids, long]) session(home, id);
  const world = { cwd: home, home, columns: 60, env: { NO_COLOR: '1' } };
  const { stdout } = await runHere(['list'], world);
  const [head = '', ...rows] = stdout.split('\n');
  expect(head).toMatch(/^ID {7}ACTIVE .* TOKENS /);
  expect(rows).toContain(`  ${long}.jsonl`);
  expect((await runHere(['show', `${long}.jsonl`], world)).code).toBe(0);
});
