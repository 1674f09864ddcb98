import { createHash, hash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { byText } from '../text/order.ts';

/** One of several parts that many targets are divided into. */
export interface Shard {
  /** From 1. */
  readonly index: number;
  readonly count: number;
}

/** What is known of a target before anything of it is read. */
export interface ShardItem {
  /** Names it on every machine: no path, which may differ. */
  readonly key: string;
  /** Of its log. */
  readonly bytes: number;
}

/** More parts than any scheduler has tasks in an array: a slip of the hand. */
const MOST_SHARDS = 1_000_000;

/** Reads `I/N`, I from 1 to N; undefined for what is no such thing. */
export function parseShard(text: string): Shard | undefined {
  const [, first = '', second = ''] = /^(\d{1,7})\/(\d{1,7})$/.exec(text) ?? [];
  return shardAt(Number(first), Number(second));
}

/** The part of a number, from 1; undefined where there is none. */
export function shardAt(index: number, count: number): Shard | undefined {
  const fits = count >= 1 && count <= MOST_SHARDS && index >= 1 && index <= count;
  return fits && Number.isInteger(index) && Number.isInteger(count) ? { index, count } : undefined;
}

/**
 * The key of a target: the id of an episode, which is the name of its folder; for a log alone its name and that of its
 * folder, as many logs may have one name.
 */
export function shardKey(name: string, dir: string | undefined, log: string | undefined): string {
  return dir === undefined && log !== undefined ? `${basename(dirname(log))}/${name}` : name;
}

/** A log of so many bytes takes as long as thousands of small ones: chance does not spread few such logs well. */
const LARGE = 64 * 1024 * 1024;

/** A number that hangs on the key alone, below the count. */
const byKey = (key: string, count: number): number =>
  Number.parseInt(hash('sha256', key, 'hex').slice(0, 12), 16) % count;

/** The shard, from 0, with the fewest bytes of large logs; of equals the first from `start` on. */
function lightest(loads: readonly number[], start: number): number {
  let best = start;
  for (let step = 1; step < loads.length; step += 1) {
    const at = (start + step) % loads.length;
    if ((loads[at] as number) < (loads[best] as number)) best = at;
  }
  return best;
}

/**
 * The shard of each item, from 0: by the hash of its key, so that what comes and goes beside it changes nothing; large
 * ones are dealt out, the largest first, to the shard that has the least of them.
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

/** The part of one shard, and what tells whether others divided the same targets in the same way. */
export interface ShardPart {
  /** Places among all items, ascending. */
  readonly positions: readonly number[];
  readonly plan: string;
}

/** Divides items, and gives the part of one shard. */
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
