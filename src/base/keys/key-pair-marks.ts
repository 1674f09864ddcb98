import { createPublicKey } from 'node:crypto';

/** Marks of texts with a key or a certificate: PEM, RFC 4716, OpenSSH, JWK, signify, and keys of signed notes. */
const TEXT_MARKS =
  /--\s?(?:BEGIN|END)\s|\bssh-(?:ed25519|ed448|rsa|dss)|\becdsa-sha2-|"kty"\s*:|untrusted comment:|\+[\da-f]{8}\+A[\w+/]{43}/i;

/**
 * The object identifiers of key algorithms in DER: Ed25519 and similar, PKCS (RSA and others), ANSI X9 (EC, DSA).
 */
const DER_MARKS = /\x06\x03\x2b\x65[\x6e-\x71]|\x2a\x86\x48\x86\xf7\x0d\x01|\x2a\x86\x48\xce[\x38\x3d]/;

/** Runs of characters that are decoded. Shorter ones cannot be a public key. */
const RUNS: readonly (readonly [RegExp, 'hex' | 'base64'])[] = [
  [/[\da-f]{64,}/gi, 'hex'],
  [/[\w+/-]{40,}/g, 'base64'],
];

/** A key may be encoded twice, such as a PEM in base64. */
const MOST_DECODED = 2;

/** Removes a byte order mark and the zeros of UTF-16. */
export const textOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replaceAll(/\0|[\xfe\xff\xef\xbb\xbf]/g, '');

/** The only form without an object identifier. */
function isPkcs1(key: Buffer): boolean {
  try {
    return createPublicKey({ key, format: 'der', type: 'pkcs1' }).type === 'public';
  } catch {
    return false;
  }
}

function isMarked(bytes: Buffer, depth: number): boolean {
  const text = textOf(bytes);
  if (TEXT_MARKS.test(text) || DER_MARKS.test(bytes.toString('latin1')) || isPkcs1(bytes)) return true;
  if (depth === MOST_DECODED) return false;
  const unbroken = text.replaceAll(/[\s:]/g, '');
  return [text, unbroken].some((one) =>
    RUNS.some(([run, encoding]) =>
      (one.match(run) ?? []).some((found) => isMarked(Buffer.from(found, encoding), depth + 1)),
    ),
  );
}

/**
 * Whether bytes contain a public key, a private key or a certificate, in any known form and at any place. Others
 * may know such bytes, so they must never be used as a shared secret. Nothing is parsed, because a key that does
 * not parse, for example because bytes follow it, is just as widely known. Returns false for the 32 bytes of a
 * raw public key, which look like a secret.
 */
export const hasPairKey = (bytes: Uint8Array): boolean => isMarked(Buffer.from(bytes), 0);
