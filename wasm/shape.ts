// Compares values with a table of allowed kinds and rules. The table is made of a dialect's schemas
// (src/log/schema/shape.ts, src/log/accelerator/program.ts); nothing here knows a format. A value that may not
// fit is refused, and the schema decides then.

import { instantOf, NO_TIME } from './time';
import { MAX_DEPTH, valueEnd, wordEnd } from './json';
import { closeKeys, noteKey, openKeys } from './keys';
import { numberAt } from './number';
import { charactersOf, hadEscape, numberEnd, space, stringEnd, unitsOf } from './text';
import { ENTRY_NEXT, ENTRY_NODE, ENTRY_NUMBER, entryOf, isKey } from './words';

// A node: the kinds, then for each kind with rules the address of the first rule, then a column + 1.
const NULL: u32 = 1;
const TRUE: u32 = 2;
const FALSE: u32 = 4;
const NUMBER: u32 = 8;
const STRING: u32 = 16;
const ARRAY: u32 = 32;
const OBJECT: u32 = 64;
const NODE_NUMBER: usize = 4;
const NODE_STRING: usize = 8;
const NODE_ARRAY: usize = 12;
const NODE_OBJECT: usize = 16;
const NODE_COLUMN: usize = 20;

/** A flag in the end of a column's text: it contains an escape. */
export const ESCAPED: u32 = 0x80000000;

/** The address of the current record's columns: the start and end of each. */
export let columns: usize = 0;

export function setColumns(at: usize): void {
  columns = at;
}

// @ts-ignore: decorator
@inline
function capture(column: u32, start: usize, end: usize, flags: u32): void {
  const at = columns + (<usize>(column - 1) << 3);
  store<u32>(at, <u32>start);
  store<u32>(at, <u32>end | flags, 4);
}

/** Reads a value, `depth` containers deep, that fits the node. Returns the address after it, or 0. */
export function fitEnd(p: usize, node: usize, depth: i32): usize {
  const kinds: u32 = load<u32>(node);
  const column: u32 = load<u32>(node, NODE_COLUMN);
  const byte: u32 = load<u8>(p);
  let end: usize = 0;
  let flags: u32 = 0;
  switch (byte) {
    case 0x22: {
      if (!(kinds & STRING)) return 0;
      end = stringEnd(p + 1);
      if (!end) return 0;
      if (hadEscape) flags = ESCAPED;
      const rule = load<usize>(node, NODE_STRING);
      if (rule && !stringFits(rule, p + 1, end - 1)) return 0;
      break;
    }
    case 0x7b: {
      if (!(kinds & OBJECT)) return 0;
      const rule = load<usize>(node, NODE_OBJECT);
      end = rule ? objectEnd(p, rule, depth) : valueEnd(p, depth);
      break;
    }
    case 0x5b: {
      if (!(kinds & ARRAY)) return 0;
      const rule = load<usize>(node, NODE_ARRAY);
      end = rule ? arrayEnd(p, rule, depth) : valueEnd(p, depth);
      break;
    }
    case 0x74:
    case 0x66:
    case 0x6e:
      if (!(kinds & (byte == 0x74 ? TRUE : byte == 0x66 ? FALSE : NULL))) return 0;
      end = wordEnd(p);
      break;
    default: {
      if (!(kinds & NUMBER)) return 0;
      end = numberEnd(p);
      if (!end) return 0;
      const rule = load<usize>(node, NODE_NUMBER);
      if (rule && !numberFits(rule, p, end)) return 0;
    }
  }
  if (end && column) capture(column, p, end, flags);
  return end;
}

// A rule for numbers: the next rule, flags, the bounds.
const WHOLE: u32 = 1;
const ABOVE_ONLY: u32 = 2;
const BELOW_ONLY: u32 = 4;

function numberFits(rule: usize, p: usize, end: usize): bool {
  const value = numberAt(p, end);
  if (isNaN<f64>(value)) return false;
  for (; rule; rule = load<usize>(rule)) {
    const flags: u32 = load<u32>(rule, 4);
    const min: f64 = load<f64>(rule, 8);
    const max: f64 = load<f64>(rule, 16);
    if (flags & WHOLE && nearest<f64>(value) != value) continue;
    if (flags & ABOVE_ONLY ? value <= min : value < min) continue;
    if (flags & BELOW_ONLY ? value >= max : value > max) continue;
    return true;
  }
  return false;
}

// A rule for strings: the next rule, the minimum and maximum length, however it is counted, words, an
// automaton, a format.
const MOST_UNITS: u32 = 0xffffffff;
const INSTANT: u32 = 1;

function stringFits(rule: usize, p: usize, end: usize): bool {
  const escaped = hadEscape;
  const length = <u32>(end - p);
  for (; rule; rule = load<usize>(rule)) {
    const min: u32 = load<u32>(rule, 4);
    const max: u32 = load<u32>(rule, 8);
    const words = load<usize>(rule, 12);
    const automaton = load<usize>(rule, 16);
    const format: u32 = load<u32>(rule, 20);
    if (escaped && (min > 1 || words || automaton || format)) continue;
    // There are at most as many UTF-16 units as bytes; an escape has several bytes per unit.
    if (min && (min == 1 ? length == 0 : charactersOf(p, end) < min)) continue;
    if (max != MOST_UNITS && length > max && (escaped || unitsOf(p, end) > max)) continue;
    if (words && !entryOf(words, p, end - p)) continue;
    if (automaton && !matches(automaton, p, end)) continue;
    if (format == INSTANT && instantOf(p, end - p) == NO_TIME) continue;
    return true;
  }
  return false;
}

