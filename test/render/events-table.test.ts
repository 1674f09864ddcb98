import { expect, test } from 'vitest';
import type { Branch } from '../../src/read/select/lineage-tree.ts';
import { EventsTable, treeGuide } from '../../src/show/render/events-table.ts';
import { plain } from '../../src/show/render/style.ts';

const columns = ['KIND', 'ACTOR', 'TEXT'].map((title) => ({
  title,
  width: 12,
  cell: (event: object) => `${(event as Record<string, unknown>)[title] ?? ''}`,
}));
const row = (status: 'open' | 'error' | 'ok') => ({
  line: 1,
  time: '2026-03-02T09:00:00Z',
  id: 'e1',
  status,
  event: { KIND: 'call of a tool', ACTOR: 'somebody', TEXT: 'what was said' },
});

const table = (width: number) =>
  new EventsTable({
    columns,
    width,
    style: plain,
    zone: 'utc',
    first: Date.UTC(2026, 2, 2, 9),
    last: Date.UTC(2026, 2, 2, 9),
    start: undefined,
    ids: false,
  });

test('an open event has no mark, a failed one has', () => {
  expect(table(Infinity).row(row('open'))).toMatch(/^1 {6}09:00:00\.000 .* {3}call of a tool/);
  expect(table(Infinity).row(row('error'))).toContain(' ✗ call of a tool');
});

test('columns give way to a narrow terminal, and are not cut shorter than four', () => {
  expect(table(20).header()).toBe('LINE     KIND ACT… TEXT\n');
  expect(table(20).row(row('ok'))).toBe('1        cal… som… what wa…\n');
});

test('the offset gives way before the description has fewer than 24 columns', () => {
  const titles = (width: number) =>
    table(width)
      .header()
      .trimEnd()
      .split(/ {2,}| (?=[A-Z])/);
  expect(titles(90)).toContain('OFFSET');
  expect(titles(80)).toEqual(['LINE', '2026-03-02', 'UTC', 'KIND', 'ACTOR', 'TEXT']);
  expect(titles(47)).toEqual(['LINE', 'KIND', 'ACTOR', 'TEXT']);
});

test('a call that will get no result says so', () => {
  expect(table(Infinity).row({ ...row('error'), isLost: true })).toContain('what was said → no result');
});

test('a tree that is too deep shows its last lines', () => {
  const branchAt = (depth: number): Branch => ({
    above: depth === 0 ? undefined : branchAt(depth - 1),
    depth,
    isLast: depth % 2 === 0,
  });
  expect(treeGuide({ branch: undefined, begins: false }, 80)).toBe('');
  expect(treeGuide({ branch: branchAt(1), begins: true }, 80)).toBe('  ├╴');
  expect(treeGuide({ branch: branchAt(9), begins: false }, 16)).toBe('…  │ ');
});
