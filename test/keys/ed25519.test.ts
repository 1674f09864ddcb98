import { createHash, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/base/errors.ts';
import {
  isSignedBy,
  newKeyPair,
  rawPublicKey,
  requirePrivateKey,
  requirePublicKey,
  sign,
} from '../../src/base/keys/ed25519.ts';
import { hasPairKey } from '../../src/base/keys/key-pair-marks.ts';
import { verifierKey } from '../../src/verify/attest/note.ts';

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
  test('has a key of the new pair: either half gives the public one', () => {
    const key = requirePrivateKey(bytes(pair.privateKey), 'ops.key');
    const publicKey = requirePublicKey(bytes(pair.publicKey), 'ops.pub');
    expect(rawPublicKey(key)).toEqual(rawPublicKey(publicKey));
    expect(rawPublicKey(requirePublicKey(bytes(pair.privateKey), 'ops.key'))).toEqual(rawPublicKey(key));
    const signature = sign(bytes('text'), key);
    expect(isSignedBy(bytes('text'), signature, publicKey)).toBe(true);
    expect(isSignedBy(bytes('Text'), signature, publicKey)).toBe(false);
    expect(isSignedBy(bytes('text'), signature.subarray(1), publicKey)).toBe(false);
  });

  test('may begin with a comment, or contain DER', () => {
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
      message: 'ops.pub does not contain an Ed25519 public key',
      place: { file: 'ops.pub' },
      hint: expect.stringContaining('.pub'),
    });
  });

  test.each([
    ['the public half', pair.publicKey, 'contains a public key', /sign with the private key/],
    [
      'a key of another kind',
      curve.privateKey,
      'does not contain an Ed25519 private key',
      /keygen makes a pair/,
    ],
    ['no key', 'a shared secret', 'does not contain an Ed25519 private key', /keygen makes a pair/],
  ])('that contains %s is refused as a private key', (_, text, what, hint) => {
    const failure = failureOf(() => requirePrivateKey(bytes(text), 'ops.key'));
    expect(failure).toBeInstanceOf(UsageError);
    expect(failure).toMatchObject({
      message: `ops.key ${what}`,
      place: { file: 'ops.key' },
      hint: expect.stringMatching(hint),
    });
  });
});

describe('a public key, which everyone knows, is seen as one', () => {
  const length = (bytes: number) => Buffer.from([0, 0, 0, bytes]);
  const kinds = {
    Ed25519: generateKeyPairSync('ed25519'),
    X25519: generateKeyPairSync('x25519'),
    Ed448: generateKeyPairSync('ed448'),
    'P-256': generateKeyPairSync('ec', { namedCurve: 'P-256' }),
    RSA: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    'RSA-PSS': generateKeyPairSync('rsa-pss', { modulusLength: 2048 }),
  };

  test.each(Object.entries(kinds))(
    'of %s in DER, PEM, base64 and hexadecimal',
    (_, { publicKey, privateKey }) => {
      const der = publicKey.export({ format: 'der', type: 'spki' });
      const pem = publicKey.export({ format: 'pem', type: 'spki' }).toString();
      const lines = (der.toString('base64').match(/.{1,20}/g) ?? []).join('\r\n');
      const forms: readonly (readonly [string, Uint8Array | string])[] = [
        ['DER', der],
        ['DER and more bytes', Buffer.concat([der, bytes('more')])],
        ['DER after a newline', Buffer.concat([bytes('\n'), der])],
        ['DER in hexadecimal', der.toString('hex')],
        ['DER in hexadecimal with colons', (der.toString('hex').match(/../g) ?? []).join(':').toUpperCase()],
        ['DER in base64', der.toString('base64')],
        ['DER in base64url', der.toString('base64url')],
        ['DER in base64 on lines', lines],
        ['DER in base64 twice', bytes(der.toString('base64')).toString('base64')],
        ['DER in base64 in quotes', `"${der.toString('base64')}"`],
        ['DER in base64 after a name', `KEY=${der.toString('base64')}`],
        ['DER in base64 after a space of Unicode', `\u00a0\u200b${der.toString('base64')}`],
        ['DER in base64 in UTF-16', Buffer.from(`\ufeff${der.toString('base64')}`, 'utf16le').swap16()],
        ['PEM', pem],
        ['PEM in base64', bytes(pem).toString('base64')],
        ['PEM in hexadecimal', bytes(pem).toString('hex')],
        ['PEM in JSON', JSON.stringify(pem)],
        ['PEM with other dashes', pem.replaceAll('-----', '---- ')],
        ['PEM in lower case', pem.replace('BEGIN', 'begin')],
        ['PEM without its first line', pem.split('\n').slice(1).join('\n')],
        [
          'the private half with a passphrase',
          privateKey.export({ format: 'der', type: 'pkcs8', cipher: 'aes-256-cbc', passphrase: 'x' }),
        ],
      ];
      expect(forms.filter(([, form]) => !hasPairKey(Buffer.from(form))).map(([name]) => name)).toEqual([]);
    },
  );

  test('of OpenSSH, RFC 4716, JWK, signify and signed notes', () => {
    const raw = kinds.Ed25519.publicKey.export({ format: 'der', type: 'spki' }).subarray(12);
    const blob = Buffer.concat([length(11), bytes('ssh-ed25519'), length(32), raw]);
    const line = `ssh-ed25519 ${blob.toString('base64')}`;
    const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') };
    const signify = Buffer.concat([bytes('Ed'), Buffer.alloc(8), raw]).toString('base64');
    const forms = [
      blob.toString('base64'),
      line.replace(' ', '\t'),
      `no-pty,command="x" ${line} ann@example.org`,
      `example.org ${line}`,
      `# the key of ops\n${line}`,
      `---- BEGIN SSH2 PUBLIC KEY ----\nComment: "x"\n${blob.toString('base64')}\n---- END SSH2 PUBLIC KEY ----\n`,
      JSON.stringify([jwk]),
      JSON.stringify({ keys: [jwk] }, undefined, 2),
      `untrusted comment: a key\n${signify}\n`,
      verifierKey('ops', kinds.Ed25519.publicKey),
    ];
    expect(forms.filter((form) => !hasPairKey(bytes(form)))).toEqual([]);
  });

  test('and a secret is not, in bytes, hexadecimal, base64 or words', () => {
    for (const size of [16, 32, 48, 64, 512]) {
      const secret = createHash('shake256', { outputLength: size }).update('a secret').digest();
      for (const form of [secret, bytes(secret.toString('hex')), bytes(secret.toString('base64'))])
        expect([size, form.toString('hex'), hasPairKey(form)]).toEqual([size, form.toString('hex'), false]);
    }
    expect(hasPairKey(bytes('spend-end monkey: BEGIN, END KEY'))).toBe(false);
  });
});
