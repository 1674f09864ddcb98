import { expect, test } from 'vitest';
import { formatProgress } from '../../src/show/render/progress.ts';

const reading = { doing: 'reading events.jsonl', unit: 'bytes', total: 4_000_000_000 };

test('shows the amount done, the share of the total, and the time left', () => {
  expect(formatProgress(reading, 1_000_000_000, 2500)).toBe(
    'reading events.jsonl: 1.0 GB of 4.0 GB, 25 %, 8 s left',
  );
  expect(formatProgress({ doing: 'verifying', unit: 'episodes', total: 40 }, 10, 60_000)).toBe(
    'verifying: 10 of 40 episodes, 25 %, 3m 00s left',
  );
});

test('estimates nothing at the beginning or the end, and does not count a single part', () => {
  expect(formatProgress(reading, 0, 600)).toBe('reading events.jsonl: 0 B of 4.0 GB, 0 %');
  expect(formatProgress(reading, 4_000_000_000, 600)).toBe('reading events.jsonl: 4.0 GB of 4.0 GB, 100 %');
  expect(formatProgress({ doing: 'verifying', unit: 'episodes', total: 1 }, 0, 600)).toBe('verifying');
});
