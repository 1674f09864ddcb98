// Only computes the hash in a manifest, which every verification of a sealed log needs.
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';

const file = openSync(process.argv[2], 'r');
const buffer = Buffer.allocUnsafe(1 << 20);
const hash = createHash('sha256');
for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
  hash.update(buffer.subarray(0, read));
}
closeSync(file);
console.log(hash.digest('hex'));