/**
 * An automaton: the number of byte classes, the addresses of its transitions and accepting states, then the
 * class of each byte.
 */
function matches(automaton: usize, p: usize, end: usize): bool {
  const classes: u32 = load<u32>(automaton);
  const transitions = load<usize>(automaton, 4);
  const accepting = load<usize>(automaton, 8);
  let state: u32 = 1;
  for (; p < end; p++) {
    const kind: u32 = load<u8>(automaton + 16 + <usize>load<u8>(p));
    state = load<u16>(transitions + (<usize>(state * classes + kind) << 1));
    if (!state) return false;
  }
  return load<u8>(accepting + <usize>state) != 0;
}

/**
 * A rule for arrays: the next rule, the minimum and maximum length, the node of other items, the number of
 * first items, their nodes.
 */
function arrayEnd(p: usize, rule: usize, depth: i32): usize {
  const keys = openKeys();
  for (; rule; rule = load<usize>(rule)) {
    const end = itemsEnd(p, rule, depth);
    if (end) return end;
    closeKeys(keys);
  }
  return 0;
}

function itemsEnd(p: usize, rule: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return 0;
  const min: u32 = load<u32>(rule, 4);
  const max: u32 = load<u32>(rule, 8);
  const others = load<usize>(rule, 12);
  const first: u32 = load<u32>(rule, 16);
  p = space(p + 1);
  if (load<u8>(p) == 0x5d) return min ? 0 : p + 1;
  for (let count: u32 = 1; ; count++) {
    if (count > max) return 0;
    const node = count <= first ? load<usize>(rule + 16 + (<usize>count << 2)) : others;
    if (!node) return 0;
    p = fitEnd(p, node, depth + 1);
    if (!p) return 0;
    p = space(p);
    const after: u32 = load<u8>(p);
    if (after == 0x5d) return count < min ? 0 : p + 1;
    if (after != 0x2c) return 0;
    p = space(p + 1);
  }
  return 0;
}

// A rule for objects: the next rule, the set of known keys, bits of the required ones, the node of other
// members, the first key of the previous object, a column + 1 that says whether there are other members.
const RULE_KEYS: usize = 4;
const RULE_REQUIRED: usize = 8;
const RULE_OTHERS: usize = 16;
const RULE_FIRST: usize = 20;
const RULE_COLUMN: usize = 24;

function objectEnd(p: usize, rule: usize, depth: i32): usize {
  const keys = openKeys();
  for (; rule; rule = load<usize>(rule)) {
    const end = membersEnd(p, rule, depth);
    if (end) return end;
    closeKeys(keys);
  }
  return 0;
}

function membersEnd(p: usize, rule: usize, depth: i32): usize {
  if (depth >= MAX_DEPTH) return 0;
  const known = load<usize>(rule, RULE_KEYS);
  const required: u64 = load<u64>(rule, RULE_REQUIRED);
  const others = load<usize>(rule, RULE_OTHERS);
  p = space(p + 1);
  if (load<u8>(p) == 0x7d) return required ? 0 : p + 1;
  const base = openKeys();
  let mask: u64 = 0;
  let seen: u64 = 0;
  let firstOther: usize = 0;
  // Where the next entry is cached, because records are alike.
  let guess = rule + RULE_FIRST;
  while (true) {
    if (load<u8>(p) != 0x22) return 0;
    const key = p + 1;
    let entry = load<usize>(guess);
    if (entry && isKey(entry, key)) p = key + <usize>load<u32>(entry) + 1;
    else {
      p = stringEnd(key);
      if (!p || hadEscape) return 0;
      entry = entryOf(known, key, p - 1 - key);
      if (entry) store<usize>(guess, entry);
    }
    let node = others;
    if (entry) {
      const bit: u64 = <u64>1 << <u64>load<u32>(entry, ENTRY_NUMBER);
      if (seen & bit) return 0;
      seen |= bit;
      node = load<usize>(entry, ENTRY_NODE);
      guess = entry + ENTRY_NEXT;
    } else {
      mask = noteKey(base, key, p - 1 - key, mask);
      if (!mask) return 0;
      if (!firstOther) firstOther = key;
    }
    if (!node) return 0;
    p = space(p);
    if (load<u8>(p) != 0x3a) return 0;
    p = fitEnd(space(p + 1), node, depth + 1);
    if (!p) return 0;
    p = space(p);
    const after: u32 = load<u8>(p);
    if (after == 0x7d) {
      if ((seen & required) != required) return 0;
      closeKeys(base);
      const column: u32 = load<u32>(rule, RULE_COLUMN);
      if (column && firstOther) capture(column, firstOther, firstOther, 0);
      return p + 1;
    }
    if (after != 0x2c) return 0;
    p = space(p + 1);
  }
  return 0;
}
