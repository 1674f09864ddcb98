import { expect, test } from 'vitest';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { tempFile } from '../../support/temp.ts';

const record = (uuid: string, parentUuid: string | null, input: object, name = 'Read') =>
  JSON.stringify({
    type: 'assistant',
    uuid,
    parentUuid,
    sessionId: 's',
    timestamp: '2026-01-01T00:00:00Z',
    message: { role: 'assistant', content: [{ type: 'tool_use', id: 'call_1', name, input }] },
  });

async function found(...lines: string[]) {
  const { findings } = await verifyEpisode(tempFile(`${lines.join('\n')}\n`, 's.jsonl'), {
    dialect: 'claude-code',
  });
  return findings
    .filter(({ code }) => code === 'tool/duplicate-call')
    .map(({ severity, line, message }) => [severity, line, message]);
}

test('a call that is streamed several times with the same content is a repeat, reported once', async () => {
  const file = { file_path: 'a' };
  const one = [record('a', null, file), record('b', 'a', file)];
  expect(await found(...one)).toEqual([
    ['info', 2, '1 call is in the log again, with the same id and content'],
  ]);
  expect(await found(...one, record('c', 'b', file))).toEqual([
    ['info', 2, '2 calls are in the log again, with the same id and content'],
  ]);
});

test('another call with the same id is an error', async () => {
  const others = [record('b', 'a', { file_path: 'b' }), record('c', 'b', { file_path: 'a' }, 'Write')];
  expect(await found(record('a', null, { file_path: 'a' }), ...others)).toEqual([
    ['error', 2, 'the call call_1 is already on line 1'],
    ['error', 3, 'the call call_1 is already on line 1'],
  ]);
});

test('a repeated record is compared without the white space around it', async () => {
  const first = record('a', null, {});
  const { findings } = await verifyEpisode(tempFile(`${first}\n${first}\v\n`, 's.jsonl'), {
    dialect: 'claude-code',
  });
  expect(findings.map(({ code, line }) => [code, line])).toContainEqual(['event/duplicate-id', 2]);
});
