import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { SealedLog } from '../../../src/dialects/noesis/seal/sealed-log.ts';
import { bundledWorker } from '../../support/bundle.ts';

const url = bundledWorker('src/base/files/hash-worker.ts');

const MEBIBYTE = 1024 * 1024;
const sealedSize = 33 * MEBIBYTE + 5;
const log = Buffer.alloc(35 * MEBIBYTE, 'a line of a log\n');
const sealed = {
  size_bytes: sealedSize,
  sha256: `sha256:${createHash('sha256').update(log.subarray(0, sealedSize)).digest('hex')}`,
};

it.each([
  ['in this thread', undefined],
  ['in a thread of its own', url],
])('a log that grew after its seal is reported %s', async (_, hashWorker) => {
  const hash = new SealedLog(sealed, hashWorker);
  expect(hash.result).toBeUndefined();
  for (let at = 0; at < log.length; at += MEBIBYTE) {
    hash.add(log.subarray(at, at + MEBIBYTE));
    await hash.pressure();
  }
  await hash.settle();
  hash.close();
  expect(hash.result).toEqual({
    sha256: createHash('sha256').update(log).digest('hex'),
    size: log.length,
  });
  expect(hash.isExtended).toBe(true);
  expect(hash.change()).toMatch(/^its first 34,603,013 bytes are the sealed ones/);
});
