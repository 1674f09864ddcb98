import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampled, times } from '../support/length.ts';
import { tempDir } from '../support/temp.ts';
import { type Cost, cost } from './cost.ts';

/** Enough ids that a table in which they all collide would take minutes. */
const COUNT = times(150_000, 30_000);

/** A UUID of two halves of 64 bits. */
function uuid(high: bigint, low: bigint): string {
  const hex = [high, low].map((half) => BigInt.asUintN(64, half).toString(16).padStart(16, '0')).join('');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const GOLDEN = 0x9e3779b97f4a7c15n;
/** Any constant would do. */
const SALT = 0x5bd1e9955bd1e995n;

/** FNV-1a over more of a text. Its low bits depend on the low bits of the state alone. */
function fnv(state: number, text: string): number {
  let hash = state;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash >>> 0;
}

const OFFSET_BASIS = 0x811c9dc5;

/** In upper case, so that they are kept as texts and not as the 16 bytes of a UUID. */
const DIGITS = '0123456789ABCDEF';

/** Texts of four digits with a prefix and a suffix that lead FNV-1a to the same state. */
function* endingIn(target: number, state: number, before: string, behind: string): Generator<string> {
  const start = fnv(state, before);
  for (const a of DIGITS) {
    for (const b of DIGITS) {
      const two = fnv(start, a + b);
      for (const c of DIGITS) {
        const three = fnv(two, c);
        for (const d of DIGITS)
          if ((fnv(fnv(three, d), behind) & 0xffff) === target) yield before + a + b + c + d + behind;
      }
    }
  }
}

/**
 * Parts of ids that look like UUIDs, each of which leads FNV-1a from one state to another, as far as its low 16 bits go:
 * whatever is chosen of the first and the last part, all the ids fall into a few places of a table.
 */
function fnvParts(each: number): [first: string[], middle: string, last: string[]] {
  const middle = '0000-0000-0000-';
  const part = (digits: number, state: number, behind: string) => {
    const target = fnv(state, '0'.repeat(digits) + behind) & 0xffff;
    const found: string[] = [];
    for (let n = 0; found.length < each; n += 1) {
      const before = n
        .toString(16)
        .toUpperCase()
        .padStart(digits - 4, '0');
      found.push(...endingIn(target, state, before, behind));
    }
    return { found: found.slice(0, each), target };
  };
  const first = part(8, OFFSET_BASIS, '-');
  const last = part(12, fnv(first.target, middle), '');
  return [first.found, middle, last.found];
}

function* fallingTogether(): Generator<string> {
  const [first, middle, last] = fnvParts(Math.ceil(Math.sqrt(COUNT)));
  for (const a of first) for (const b of last) yield a + middle + b;
}

const FAMILIES: Readonly<Record<string, () => Iterable<string>>> = {
  'that fall together in FNV-1a': fallingTogether,
  'whose halves have one exclusive or': () => each((n) => uuid(n * GOLDEN, (n * GOLDEN) ^ SALT)),
  'that differ in their first digits alone': () => each((n) => uuid(n << 40n, SALT)),
  'that differ in their last digits alone': () => each((n) => uuid(SALT, n)),
};

function* each(of: (n: bigint) => string): Generator<string> {
  for (let n = 0n; n < COUNT; n += 1n) yield of(n);
}

/** The cost of verifying a log with these ids. */
function costOf(ids: Iterable<string>): Cost {
  const path = join(tempDir(), 'events.jsonl');
  const file = openSync(path, 'w');
  const lines: string[] = [];
  const rest =
    '","episode_id":"ep_x","phase":"reason","payload":{},"evidence_ids":[],"timestamp":"2026-03-02T09:00:00Z"}\n';
  let count = 0;
  for (const id of ids) {
    if (count === COUNT) break;
    count += 1;
    lines.push(`{"id":"${id}${rest}`);
  }
  expect(count).toBe(COUNT);
  writeSync(file, lines.join(''));
  closeSync(file);
  const run = cost(['verify', path, '--dialect', 'noesis', '-j', '--jobs', '1']);
  expect([run.code, run.stdout.includes('event/duplicate-id')]).toEqual([0, false]);
  return run;
}

test('ids made to collide under FNV-1a do collide there', () => {
  const [one, two, three] = fallingTogether();
  expect(new Set([one, two, three].map((id) => fnv(OFFSET_BASIS, id ?? '') & 0xffff)).size).toBe(1);
  expect(one).toMatch(/^[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}$/);
});

test('ids that collide on purpose cost no more than others', () => {
  const honest = costOf(each((n) => uuid(n * GOLDEN * GOLDEN + SALT, n * GOLDEN ** 3n)));
  for (const [name, ids] of sampled(Object.entries(FAMILIES), 2)) {
    const { cpu, memory } = costOf(ids());
    expect([name, cpu < honest.cpu * 3 + 1, memory < honest.memory * 2 + 100]).toEqual([name, true, true]);
  }
});
