import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { YIELD_MS } from '../../src/base/time/yielder.ts';
import { checkExtension, takeCheckpoint } from '../../src/verify/attest/checkpoint.ts';
import { Leaves } from '../../src/verify/attest/leaves.ts';
import { leafHash, MerkleTree } from '../../src/verify/attest/merkle.ts';
import { times } from '../support/length.ts';
import { tempFile } from '../support/temp.ts';

/** The leaves and roots that Certificate Transparency's own implementations are tested with. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
];
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const sha256 = (...parts: Uint8Array[]): Buffer => {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
};

/** The root as RFC 6962 defines it: split at the largest power of two, and hash both halves. */
function definedRoot(leaves: readonly Uint8Array[]): Buffer {
  const [first] = leaves;
  if (first === undefined) return sha256();
  if (leaves.length === 1) return sha256(Buffer.from([0]), first);
  let half = 1;
  while (half * 2 < leaves.length) half *= 2;
  return sha256(Buffer.from([1]), definedRoot(leaves.slice(0, half)), definedRoot(leaves.slice(half)));
}

const leavesOf = (bytes: Buffer) => new Leaves(bytes.length, (into, at) => bytes.copy(into, 0, at));

describe('the root of a tree', () => {
  test('matches the known vectors at every size', () => {
    const tree = new MerkleTree();
    const roots = [tree.root().toString('hex')];
    for (const leaf of LEAVES) {
      tree.add(leafHash(Buffer.from(leaf, 'hex')));
      roots.push(tree.root().toString('hex'));
    }
    expect(roots).toEqual(ROOTS);
    expect(tree.size).toBe(8);
  });

  test('matches the definition', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3 }), { maxLength: 70 }), (leaves) => {
        const tree = new MerkleTree();
        for (const leaf of leaves) tree.add(leafHash(leaf));
        expect(tree.root()).toEqual(definedRoot(leaves));
      }),
      { numRuns: times(50, 10) },
    );
  });
});

const line = fc.string({ maxLength: 6 }).map((text) => text.replaceAll('\n', ''));
const textOf = (lines: readonly string[]): string => lines.map((one) => `${one}\n`).join('');

describe('a checkpoint', () => {
  test('covers whole lines, as they are stored', async () => {
    const taken = await takeCheckpoint(tempFile('{"a":1}\r\n\n{"b":2}\ntorn'), 'log');
    expect(taken.size).toBe(3);
    expect(taken.uncovered).toBe(4);
    expect(taken.root).toEqual(definedRoot(['{"a":1}\r', '', '{"b":2}'].map((one) => Buffer.from(one))));
  });

  test('yields to other work', async () => {
    let ticks = 0;
    const tick = () => {
      ticks += 1;
      timer = setImmediate(tick);
    };
    let timer = setImmediate(tick);
    let now = 0;
    vi.spyOn(Date, 'now').mockImplementation(() => {
      now += YIELD_MS;
      return now;
    });
    const path = tempFile(`${'x'.repeat(1000)}\n`.repeat(2000));
    const { size } = await takeCheckpoint(path, 'log');
    clearImmediate(timer);
    vi.restoreAllMocks();
    expect(size).toBe(2000);
    expect(ticks).toBeGreaterThanOrEqual(7);
  });

  test('hashes a line that is longer than a chunk', async () => {
    const long = 'x'.repeat(3 * 1024 * 1024 + 5);
    const taken = await takeCheckpoint(tempFile(`${long}\nshort\n`), 'log');
    expect(taken.root).toEqual(definedRoot([Buffer.from(long), Buffer.from('short')]));
  });

  test('is valid for every extension of its log, and for nothing else; the first changed line is named', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 9 }),
        fc.array(line, { maxLength: 9 }),
        async (then, now) => {
          const hashes: Buffer[] = [];
          const checkpoint = await takeCheckpoint(tempFile(textOf(then)), 'log', async (some) => {
            for (let at = 0; at < some.length; at += 32) hashes.push(Buffer.from(some.subarray(at, at + 32)));
          });
          const leaves = leavesOf(Buffer.concat(hashes));
          const extended = await checkExtension(tempFile(textOf([...then, ...now])), checkpoint, leaves);
          expect(extended).toMatchObject({ extends: true, added: now.length });
          const other = await checkExtension(tempFile(textOf(now)), checkpoint, leaves);
          const changed = then.findIndex((text, index) => text !== now[index]);
          expect(other.extends).toBe(changed === -1);
          if (!other.extends) expect(other.line).toBe(changed + 1);
        },
      ),
      { numRuns: times(60, 12) },
    );
  });

  test('names no line if the hashes do not match the checkpoint', async () => {
    const checkpoint = await takeCheckpoint(tempFile('a\nb\n'), 'log');
    const log = tempFile('a\nc\n');
    const forged = leavesOf(Buffer.concat([leafHash(Buffer.from('x')), leafHash(Buffer.from('b'))]));
    for (const leaves of [undefined, forged, leavesOf(Buffer.alloc(7)), leavesOf(Buffer.alloc(0))])
      expect(await checkExtension(log, checkpoint, leaves)).toEqual({
        extends: false,
        now: expect.objectContaining({ size: 2 }),
      });
  });

  test('names the changed line of a log that has more lines than hashes are read at a time', async () => {
    const lines = Array.from({ length: 5000 }, (_, index) => `${index}`);
    const hashes = Buffer.concat(lines.map((text) => leafHash(Buffer.from(text))));
    const checkpoint = await takeCheckpoint(tempFile(`${lines.join('\n')}\n`), 'log');
    const log = tempFile(`${lines.with(4321, 'other').join('\n')}\n`);
    expect(await checkExtension(log, checkpoint, leavesOf(hashes))).toMatchObject({
      extends: false,
      line: 4322,
    });
  });

  test('needs a name that is valid in a note', async () => {
    for (const name of ['', 'a b', 'a+b', 'a\nb'])
      await expect(takeCheckpoint(tempFile(''), name)).rejects.toThrow(/cannot name a log/);
  });
});
