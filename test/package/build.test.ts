import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BIN } from '../support/cli.ts';

test('a build keeps a linked command executable, because npm sets the mode only when it links it', () => {
  expect(statSync(BIN).mode & 0o111).toBe(0o111);
});
