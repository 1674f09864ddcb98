import type { KeyObject } from 'node:crypto';
import { UsageError } from '../errors.ts';
import { HASH_BYTES, type Leaves } from './leaves.ts';
import { eachLineHash, MOST_LINES } from './line-hashes.ts';
import { type Hash, MerkleTree } from './merkle.ts';
import { isKeyName, isNoteSignedBy, parseNote, signNote } from './note.ts';

/** What a checkpoint says: so many lines of this log have this root (C2SP tlog-checkpoint, docs/formats/checkpoint.md). */
export interface Checkpoint {
  /** The name of the log, and of the key that signs. */
  readonly origin: string;
  /** Whole lines. */
  readonly size: number;
  /** The RFC 6962 root over the stored bytes of the lines, without their newlines. */
  readonly root: Hash;
}

/** A checkpoint of a log as it is, and what stands behind its last whole line. */
export interface TakenCheckpoint extends Checkpoint {
  /** Bytes after the last newline, which the checkpoint does not cover. */
  readonly uncovered: number;
}

/**
 * Takes the checkpoint of a log, live ones as well: only whole lines count. `leaves` is given the
 * hashes of the lines, many at a time, in memory that is used again once its promise resolves.
 *
 * @throws UsageError where the origin can be no name; the file system's error where the log cannot be read.
 */
export async function takeCheckpoint(
  log: string,
  origin: string,
  leaves?: (hashes: Buffer) => Promise<void>,
): Promise<TakenCheckpoint> {
  if (!isKeyName(origin)) {
    throw new UsageError('usage', `${JSON.stringify(origin)} cannot name a log in a checkpoint`, {
      hint: 'give --origin a name without white space and plus signs',
    });
  }
  const tree = new MerkleTree();
  const hashes = Buffer.allocUnsafe(leaves ? MOST_LINES * HASH_BYTES : 0);
  let filled = 0;
  const uncovered = await eachLineHash(
    log,
    (hash) => {
      tree.add(hash);
      if (leaves) filled += hash.copy(hashes, filled);
    },
    async () => {
      await leaves?.(hashes.subarray(0, filled));
      filled = 0;
    },
  );
  return { origin, size: tree.size, root: tree.root(), uncovered };
}

/** The signed form. */
export function signCheckpoint({ origin, size, root }: Checkpoint, key: KeyObject): string {
  return signNote(`${origin}\n${size}\n${root.toString('base64')}\n`, origin, key);
}

const notOne = (why: string): UsageError =>
  new UsageError('usage', `this is no checkpoint: ${why}`, {
    hint: 'noesis checkpoint <target> -o FILE writes one',
  });

/**
 * Reads a checkpoint that one of the keys has signed.
 *
 * @throws UsageError where it is none, or where nobody who is trusted signed it.
 */
export function openCheckpoint(text: string, trusted: readonly KeyObject[]): Checkpoint {
  const note = parseNote(text);
  if (!note) throw notOne('it is no signed note');
  const [origin = '', sizeText = '', rootText = ''] = note.text.split('\n');
  const size = /^(0|[1-9]\d{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  if (!isKeyName(origin) || !Number.isSafeInteger(size))
    throw notOne('its first lines are no origin and size');
  if (size === 0) throw notOne('it covers 0 lines, and so proves nothing of any log');
  const root = Buffer.from(rootText, 'base64');
  if (root.length !== HASH_BYTES || root.toString('base64') !== rootText)
    throw notOne('its third line is no root');
  if (!isNoteSignedBy(note, origin, trusted)) {
    throw new UsageError('usage', `the checkpoint of ${origin} is not signed by a key that is trusted`, {
      hint: '--trust names the public key of the pair that signed it',
    });
  }
  return { origin, size, root };
}

/** How a log of today stands to a checkpoint of then. */
export type Extension =
  | { readonly extends: true; readonly now: Checkpoint; readonly added: number }
  | {
      readonly extends: false;
      readonly now: Checkpoint;
      /** The first line that is not what it was, or is gone; absent where only the root is known. */
      readonly line?: number;
    };

/** Whether leaves are those that the checkpoint was made of. */
function areOf(checkpoint: Checkpoint, leaves: Leaves): boolean {
  if (leaves.size !== checkpoint.size) return false;
  const tree = new MerkleTree();
  for (let index = 0; index < checkpoint.size; index++) tree.add(Buffer.from(leaves.at(index)));
  return tree.root().equals(checkpoint.root);
}

/**
 * Whether a log extends what a checkpoint says of it: its first lines have the root of then. One pass over the log.
 * With the hashes of then, the first line that was changed is known; hashes that do not give the checkpoint's root are
 * left aside.
 */
export async function checkExtension(log: string, then: Checkpoint, leaves?: Leaves): Promise<Extension> {
  const tree = new MerkleTree();
  let rootThen: Buffer | undefined;
  let changed: number | undefined;
  await eachLineHash(log, (hash) => {
    const index = tree.size;
    if (changed === undefined && index < then.size && leaves?.at(index).equals(hash) === false)
      changed = index;
    tree.add(hash);
    if (tree.size === then.size) rootThen = tree.root();
  });
  const now = { origin: then.origin, size: tree.size, root: tree.root() };
  if (rootThen?.equals(then.root)) return { extends: true, now, added: tree.size - then.size };
  if (leaves && areOf(then, leaves)) return { extends: false, now, line: (changed ?? tree.size) + 1 };
  return { extends: false, now };
}
