import { expect, test } from 'vitest';
import type { FileDifference } from '../../src/read/compare/behaviour.ts';
import { fieldsOnce } from '../../src/show/render/shown-once.ts';

const step = { line: 2, what: 'Edit', text: 'r.js', failed: false };

/** Whether the values of an edit are printed although the difference of its file is. */
function isPrinted(
  [a, b]: readonly [unknown, unknown],
  lines: readonly string[],
  of: FileDifference['of'] = 'content',
): boolean {
  const field = { path: 'new_string', a, b };
  const file: FileDifference = {
    path: 'r.js',
    of,
    lines: lines.map((line) => ({
      in: line.startsWith('A ') ? 'a' : line.startsWith('B ') ? 'b' : 'both',
      text: line.slice(2),
    })),
    more: 0,
  };
  const files = { both: ['r.js'], a: [], b: [], maybe: [], differ: [file] };
  const difference = { a: step, b: step, fields: [field] };
  const shown = { files: 1, lines: 24, isWhole: (text: string) => text.length < 20 };
  const atParting = fieldsOnce({ files, parting: { after: 0, kind: 'step', ...difference } }, shown);
  // In the list of calls, the values are left out where the parting prints them.
  expect(atParting(difference)).toEqual([]);
  const printed = fieldsOnce({ files }, shown)(difference);
  expect(atParting(difference, true)).toEqual(printed);
  return printed.length > 0;
}

test.each<[string, readonly [unknown, unknown], string[], FileDifference['of']?]>([
  ['are a part of a line', ['a', 'b'], ['A banana', 'B bob']],
  ['are empty lines that the difference does not have', ['\n\n', '\n'], ['A x', 'B y']],
  ['begin or end within a line', ['x\ny', 'z'], ['A ax', 'A y', 'B z']],
  ['are lines of both runs', ['x', 'y'], ['  x', 'A a', 'B y']],
  ['are lines of the other run', ['x', 'y'], ['A y', 'B x']],
  ['are not next to each other', ['x\ny', 'z'], ['A x', 'A a', 'A y', 'B z']],
  ['differ only in the end of the last line', ['x', 'x\n'], ['A x', 'B a', 'B x']],
  ['are lines that were added and removed', ['x\ny', 'z'], ['A -x', 'A +y', 'B +z'], 'changes'],
  ['are lines with a sign of a diff', ['+x', '+y'], ['A +x', 'B +y'], 'changes'],
  ['are not texts', [1, 2], ['A 1', 'B 2']],
  ['are in lines too long to be shown whole', ['x'.repeat(30), 'y'], [`A ${'x'.repeat(30)}`, 'B y']],
  ['are below the lines that are shown', ['x', 'y'], [...Array(24).fill('A a'), 'A x', 'B y']],
])('the values of an edit are printed if they %s', (_, values, lines, of) => {
  expect(isPrinted(values, lines, of)).toBe(true);
});

test.each<[string, readonly [unknown, unknown], string[], FileDifference['of']?]>([
  ['lines of the file', ['x', 'y'], ['A x', 'B y']],
  ['lines with their ends', ['x\n', 'y\n'], ['  a', 'A x', 'B y']],
  ['several lines', ['x\n\nz', 'y'], ['A x', 'A ', 'A z', 'B y']],
  ['nothing and a line', ['', 'y'], ['B y']],
  ['added lines', ['x', 'y\nz'], ['A +x', 'B -a', 'B +y', 'B +z'], 'changes'],
  ['removed lines', ['x', 'y'], ['A -x', 'B -y'], 'changes'],
])('an edit is printed once, in the difference of its file, if its values are %s', (_, values, lines, of) => {
  expect(isPrinted(values, lines, of)).toBe(false);
});
