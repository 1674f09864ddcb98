import { expect, test } from 'vitest';
import { Redactor } from '../../src/base/text/secrets/redactor.ts';

test('redacted values stay as they are, and are not counted again', () => {
  const redactor = new Redactor();
  const once = redactor.redact('password=hunter2hunter2');
  expect(once).toMatch(/^password=\[redacted:[^\]]+\]$/);
  const { report } = redactor;
  expect(redactor.redact(once)).toBe(once);
  expect(redactor.report).toEqual(report);
});

test.each([
  ['https://ada:AKIAABCDEFGHIJKLMNOP@host', /^https:\/\/ada:\[redacted:aws-key[^\]]*\]@host$/],
  ['/home/AKIAABCDEFGHIJKLMNOP/x', /^\/home\/\[redacted:aws-key[^\]]*\]\/x$/],
])('of two rules that match %s only the more certain one applies', (text, redacted) => {
  expect(new Redactor().redact(text)).toMatch(redacted);
});
