import { expect, test } from 'vitest';
import { failureIn } from '../../../src/dialects/generic/failure.ts';
import { genericDialect } from '../../../src/dialects/generic/index.ts';
import { runHere } from '../../support/in-process.ts';
import { tempFile } from '../../support/temp.ts';

const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

test.each<[what: string, event: Parameters<typeof failureIn>[0], type: string | undefined, text: string]>([
  ['a member with a message', { error: { message: 'refused' } }, undefined, 'refused'],
  ['a member with a text', { err: 'refused\nat x' }, undefined, 'refused'],
  ['one inside', { data: { error: 'ToolException' } }, 'on_tool_end', 'ToolException'],
  ['a level in words', { level: 'ERROR', msg: 'x' }, undefined, ''],
  ['a level of pino', { level: 60, msg: 'x' }, undefined, ''],
  ['an outcome', { status: 'failed' }, 'step', ''],
  ['a type', {}, 'on_chain_error', ''],
  ['a type in camel case', {}, 'ToolError', ''],
  ['a type about an error', {}, 'error.raised', ''],
  ['an exit code', { exit_code: 3 }, 'result', 'exit code 3'],
  ['the code of a server', { res: { statusCode: 503 } }, undefined, 'status 503'],
  ['no success', { success: false }, undefined, ''],
  ['a mark', { is_error: true }, undefined, ''],
  ['an error that is only there', { error: true }, undefined, ''],
  ['an error without a message', { error: { code: 7 } }, undefined, '{"code":7}'],
  ['what says more than its level', { level: 'error', error: 'refused' }, undefined, 'refused'],
  ['the first of two', { error: 'refused', err: 'gone' }, undefined, 'refused'],
])('%s shows a failure', (_what, event, type, text) => {
  expect(failureIn(event, type)).toBe(text);
});

test.each<[what: string, event: Parameters<typeof failureIn>[0], type: string | undefined]>([
  ['no error', { error: null, errors: [], err: {}, exception: '' }, 'step'],
  ['a mark that is not set', { is_error: false }, 'step'],
  ['an error that is measured', { error: 0.12 }, 'train'],
  ['a level below', { level: 30, severity: 'warning' }, undefined],
  ['a type that counts errors', {}, 'error_rate'],
  ['what a client did wrong', { status: 404 }, 'request'],
  ['success', { status: 'ok', success: true, exit_code: 0 }, 'result'],
])('%s shows no failure', (_what, event, type) => {
  expect(failureIn(event, type)).toBeUndefined();
});

test('an event of unknown format has the duration and the failure that its fields show', () => {
  const dialect = genericDialect();
  const start = '2026-01-01T00:00:00.000Z';
  expect(dialect.span?.({ ts: 1767225600, elapsed_ms: 7 })).toEqual({ name: '', end: start, durationMs: 7 });
  expect(dialect.span?.({ ts: 1767225600, msg: 'no disk', level: 50 })).toEqual({
    name: '',
    start,
    status: 'error',
    reason: 'no disk',
  });
});

test('show says why a run of unknown format seems to have failed, and events, timeline and stats mark it', async () => {
  const run = tempFile(
    lines(
      { event: 'on_chain_start', name: 'Graph', ts: 1767225600 },
      { event: 'on_tool_error', name: 'search', ts: 1767225601, data: { error: '503' } },
      { event: 'on_chain_error', name: 'Graph', ts: 1767225602, data: { error: 'limit of 25 reached' } },
    ),
    'run.jsonl',
  );
  const { stdout } = await runHere(['show', run]);
  expect(stdout).toContain('on_tool_error  search (error 503), line 2');
  expect(stdout).toContain('on_chain_error Graph (error limit of 25 reached), line 3');
  expect((await runHere(['events', run])).stdout).toMatch(/^3 .*✗ on_chain_error/m);
  expect((await runHere(['timeline', run])).stdout).toMatch(/^3 .*✗ on_chain_error/m);
  expect((await runHere(['stats', run])).stdout).toContain('limit of 25 reached');
});

test('the last of many failures are named, and the place of the first one', async () => {
  const failed = Array.from({ length: 9 }, (_, at) => ({ level: 50, msg: `no. ${at}` }));
  const { stdout } = await runHere([
    'show',
    tempFile(lines(...failed, { level: 30, msg: 'bye' }), 'web.jsonl'),
  ]);
  expect(stdout).toContain('before     the first of 6 earlier events that look like failures, line 1');
  expect(stdout).toContain('failure    no. 8, line 9');
  expect(stdout).toContain('last event bye, line 10');
  expect(stdout).toMatch(/^Events +10$/m);
});
