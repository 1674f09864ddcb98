import type { KeyObject } from 'node:crypto';
import { UsageError } from '../../base/errors.ts';
import { HASH_BYTES, type Leaves } from './leaves.ts';
import { eachLineHash, MOST_LINES } from './line-hashes.ts';
import { type Hash, MerkleTree } from './merkle.ts';
import { isKeyName, isNoteSignedBy, parseNote, signNote } from './note.ts';

/**
 * A checkpoint: the first `size` lines of this log have this root (C2SP tlog-checkpoint,
 * docs/formats/checkpoint.md).
 */
export interface Checkpoint {
  /** The name of the log, and of the signing key. */
  readonly origin: string;
  /** The number of whole lines. */
  readonly size: number;
  /** The RFC 6962 root of the stored lines, without their newlines. */
  readonly root: Hash;
}

/** A checkpoint of a log as it is now. */
export interface TakenCheckpoint extends Checkpoint {
  /** Bytes after the last newline, which the checkpoint does not cover. */
  readonly uncovered: number;
}

/**
 * Takes a checkpoint of a log. The log may still be written to, because only whole lines count. `leaves`
 * receives the line hashes in batches, in memory that is reused after its promise resolves.
 *
 * @throws UsageError if the origin is not a valid name; the file system's error if the log cannot be read.
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
  const { bytes: uncovered } = await eachLineHash(
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

export function signCheckpoint({ origin, size, root }: Checkpoint, key: KeyObject): string {
  return signNote(`${origin}\n${size}\n${root.toString('base64')}\n`, origin, key);
}

const notOne = (name: string, why: string): UsageError =>
  new UsageError('usage', `${name} is not a checkpoint: ${why}`, {
    hint: 'run noesis checkpoint <target> -o FILE to write one',
  });

/**
 * Reads a checkpoint that one of the trusted keys signed. `name`: its file, for messages.
 *
 * @throws UsageError if it is not a checkpoint or has no trusted signature.
 */
export function openCheckpoint(text: string, trusted: readonly KeyObject[], name = 'this'): Checkpoint {
  const note = parseNote(text);
  if (!note) throw notOne(name, 'it is not a signed note');
  const [origin = '', sizeText = '', rootText = ''] = note.text.split('\n');
  const size = /^(0|[1-9]\d{0,15})$/.test(sizeText) ? Number(sizeText) : Number.NaN;
  if (!isKeyName(origin) || !Number.isSafeInteger(size))
    throw notOne(name, 'its first two lines are not an origin and a size');
  if (size === 0) throw notOne(name, 'it covers 0 lines, which proves nothing');
  const root = Buffer.from(rootText, 'base64');
  if (root.length !== HASH_BYTES || root.toString('base64') !== rootText)
    throw notOne(name, 'its third line is not a root hash');
  if (!isNoteSignedBy(note, origin, trusted)) {
    throw new UsageError('usage', `the checkpoint of ${origin} is not signed with a trusted key`, {
      hint: 'give --trust the public key of the pair that signed it',
    });
  }
  return { origin, size, root };
}

/** How a log relates to an earlier checkpoint of it. */
export type Extension =
  | { readonly extends: true; readonly now: Checkpoint; readonly added: number }
  | {
      readonly extends: false;
      readonly now: Checkpoint;
      /** The first line that changed or is missing; absent if only the root is known. */
      readonly line?: number;
      /** What that line lacks: only its newline, or more of its end. */
      readonly lost?: 'newline' | 'end';
    };

/** Whether a checkpoint was made of these leaves. */
function areOf(checkpoint: Checkpoint, leaves: Leaves): boolean {
  if (leaves.size !== checkpoint.size) return false;
  const tree = new MerkleTree();
  for (let index = 0; index < checkpoint.size; index++) tree.add(Buffer.from(leaves.at(index)));
  return tree.root().equals(checkpoint.root);
}

/**
 * Whether the first lines of a log still have the root of an earlier checkpoint. Reads the log once. With the
 * line hashes of the checkpoint, the first changed line is known; hashes that do not match the root are
 * ignored.
 */
export async function checkExtension(log: string, then: Checkpoint, leaves?: Leaves): Promise<Extension> {
  const tree = new MerkleTree();
  let rootThen: Buffer | undefined;
  let changed: number | undefined;
  const { hash: unfinished } = await eachLineHash(log, (hash) => {
    const index = tree.size;
    if (changed === undefined && index < then.size && leaves?.at(index).equals(hash) === false)
      changed = index;
    tree.add(hash);
    if (tree.size === then.size) rootThen = tree.root();
  });
  const now = { origin: then.origin, size: tree.size, root: tree.root() };
  if (rootThen?.equals(then.root)) return { extends: true, now, added: tree.size - then.size };
  if (unfinished && tree.size === then.size - 1) {
    tree.add(unfinished);
    if (tree.root().equals(then.root)) return { extends: false, now, line: then.size, lost: 'newline' };
  }
  if (leaves && areOf(then, leaves)) {
    const isCut = changed === undefined && unfinished !== undefined;
    return { extends: false, now, line: (changed ?? now.size) + 1, ...(isCut && { lost: 'end' }) };
  }
  return { extends: false, now };
}
