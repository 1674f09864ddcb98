import { describe, expect, it } from 'vitest';
import { fold, Places } from '../../src/show/render/fold.ts';
import { invalidJson, vocabulary } from './reports.ts';

const at = (line: number, file = 'events.jsonl') => ({ ...invalidJson, line, file });

describe('fold', () => {
  it('keeps severities and codes apart, the worst first', () => {
    const findings = [at(1), at(2), vocabulary, at(3), { ...at(4), severity: 'warn' as const }, at(5)];
    expect(fold(findings).map((entry) => (entry.kind === 'more' ? entry.count : entry.finding.line))).toEqual(
      [1, 2, 3, 1, 112, 4],
    );
  });
});

it('counts unlisted findings, and says that their places are unknown', () => {
  const [first, second] = fold([at(1)], [{ code: invalidJson.code, severity: 'error', count: 41 }]);
  expect(first).toMatchObject({ kind: 'finding' });
  expect(second).toMatchObject({ kind: 'more', count: 41 });
  expect(second?.kind === 'more' && second.places.toString()).toBe('…');
  const [, , , rest] = fold(
    [at(1), at(2), at(3), at(4)],
    [{ code: invalidJson.code, severity: 'error', count: 5 }],
  );
  expect(rest).toMatchObject({ count: 6 });
  expect(rest?.kind === 'more' && rest.places.toString()).toBe('line 4, …');
});

describe('places', () => {
  it.each([
    ['line 4', [at(4)]],
    ['lines 4-6, 9', [at(4), at(5), at(5), at(6), at(9)]],
    ['lines 1, 3, 5, 7, 9, 11, …', [1, 3, 5, 7, 9, 11, 13, 15].map((line) => at(line))],
    ['a.jsonl 1-2; b.jsonl 7', [at(1, 'a.jsonl'), at(2, 'a.jsonl'), at(7, 'b.jsonl')]],
    [
      'a; b; c; d; e; f; …',
      [...'abcdefgh'].map((file) => ({
        code: 'seal/missing' as const,
        severity: 'warn' as const,
        message: '',
        file,
      })),
    ],
  ])('says %s', (text, findings) => {
    const places = new Places();
    for (const finding of findings) places.add(finding);
    expect(places.toString()).toBe(text);
  });
});
