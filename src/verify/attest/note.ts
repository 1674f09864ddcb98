import { hash, type KeyObject } from 'node:crypto';
import { isSignedBy, rawPublicKey, sign } from '../../base/keys/ed25519.ts';

/** The type of a signature in a note: Ed25519 (C2SP signed-note). */
const ED25519 = 0x01;

/** The prefix of each signature line. */
const DASH = '\u2014 ';

/** A text and its signatures (C2SP signed-note, docs/formats/checkpoint.md). */
interface Note {
  /** Ends with a newline. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

interface NoteSignature {
  readonly name: string;
  /** The first four bytes of a hash of name and key; readers use them to find the key. */
  readonly keyHash: Buffer;
  readonly signature: Buffer;
}

/** A name of a signer: no white space, no plus sign. */
export const isKeyName = (name: string): boolean => /^[^\s+]+$/u.test(name);

/** The hash that identifies a key in a note. */
function keyHashOf(name: string, key: KeyObject): Buffer {
  const bytes = Buffer.concat([Buffer.from(`${name}\n`), Buffer.from([ED25519]), rawPublicKey(key)]);
  return hash('sha256', bytes, 'buffer').subarray(0, 4);
}

/** A public key in the form that signed-note tools read: `name+hash+key`. */
export function verifierKey(name: string, key: KeyObject): string {
  const bytes = Buffer.concat([Buffer.from([ED25519]), rawPublicKey(key)]);
  return `${name}+${keyHashOf(name, key).toString('hex')}+${bytes.toString('base64')}`;
}

/** Signs a text, which must end with a newline. */
export function signNote(text: string, name: string, key: KeyObject): string {
  const signature = Buffer.concat([keyHashOf(name, key), sign(Buffer.from(text), key)]);
  return `${text}\n${DASH}${name} ${signature.toString('base64')}\n`;
}

/** Parses a note; undefined if the text is not a valid note. */
export function parseNote(note: string): Note | undefined {
  const split = note.lastIndexOf('\n\n');
  if (split < 0 || !note.endsWith('\n')) return undefined;
  const text = note.slice(0, split + 1);
  const lines = note.slice(split + 2, -1).split('\n');
  const signatures: NoteSignature[] = [];
  for (const line of lines) {
    const [, name, base64] = /^\u2014 ([^\s+]+) ([A-Za-z0-9+/]+={0,2})$/u.exec(line) ?? [];
    const bytes = Buffer.from(base64 ?? '', 'base64');
    if (name === undefined || bytes.length < 5) return undefined;
    signatures.push({ name, keyHash: bytes.subarray(0, 4), signature: bytes.subarray(4) });
  }
  return { text, signatures };
}

/** Whether one of the keys signed a note under this name. Signatures of unknown keys are ignored. */
export function isNoteSignedBy(note: Note, name: string, keys: readonly KeyObject[]): boolean {
  const bytes = Buffer.from(note.text);
  return note.signatures.some(
    (one) =>
      one.name === name &&
      keys.some((key) => keyHashOf(name, key).equals(one.keyHash) && isSignedBy(bytes, one.signature, key)),
  );
}
