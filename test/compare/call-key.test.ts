import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json/value.ts';
import type { CallItem, StoryDetails } from '../../src/dialects/kit/story.ts';
import { commonKeys } from '../../src/read/compare/call-key.ts';
import { Incidental } from '../../src/read/compare/incidental.ts';

const CWD = '/home/usr/shop';

/** The key of a call in a comparison of two programs. */
const keyOf = (tool: string, input: JsonObject): string => {
  const call: CallItem = { kind: 'call', line: 1, tool, input: JSON.stringify(input), status: 'ok' };
  const details: StoryDetails = {
    models: [],
    versions: [],
    ids: [],
    own: [],
    started: [],
    callOf: () => ({ input }),
  };
  return commonKeys(details, new Incidental([]), CWD).of(call);
};

describe('in runs of two programs, a call is', () => {
  test.each([
    ['list_directory', { dir_path: `${CWD}/src` }, 'Glob', { path: 'src' }],
    ['list_directory', { directory: '.' }, 'ls', {}],
    ['list_directory', { dir_path: CWD }, 'ls', { path: '.' }],
    ['read_file', { file_path: `${CWD}/a.js`, limit_tokens: 9 }, 'Read', { path: './a.js' }],
  ])('the same: %s %o and %s %o', (tool, input, other, otherInput) => {
    expect(keyOf(tool, input)).toBe(keyOf(other, otherInput));
  });

  test.each([
    [{ dir_path: 'src' }, { dir_path: 'test' }],
    [{ folder: 'src' }, { dir_path: 'test' }],
    [{ directory: `${CWD}/src` }, { path: '.' }],
    [{ path: 'src' }, {}],
  ])('another one for another folder: %o and %o', (input, other) => {
    expect(keyOf('list_directory', input)).not.toBe(keyOf('Glob', other));
  });
});
