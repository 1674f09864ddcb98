import { expect, it } from 'vitest';
import { renderJson } from '../../src/render/json.ts';
import { hostile } from './reports.ts';

it('is exactly the report', () => {
  const text = renderJson(hostile);
  expect(JSON.parse(text)).toEqual(hostile);
  expect(text.endsWith('}\n')).toBe(true);
});
