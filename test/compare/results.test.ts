import { expect, test } from 'vitest';
import type { CallItem } from '../../src/dialects/kit/story.ts';
import { comparedResults } from '../../src/read/compare/results.ts';

const call = (tool: string, result: Partial<CallItem>) => {
  const item: CallItem = { kind: 'call', line: 1, tool, input: 'x', status: 'ok', ...result };
  return { step: { line: 1, what: tool, text: 'x', failed: false }, item, model: undefined };
};
const WHOLE = { a: false, b: false };
const isSame = (tool: string, a: Partial<CallItem>, b: Partial<CallItem>, isOne = false) => {
  const compared = comparedResults(call(tool, a), call(tool, b), { isOne, damaged: WHOLE });
  return JSON.stringify(compared.a) === JSON.stringify(compared.b);
};

test('does not compare an exit code that only one log has', () => {
  expect(isSame('bash', { exit_code: 0 }, {})).toBe(true);
  expect(isSame('bash', { exit_code: 0 }, {}, true)).toBe(true);
  expect(isSame('bash', { exit_code: 0 }, { exit_code: 1 })).toBe(false);
  expect(isSame('bash', { exit_code: 1, status: 'error' }, {})).toBe(false);
});

test('names the log that lacks the output of a call, and compares the outputs of one program', () => {
  const [a, b] = [call('bash', { output: 'x' }), call('bash', {})];
  expect(comparedResults(a, b, { isOne: false, damaged: WHOLE })).toEqual({
    a: { status: 'ok' },
    b: { status: 'ok' },
    lacking: 'b',
  });
  expect(isSame('bash', { output: 'x' }, {}, true)).toBe(false);
});

test.each([
  ['ls: no such file\n\n\nCommand exited with code 2', 'ls: no such file'],
  [
    '<untrusted_context>\nOutput: ls: no such file\nExit Code: 2\nProcess Group PGID: 4\n</untrusted_context>',
    'ls: no such file\n\n\nCommand exited with code 2',
  ],
  ['total 3\none', 'Chunk ID: 1\nWall time: 0.1 seconds\nOutput:\ntotal 3\none'],
])('compares outputs of two programs without what each adds: %s', (a, b) => {
  expect(isSame('bash', { output: a }, { output: b })).toBe(true);
});

test('tells the outputs of two programs apart', () => {
  expect(isSame('read', { output: '     1\tone\n     2\ttwo' }, { output: 'one\ntwo\n' })).toBe(true);
  expect(isSame('bash', { output: '3\tx' }, { output: '4\tx' })).toBe(false);
  expect(isSame('bash', { output: '13 files' }, { output: '3' })).toBe(false);
  expect(isSame('bash', { output: 'one' }, { output: '' })).toBe(false);
  expect(isSame('bash', { output: 'one\nCommand exited with code 2' }, { output: 'one' }, true)).toBe(false);
});

test('leaves the messages of failed calls to each program, but not those of commands', () => {
  const [a, b] = [{ output: 'ENOENT: x' }, { output: 'File not found: x' }];
  expect(isSame('read', { ...a, status: 'error' }, { ...b, status: 'error' })).toBe(true);
  expect(isSame('bash', { ...a, status: 'error' }, { ...b, status: 'error' })).toBe(false);
  expect(isSame('read', a, b)).toBe(false);
});

test('takes a result that damaged lines may have contained for none that differs', () => {
  const [a, b] = [call('bash', { output: 'x' }), call('bash', { status: 'no result' })];
  const compare = (damaged: { a: boolean; b: boolean }) => comparedResults(a, b, { isOne: true, damaged });
  expect(compare({ a: false, b: true })).toMatchObject({ lacking: 'b', b: { status: 'ok' } });
  expect(compare({ a: true, b: false })).toMatchObject({ b: { status: 'no result' } });
  expect(compare({ a: true, b: false }).lacking).toBeUndefined();
});

test('leaves the words in which a program says that it wrote a file, but not whether it did', () => {
  const [a, b] = [
    { output: 'Successfully wrote to a.txt' },
    { output: 'Created file a.txt with 6 characters' },
  ];
  expect(isSame('write', a, b)).toBe(true);
  expect(isSame('write', a, b, true)).toBe(false);
  expect(isSame('write', a, { ...b, status: 'error' })).toBe(false);
});

test('compares the output of a command that prints a file with that of a tool that reads it', () => {
  const compared = comparedResults(
    call('shell', { output: 'one\ntwo\n' }),
    call('view', { output: '1. one\n2. two\n3.' }),
    { isOne: false, damaged: WHOLE },
  );
  expect(compared.a).toEqual(compared.b);
});
