import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderJson } from '../../src/render/json.ts';
import { packedReport } from '../findings/packed.ts';
import { reports } from './arbitrary.ts';

it('is exactly the report, laid out as JSON.stringify does it', () => {
  fc.assert(
    fc.property(reports, (report) => {
      expect([...renderJson(report)].join('')).toBe(`${JSON.stringify(report, null, 2)}\n`);
    }),
  );
});

it('shows packed findings as if they were not', () => {
  const { report, findings } = packedReport();
  const [episode] = report.episodes;
  const { packed: _, ...rest } = { ...episode };
  const plain = { ...report, episodes: [{ ...rest, findings }] };
  expect([...renderJson(report)].join('')).toBe(`${JSON.stringify(plain, null, 2)}\n`);
});
