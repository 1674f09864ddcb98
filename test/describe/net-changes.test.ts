import fc from 'fast-check';
import { expect, test } from 'vitest';
import { netChanges } from '../../src/read/describe/net-changes.ts';

const ORIGINAL = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
const CONTEXT = 3;

/** The diff of one hunk that replaces lines, with lines of context around it. */
function hunk(lines: readonly string[], at: number, old: number, put: readonly string[]): string {
  const signed = (sign: string, from: number, to: number) =>
    lines.slice(Math.max(0, from), to).map((line) => `${sign}${line}`);
  return [
    '@@',
    ...signed(' ', at - CONTEXT, at),
    ...signed('-', at, at + old),
    ...put.map((line) => `+${line}`),
    ...signed(' ', at + old, at + old + CONTEXT),
  ].join('\n');
}

test('the net changes of edits one after the other are those between the first and the last text', () => {
  const edit = fc.record({
    at: fc.nat(40),
    old: fc.nat(3),
    put: fc.array(fc.nat(5), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(fc.array(edit, { maxLength: 8 }), (edits) => {
      let lines = ORIGINAL;
      const changes = edits.flatMap(({ at: wanted, old, put }, index) => {
        const at = Math.min(wanted, lines.length);
        // No line is twice in the file, so each has one place.
        const texts = put.map((number, order) => `new ${index}.${order}.${number}`);
        if (lines.slice(at, at + old).length + texts.length === 0) return [];
        const diff = hunk(lines, at, old, texts);
        lines = [...lines.slice(0, at), ...texts, ...lines.slice(at + old)];
        return [{ kind: 'edit' as const, diff }];
      });
      const [before, now] = [new Set(ORIGINAL), new Set(lines)];
      const expected = [
        ...ORIGINAL.filter((line) => !now.has(line)).map((line) => `-${line}`),
        ...lines.filter((line) => !before.has(line)).map((line) => `+${line}`),
      ];
      expect(netChanges(changes).sort()).toEqual(expected.sort());
    }),
  );
});

test('an edit that is undone leaves nothing', () => {
  const there = hunk(ORIGINAL, 9, 1, ['ten']);
  const back = hunk([...ORIGINAL.slice(0, 9), 'ten', ...ORIGINAL.slice(10)], 9, 1, ['line 10']);
  expect(netChanges([there, back].map((diff) => ({ kind: 'edit', diff })))).toEqual([]);
});

test('a file that is written again has only its last lines', () => {
  const written = (...lines: string[]) => ({
    kind: 'write' as const,
    diff: ['@@ -0,0 +1,1 @@', ...lines.map((line) => `+${line}`)].join('\n'),
  });
  expect(netChanges([written('one'), written('two')])).toEqual(['+two']);
});

test('brackets and empty lines do not tell that an edit changes an earlier one', () => {
  const edits = [
    ['-a', '+}', '+'],
    ['-}', '-', '+b'],
  ];
  const changes = edits.map((lines) => ({ kind: 'edit' as const, diff: ['@@', ...lines].join('\n') }));
  expect(netChanges(changes)).toEqual(['-a', '+}', '+', '-}', '-', '+b']);
});

test('an edit that fits at two places is not put together with an earlier one', () => {
  const changes = [
    ['-a', '+x = 1'],
    ['-b', '+x = 1'],
    ['-x = 1', '+x = 2'],
  ].map((lines) => ({ kind: 'edit' as const, diff: ['@@', ...lines].join('\n') }));
  expect(netChanges(changes)).toEqual(['-a', '+x = 1', '-b', '+x = 1', '-x = 1', '+x = 2']);
});
