import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/errors.ts';
import {
  isSignedBy,
  newKeyPair,
  rawPublicKey,
  requirePrivateKey,
  requirePublicKey,
  sign,
} from '../../src/keys/ed25519.ts';

const bytes = (text: string) => Buffer.from(text);
const pair = newKeyPair();
const curve = generateKeyPairSync('ec', {
  namedCurve: 'P-256',
  privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  publicKeyEncoding: { format: 'pem', type: 'spki' },
});

const failureOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a key file', () => {
  test('holds a key of the pair that was made: either half tells the public one', () => {
    const key = requirePrivateKey(bytes(pair.privateKey), 'ops.key');
    const publicKey = requirePublicKey(bytes(pair.publicKey), 'ops.pub');
    expect(rawPublicKey(key)).toEqual(rawPublicKey(publicKey));
    expect(rawPublicKey(requirePublicKey(bytes(pair.privateKey), 'ops.key'))).toEqual(rawPublicKey(key));
    const signature = sign(bytes('text'), key);
    expect(isSignedBy(bytes('text'), signature, publicKey)).toBe(true);
    expect(isSignedBy(bytes('Text'), signature, publicKey)).toBe(false);
    expect(isSignedBy(bytes('text'), signature.subarray(1), publicKey)).toBe(false);
  });

  test('may begin with a comment, or hold DER', () => {
    const expected = rawPublicKey(requirePublicKey(bytes(pair.publicKey), 'ops.pub'));
    const body = (pem: string) => Buffer.from(pem.replaceAll(/-----.*-----|\n/g, ''), 'base64');
    for (const file of [
      bytes(`\ufeff# ops\n${pair.publicKey}`),
      bytes(`# ops\n${pair.privateKey}`),
      body(pair.publicKey),
      body(pair.privateKey),
      bytes(body(pair.publicKey).toString('base64')),
    ])
      expect(rawPublicKey(requirePublicKey(file, 'ops.pub'))).toEqual(expected);
    expect(rawPublicKey(requirePrivateKey(body(pair.privateKey), 'ops.key'))).toEqual(expected);
  });

  test.each([
    ['a key of another kind', curve.publicKey],
    ['no key', 'a shared secret'],
    ['what only begins like one', '-----BEGIN PUBLIC KEY-----\nx\n-----END PUBLIC KEY-----\n'],
  ])('that contains %s is refused as a public key', (_, text) => {
    const failure = failureOf(() => requirePublicKey(bytes(text), 'ops.pub'));
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: 'ops.pub holds no Ed25519 public key',
      place: { file: 'ops.pub' },
      hint: expect.stringContaining('.pub'),
    });
  });

  test.each([
    ['the public half', pair.publicKey, 'a public key', /what signs is the private key/],
    ['a key of another kind', curve.privateKey, 'no Ed25519 private key', /keygen makes a pair/],
    ['no key', 'a shared secret', 'no Ed25519 private key', /keygen makes a pair/],
  ])('that contains %s is refused as a private key', (_, text, what, hint) => {
    const failure = failureOf(() => requirePrivateKey(bytes(text), 'ops.key'));
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: `ops.key holds ${what}`,
      place: { file: 'ops.key' },
      hint: expect.stringMatching(hint),
    });
  });
});
