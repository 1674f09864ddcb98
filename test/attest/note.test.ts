import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openCheckpoint, signCheckpoint } from '../../src/verify/attest/checkpoint.ts';
import { isNoteSignedBy, parseNote, signNote, verifierKey } from '../../src/verify/attest/note.ts';

/** The example of the signed note format: a verifier key and a note that it signed. */
const VERIFIER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const NOTE = `If you think cryptography is the answer to your problem,
then you don't know what your problem is.

\u2014 PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=
`;
const raw = Buffer.from(VERIFIER.split('+')[2] ?? '', 'base64').subarray(1);
const PETER = createPublicKey({
  key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
  format: 'jwk',
});

const pair = generateKeyPairSync('ed25519');
const other = generateKeyPairSync('ed25519');

describe('a signed note', () => {
  test('is read as the format says, with the same key name', () => {
    const note = parseNote(NOTE);
    expect(note && isNoteSignedBy(note, 'PeterNeumann', [PETER])).toBe(true);
    expect(note && isNoteSignedBy(note, 'PeterNeumann', [pair.publicKey])).toBe(false);
    expect(note && isNoteSignedBy(note, 'Somebody', [PETER])).toBe(false);
    expect(verifierKey('PeterNeumann', PETER)).toBe(VERIFIER);
  });

  test('does not fit another text', () => {
    const note = parseNote(NOTE.replace('cryptography', 'Cryptography'));
    expect(note && isNoteSignedBy(note, 'PeterNeumann', [PETER])).toBe(false);
  });

  test.each([
    ['nothing', ''],
    ['no signature', 'a\n'],
    ['no last newline', NOTE.slice(0, -1)],
    ['an invalid signature', 'a\n\n\u2014 name !\n'],
    ['a short signature', 'a\n\n\u2014 name QUJD\n'],
    ['a line among the signatures', NOTE.replace('\u2014 ', '- ')],
  ])('is refused with %s', (_, text) => {
    expect(parseNote(text)).toBeUndefined();
  });
});

describe('a signed checkpoint', () => {
  const checkpoint = { origin: 'ep_1', size: 3, root: Buffer.alloc(32, 7) };
  const text = signCheckpoint(checkpoint, pair.privateKey);

  test('is read with the key that signed it, among others', () => {
    expect(text.split('\n').slice(0, 4)).toEqual(['ep_1', '3', checkpoint.root.toString('base64'), '']);
    expect(openCheckpoint(text, [other.publicKey, pair.publicKey])).toEqual(checkpoint);
  });

  test.each([
    ['nobody is trusted', text, [], /not signed with a trusted key/],
    ['somebody else is trusted', text, [other.publicKey], /not signed with a trusted key/],
    [
      'the size was changed',
      text.replace('\n3\n', '\n2\n'),
      [pair.publicKey],
      /not signed with a trusted key/,
    ],
    [
      'it was signed under another name',
      signNote('ep_1\n3\nAA==\n', 'ep_2', pair.privateKey),
      [pair.publicKey],
      /not a root hash/,
    ],
    [
      'the size is invalid',
      signNote('ep_1\n03\nAA==\n', 'ep_1', pair.privateKey),
      [pair.publicKey],
      /not an origin and a size/,
    ],
    ['it is not a note', 'ep_1\n3\n', [pair.publicKey], /not a signed note/],
  ])('is refused where %s', (_, note, keys, message) => {
    expect(() => openCheckpoint(note, keys)).toThrow(message);
  });
});
