// What is remembered of a log: the fast way writes it here, and the careful reader reads and writes it too.

import { IdTable } from './ids';
import { lookForRepeatedKeys } from './json';
import { instantOf, NO_TIME } from './time';

/** What is remembered of a log. */
export let ids: IdTable = changetype<IdTable>(0);
export let candidates: IdTable = changetype<IdTable>(0);
export let decisions: IdTable = changetype<IdTable>(0);
export let previousInstant: i64 = NO_TIME;
export const PREVIOUS_TEXT: usize = memory.data(40);
export let previousLength: i32 = 0;
export let previousLine: i32 = 0;
export let lastLine: i32 = 0;
export let lastOrdinal: i32 = -1;
export const PHASE_COUNTS: usize = memory.data(17 * 4);
export let acts: i32 = 0;

export const EPISODE_REFERENCE: usize = memory.data(256);
/** No length at all: without a reference nothing is accepted. */
const NO_LENGTH: usize = 0xffffffff;
export let episodeLength: usize = NO_LENGTH;
export let ended: bool = false;
export let vetoed: bool = false;
export let verifying: bool = false;
export let looked: u32 = 0;

/** Forgets every log before. `mask` has a bit for each phase that the careful reader wants to see in any case. */
export function forget(verify: bool, mask: u32, seed: u32): void {
  verifying = verify;
  looked = mask;
  lookForRepeatedKeys(verify);
  previousInstant = NO_TIME;
  previousLength = previousLine = lastLine = acts = 0;
  lastOrdinal = -1;
  episodeLength = NO_LENGTH;
  ended = vetoed = false;
  memory.fill(PHASE_COUNTS, 0, 17 * 4);
  if (!verify) return;
  ids = IdTable.create(seed);
  candidates = IdTable.create(seed);
  decisions = IdTable.create(seed);
}

export function setEpisode(length: i32): void {
  episodeLength = <usize>length;
}

export function setEnded(): void {
  ended = true;
}

export function setVetoed(): void {
  vetoed = true;
}

/** Notes the time of the record before the next one; its text stands at PREVIOUS_TEXT. */
export function setPrevious(length: i32, line: i32): void {
  previousLength = length;
  previousLine = line;
  previousInstant = instantOf(PREVIOUS_TEXT, <usize>length);
}

export function setLast(line: i32, ordinal: i32): void {
  lastLine = line;
  lastOrdinal = ordinal;
}

/** Remembers when the last accepted record happened; its text is copied from `text`. */
export function notePrevious(instant: i64, text: usize, length: usize, line: i32): void {
  previousInstant = instant;
  previousLine = line;
  previousLength = <i32>length;
  memory.copy(PREVIOUS_TEXT, text, length);
}

export function countOne(phase: i32): void {
  const at = PHASE_COUNTS + (<usize>phase << 2);
  store<i32>(at, load<i32>(at) + 1);
}

export function countAct(): void {
  acts++;
}
