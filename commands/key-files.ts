import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { NoesisError, reasonOf } from '../src/errors.ts';

/** Drops one final newline: editors put it there, and it is no part of a secret. */
function withoutNewline(secret: Buffer): Buffer {
  if (secret.at(-1) !== 0x0a) return secret;
  return secret.subarray(0, secret.at(-2) === 0x0d ? -2 : -1);
}

/** Reads the secrets that `--key KID=FILE` names. Throws `usage` and `unreadable`. */
export async function readKeyFiles(
  options: readonly string[],
  cwd: string,
): Promise<Map<string, Uint8Array>> {
  const keys = new Map<string, Uint8Array>();
  for (const option of options) {
    const equals = option.indexOf('=');
    if (equals < 1 || equals === option.length - 1) {
      throw new NoesisError('usage', '--key needs a key id and a file', {
        hint: 'write it as --key KID=FILE; the secret stands in the file',
      });
    }
    const path = resolve(cwd, option.slice(equals + 1));
    try {
      keys.set(option.slice(0, equals), withoutNewline(await readFile(path)));
    } catch (error) {
      const message = `cannot read the key file ${path}: ${reasonOf(error)}`;
      throw new NoesisError('unreadable', message, { place: { file: path }, cause: error });
    }
  }
  return keys;
}
