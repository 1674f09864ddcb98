import type { KeyObject } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { FileError, NoesisError, reasonOf, UsageError } from '../../base/errors.ts';
import { SHORTEST_SECRET } from '../../base/keys/algorithms.ts';
import { requirePublicKey } from '../../base/keys/ed25519.ts';
import { hasPairKey } from '../../base/keys/key-pair-marks.ts';

/** In bytes: HMAC-SHA256 gains nothing from longer secrets. */
const GOOD_KEY = 32;
/** In bytes: a longer file is not a secret. */
const LONGEST_KEY = 64 * 1024;

/**
 * Removes one final newline, which editors add. One DER key in 256 ends with that byte: without it, a public key would not
 * be recognised and would serve as a secret.
 */
function withoutNewline(secret: Buffer): Buffer {
  if (secret.at(-1) !== 0x0a || hasPairKey(secret)) return secret;
  return secret.subarray(0, secret.at(-2) === 0x0d ? -2 : -1);
}

/** Reads a secret. Refuses pipes, which may block, and devices, which may never end. */
async function readSecret(path: string): Promise<Buffer> {
  const status = await stat(path);
  const refuse = (why: string) =>
    new UsageError('usage', `the key file ${path} ${why}`, {
      place: { file: path },
      hint: 'put the secret into a file, or into the environment variable that --help names',
    });
  if (!status.isFile() && !status.isDirectory()) throw refuse('is not a regular file');
  if (status.size > LONGEST_KEY) throw refuse(`has ${status.size} bytes: it cannot be a key`);
  const secret = withoutNewline(await readFile(path));
  if (secret.length === 0) throw refuse('is empty');
  return secret;
}

/** Reads a key file named by an option. Throws `usage` and `unreadable`. */
export async function readKeyFile(file: string, cwd: string): Promise<Uint8Array> {
  const path = resolve(cwd, file);
  try {
    return await readSecret(path);
  } catch (error) {
    if (error instanceof NoesisError) throw error;
    const message = `cannot read the key file ${path}: ${reasonOf(error)}`;
    throw new FileError('unreadable', message, { place: { file: path }, cause: error });
  }
}

/** Reads the secrets of `--key KID=FILE`. Throws `usage` and `unreadable`. */
export async function readKeyFiles(
  options: readonly string[],
  cwd: string,
): Promise<Map<string, Uint8Array>> {
  const keys = new Map<string, Uint8Array>();
  for (const option of options) {
    const equals = option.indexOf('=');
    if (equals < 0 || equals === option.length - 1) {
      throw new UsageError('usage', '--key needs a key id and a file', {
        hint: 'write --key KID=FILE; the secret is in the file. For records without key ids, write --key =FILE',
      });
    }
    const file = option.slice(equals + 1);
    const key = await readKeyFile(file, cwd);
    // The 32 bytes of a public key look like a secret, but others may know them.
    if (file.endsWith('.pub')) requirePublicKey(key, file);
    keys.set(option.slice(0, equals), key);
  }
  return keys;
}

/**
 * Reads the public keys of `--trust`, the possible signers of `what`. Throws `unreadable`, and `usage` also
 * if there are none.
 */
export async function trustedKeys(what: string, trust: readonly string[], cwd: string): Promise<KeyObject[]> {
  if (trust.length === 0) {
    throw new UsageError(
      'usage',
      `the ${what} can only be checked with --trust NAME.pub, the public key of the signer`,
      {
        hint: 'add --trust NAME.pub; without it, anyone could have signed',
      },
    );
  }
  const keys: KeyObject[] = [];
  for (const name of trust) keys.push(requirePublicKey(await readKeyFile(name, cwd), name));
  return keys;
}

/** A warning for a short secret. Throws `usage` if it is so short that it can be guessed. */
export function remarkOnShortKey(kid: string, { length }: Uint8Array): string | undefined {
  if (length < SHORTEST_SECRET)
    throw new UsageError(
      'usage',
      `the key ${kid} has ${length} bytes: a signing key needs at least ${SHORTEST_SECRET}`,
      { hint: `sign with ${GOOD_KEY} random bytes` },
    );
  return length < GOOD_KEY
    ? `the key ${kid} has only ${length} bytes and could be guessed; ${GOOD_KEY} bytes are safe`
    : undefined;
}
