import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { runHere } from '../support/in-process.ts';
import { tempFile } from '../support/temp.ts';

const textOf = (records: readonly unknown[]) => `${records.map((one) => JSON.stringify(one)).join('\n')}\n`;

/** A session of Claude Code that writes a file below its folder. */
function claude(cwd: string, content: string): string {
  const record = (uuid: string, parentUuid: string | null, second: number, more: object) => ({
    uuid,
    parentUuid,
    sessionId: 's1',
    isSidechain: false,
    cwd,
    timestamp: `2026-10-05T09:00:0${second}.000Z`,
    ...more,
  });
  const use = { type: 'tool_use', id: 'c', name: 'Write', input: { file_path: `${cwd}/a.txt`, content } };
  return tempFile(
    textOf([
      record('a', null, 0, { type: 'user', message: { role: 'user', content: 'go' } }),
      record('b', 'a', 1, { type: 'assistant', message: { role: 'assistant', model: 'm', content: [use] } }),
      record('c', 'b', 2, {
        type: 'user',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'done' }] },
      }),
    ]),
    's1.jsonl',
  );
}

/** A session of Codex that adds a file with a path from its folder. */
function codex(cwd: string, content: string): string {
  const record = (second: number, type: string, payload: object) => ({
    timestamp: `2026-10-05T09:00:0${second}.000Z`,
    type,
    payload,
  });
  const patch = `*** Begin Patch\n*** Add File: a.txt\n+${content}\n*** End Patch`;
  return tempFile(
    textOf([
      record(0, 'session_meta', { id: 't1', timestamp: '2026-10-05T09:00:00.000Z', cwd, originator: 'x' }),
      record(1, 'event_msg', { type: 'user_message', message: 'go' }),
      record(2, 'response_item', {
        type: 'custom_tool_call',
        call_id: 'c',
        name: 'apply_patch',
        input: patch,
      }),
      record(3, 'response_item', { type: 'custom_tool_call_output', call_id: 'c', output: 'Success' }),
    ]),
    'rollout-2026-10-05T09-00-00-t1.jsonl',
  );
}

const shown = async (logs: readonly string[]): Promise<string> =>
  stripVTControlCharacters((await runHere(['diff', ...logs], { columns: 100 })).stdout);

test('files with one path from two folders are compared, and each is named with its folder', async () => {
  const logs = [claude('/work/shop', 'one\n'), codex('/work/api', 'two')];
  const stdout = await shown(logs);
  expect(stdout).toMatch(/^Folder +\/work\/shop +\/work\/api$/m);
  expect(stdout).toContain('  A /work/shop/a.txt\n  B /work/api/a.txt\n');
  const { behaviour } = JSON.parse((await runHere(['diff', ...logs, '-j'])).stdout);
  expect(behaviour.files.differ).toMatchObject([{ path: '/work/shop/a.txt', path_in_b: '/work/api/a.txt' }]);
});

test('one folder has no row, and a file in it has one name', async () => {
  const stdout = await shown([claude('/work/shop', 'one\n'), codex('/work/shop', 'two')]);
  expect(stdout).not.toMatch(/^Folder/m);
  expect(stdout).toContain('\n  /work/shop/a.txt\n');
});
