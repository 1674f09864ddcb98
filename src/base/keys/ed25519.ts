import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { UsageError } from '../errors.ts';
import { textOf } from './key-pair-marks.ts';

/** The prefix of a PEM key. */
const PEM = '-----BEGIN ';

/** DER as base64 without the lines around it. */
const BASE64 = /^[A-Za-z0-9+/_-]{40,}={0,2}$/;

/** The length of the prefix in the DER form of an Ed25519 public key (RFC 8410). */
const SPKI_PREFIX_BYTES = 12;

/** Possible DER encodings of a key: the bytes themselves, and decoded from base64. */
function derIn(bytes: Uint8Array): Buffer[] {
  const plain = Buffer.from(bytes);
  const text = textOf(bytes).replaceAll(/\s/g, '');
  return BASE64.test(text) ? [plain, Buffer.from(text, 'base64')] : [plain];
}

const SPKI = (key: Buffer): KeyObject => createPublicKey({ key, format: 'der', type: 'spki' });
const PKCS8 = (key: Buffer): KeyObject => createPrivateKey({ key, format: 'der', type: 'pkcs8' });

function readAs(read: (key: Buffer) => KeyObject, key: Buffer): KeyObject | undefined {
  try {
    return read(key);
  } catch {
    return undefined;
  }
}

/** Parses an Ed25519 key from PEM or DER. */
function ed25519In(
  bytes: Uint8Array,
  fromPem: (pem: Buffer) => KeyObject,
  forms: readonly ((der: Buffer) => KeyObject)[],
): KeyObject | undefined {
  const text = textOf(bytes);
  const at = text.indexOf(PEM);
  const found =
    at >= 0
      ? readAs(fromPem, Buffer.from(text.slice(at), 'latin1'))
      : derIn(bytes)
          .flatMap((der) => forms.map((read) => readAs(read, der)))
          .find((key) => key !== undefined);
  return found?.asymmetricKeyType === 'ed25519' ? found : undefined;
}

/** Reads an Ed25519 public key in PEM or DER, or derives it from a private key; undefined for anything else. */
export const publicKeyIn = (bytes: Uint8Array): KeyObject | undefined =>
  ed25519In(bytes, createPublicKey, [SPKI, (key) => createPublicKey(PKCS8(key))]);

/** Reads an Ed25519 private key in PEM or DER (PKCS 8, without a passphrase); undefined for anything else. */
export const privateKeyIn = (bytes: Uint8Array): KeyObject | undefined =>
  ed25519In(bytes, createPrivateKey, [PKCS8]);

/** Like `publicKeyIn`, but for commands. @throws UsageError */
export function requirePublicKey(pem: Uint8Array, file: string): KeyObject {
  const key = publicKeyIn(pem);
  if (key) return key;
  throw new UsageError('usage', `${file} does not contain an Ed25519 public key`, {
    place: { file },
    hint: 'run noesis keygen to make a pair; the file that ends with .pub is the public key',
  });
}

/** Like `privateKeyIn`, but for commands. @throws UsageError */
export function requirePrivateKey(pem: Uint8Array, file: string): KeyObject {
  const key = privateKeyIn(pem);
  if (key) return key;
  const isPublic = publicKeyIn(pem) !== undefined;
  throw new UsageError(
    'usage',
    `${file} ${isPublic ? 'contains a public key' : 'does not contain an Ed25519 private key'}`,
    {
      place: { file },
      hint: isPublic
        ? 'sign with the private key of the pair, the file that ends with .key'
        : 'noesis keygen makes a pair: the file that ends with .key is the private one',
    },
  );
}

export function publicKeyOf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}

/** The 32 bytes of a public key. */
export function rawPublicKey(key: KeyObject): Buffer {
  return publicKeyOf(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX_BYTES);
}

/** Signs bytes with Ed25519; returns 64 bytes. */
export function sign(bytes: Uint8Array, key: KeyObject): Buffer {
  return signBytes(null, bytes, key);
}

/** Whether a signature of these bytes was made with the private key of the pair. */
export function isSignedBy(bytes: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  return signature.length === 64 && verifyBytes(null, bytes, key, signature);
}

/** Makes a new pair, in PEM. */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
}
