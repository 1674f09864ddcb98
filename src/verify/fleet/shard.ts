import { createHash, hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { byText } from '../../base/text/order.ts';

/** One of several parts of many targets. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** A target before it is read. */
export interface ShardItem {
  /** Identifies it on every machine. Not a path, because paths may differ. */
  readonly key: string;
  /** The size of its log. */
  readonly bytes: number;
}

/** No scheduler has arrays this large, so a larger number is a typing error. */
const MOST_SHARDS = 1_000_000;

/** Parses `I/N`, with I from 1 to N; undefined if the text is something else. */
export function parseShard(text: string): Shard | undefined {
  const [, first = '', second = ''] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  return shardAt(Number(first), Number(second));
}

/** Makes a shard from numbers, counting from 1; undefined if there is no such shard. */
export function shardAt(index: number, count: number): Shard | undefined {
  const fits = count >= 1 && count <= MOST_SHARDS && index >= 1 && index <= count;
  return fits && Number.isInteger(index) && Number.isInteger(count) ? { index, count } : undefined;
}

/**
 * The key of a target: the id of an episode, which is the name of its folder. For a single log, its name and
 * that of its folder, because many logs may have the same name.
 */
export function shardKey(name: string, dir: string | undefined, log: string | undefined): string {
  return dir === undefined && log !== undefined ? `${basename(dirname(log))}/${name}` : name;
}

/**
 * A log of this size takes as long as thousands of small ones. A hash would not spread few such logs evenly.
 */
const LARGE = 64 * 1024 * 1024;

/** A number below `count` that depends only on the key. */
const byKey = (key: string, count: number): number =>
  Number.parseInt(hash('sha256', key, 'hex').slice(0, 12), 16) % count;

/** The shard, from 0, with the fewest bytes of large logs. Ties go to the first from `start` on. */
function lightest(loads: readonly number[], start: number): number {
  let best = start;
  for (let step = 1; step < loads.length; step += 1) {
    const at = (start + step) % loads.length;
    if ((loads[at] as number) < (loads[best] as number)) best = at;
  }
  return best;
}

/**
 * Assigns each item a shard, from 0. The hash of its key decides, so other items do not matter. Large items
 * are assigned by size, largest first, to the shard with the fewest bytes.
 */
export function assignShards(items: readonly ShardItem[], count: number): number[] {
  const shards = items.map(({ key }) => byKey(key, count));
  const large = items
    .map(({ key, bytes }, at) => ({ key, bytes, at, first: byKey(key, count) }))
    .filter(({ bytes }) => bytes >= LARGE)
    .sort((a, b) => b.bytes - a.bytes || byText(a.key, b.key));
  const loads = Array.from({ length: count }, () => 0);
  for (const { bytes, at, first } of large) {
    const shard = lightest(loads, first);
    shards[at] = shard;
    loads[shard] = (loads[shard] as number) + bytes;
  }
  return shards;
}

/** The items of one shard, and a digest that shows whether other shards were divided in the same way. */
interface ShardPart {
  /** Positions among all items, ascending. */
  readonly positions: readonly number[];
  readonly plan: string;
}

/** Divides items and returns those of one shard. */
export function partOf(items: readonly ShardItem[], { index, count }: Shard): ShardPart {
  const shards = assignShards(items, count);
  const digest = createHash('sha256').update(`${count}\n`);
  const positions: number[] = [];
  for (const [at, shard] of shards.entries()) {
    digest.update(`${shard} ${JSON.stringify(items[at]?.key)}\n`);
    if (shard === index - 1) positions.push(at);
  }
  return { positions, plan: `sha256:${digest.digest('hex')}` };
}
