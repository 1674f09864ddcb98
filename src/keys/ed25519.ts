import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { UsageError } from '../errors.ts';

/** What a PEM file begins with: no shared secret looks like this. */
const PEM = Buffer.from('-----BEGIN ');

/** The bytes before the 32 of the key in the DER form of an Ed25519 public key (RFC 8410). */
const SPKI_PREFIX_BYTES = 12;

/** Whether bytes are a key in PEM and no shared secret. What anybody may know must never be taken for a secret. */
export function isPem(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(PEM) === 0;
}

/** A key read from PEM, where it is one of Ed25519. */
function ed25519In(pem: Uint8Array, read: (pem: Buffer) => KeyObject): KeyObject | undefined {
  try {
    const key = read(Buffer.from(pem));
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The Ed25519 public key in PEM, also that of a private one; undefined where it is none. */
export const publicKeyIn = (pem: Uint8Array): KeyObject | undefined => ed25519In(pem, createPublicKey);

/** The Ed25519 private key in PEM (PKCS 8, without a passphrase); undefined where it is none. */
export const privateKeyIn = (pem: Uint8Array): KeyObject | undefined => ed25519In(pem, createPrivateKey);

/** `publicKeyIn`, where a command needs one. @throws UsageError */
export function requirePublicKey(pem: Uint8Array, file: string): KeyObject {
  const key = publicKeyIn(pem);
  if (key) return key;
  throw new UsageError('usage', `${file} holds no Ed25519 public key`, {
    place: { file },
    hint: 'noesis keygen makes a pair: the file that ends with .pub is the public one',
  });
}

/** `privateKeyIn`, where a command needs one. @throws UsageError */
export function requirePrivateKey(pem: Uint8Array, file: string): KeyObject {
  const key = privateKeyIn(pem);
  if (key) return key;
  const isPublic = isPem(pem) && publicKeyIn(pem) !== undefined;
  throw new UsageError('usage', `${file} holds ${isPublic ? 'a public key' : 'no Ed25519 private key'}`, {
    place: { file },
    hint: isPublic
      ? 'what signs is the private key of the pair, the file that ends with .key'
      : 'noesis keygen makes a pair: the file that ends with .key is the private one',
  });
}

/** The public half of a pair. */
export function publicKeyOf(key: KeyObject): KeyObject {
  return key.type === 'private' ? createPublicKey(key) : key;
}

/** The 32 bytes of a public key. */
export function rawPublicKey(key: KeyObject): Buffer {
  return publicKeyOf(key).export({ format: 'der', type: 'spki' }).subarray(SPKI_PREFIX_BYTES);
}

/** A signature of 64 bytes. */
export function sign(bytes: Uint8Array, key: KeyObject): Buffer {
  return signBytes(null, bytes, key);
}

/** Whether a signature of these bytes was made with the private key of the pair. */
export function isSignedBy(bytes: Uint8Array, signature: Uint8Array, key: KeyObject): boolean {
  return signature.length === 64 && verifyBytes(null, bytes, key, signature);
}

/** A new pair, in PEM. */
export function newKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  return generateKeyPairSync('ed25519', {
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
    publicKeyEncoding: { format: 'pem', type: 'spki' },
  });
}
