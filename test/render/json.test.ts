import fc from 'fast-check';
import { expect, it } from 'vitest';
import { forOutput } from '../../src/base/json/output.ts';
import { renderJson } from '../../src/show/render/json.ts';
import { reports } from './arbitrary.ts';

it('is exactly the report, laid out as JSON.stringify does it', () => {
  fc.assert(
    fc.property(reports, (report) => {
      expect([...renderJson(report)].join('')).toBe(`${JSON.stringify(forOutput(report), null, 2)}\n`);
    }),
  );
});
