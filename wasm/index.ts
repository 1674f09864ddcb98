// The fast way through a log: accepts, at the speed of memory, the records that there is nothing to say about, and
// hands every other line back. See src/dialects/noesis/fast/ for the other side.

import { IdTable, reserve, startHeap } from './ids';
import { ACT_SLOTS, actInSlots } from './act-slots';
import {
  acts, candidates, countOne, decisions, EPISODE_REFERENCE, ids, lastLine, lastOrdinal, PHASE_COUNTS, PREVIOUS_TEXT,
  previousLength, previousLine,
} from './log';
import { ACCEPTED, begin as beginLog, readRecord, recordEnd } from './record';

export { setEnded, setEpisode, setLast, setPrevious, setVetoed } from './log';

/** Where the log's bytes are put, and how many fit; one newline and 16 bytes more may be read behind them. */
const INPUT_SIZE: usize = 1 << 20;
const INPUT: usize = 1 << 20;
const SCRATCH: usize = INPUT + INPUT_SIZE + 4096;
const SCRATCH_SIZE: usize = 1 << 16;
const HEAP: usize = SCRATCH + SCRATCH_SIZE;

export function input(): usize {
  return INPUT;
}

export function inputSize(): usize {
  return INPUT_SIZE;
}

/** Where a text is put that is asked about. */
export function scratch(): usize {
  return SCRATCH;
}

export function scratchSize(): usize {
  return SCRATCH_SIZE;
}

export function begin(verify: bool, mask: u32, seed: u32): void {
  startHeap(HEAP);
  beginLog(verify, mask, seed);
}

/** After `run`: how many lines were accepted, what the next one needs, and where that ends (0: nobody knows). */
export let accepted: i32 = 0;
export let verdict: i32 = ACCEPTED;
export let end: usize = 0;

/** Accepts line after line of `[from, to)`, which ends with a newline; gives the address of the first that it does not. */
export function run(from: usize, to: usize, line: i32, most: i32): usize {
  accepted = 0;
  verdict = ACCEPTED;
  while (from < to && accepted < most) {
    verdict = readRecord(from, line);
    end = recordEnd;
    if (verdict != ACCEPTED) return from;
    from = recordEnd + 1;
    line++;
    accepted++;
  }
  return from;
}

function table(which: i32): IdTable {
  return which == 0 ? ids : which == 1 ? candidates : decisions;
}

/** Makes sure that an id of this length can be added to every table without the memory moving. */
export function prepare(length: usize): void {
  reserve(ids.need(length) + candidates.need(length) + decisions.need(length));
}

/** The ordinal of the id that stands at scratch, or a negative number. */
export function findId(which: i32, length: i32): i32 {
  return table(which).find(SCRATCH, length);
}

/** Adds the id that stands at scratch; its ordinal, or -1 - the ordinal of an equal one that was there before. */
export function addId(which: i32, length: i32, line: i32, parent: i32): i32 {
  const place = table(which).find(SCRATCH, length);
  return place >= 0 ? -1 - place : table(which).add(SCRATCH, length, place, line, parent);
}

export function idCount(which: i32): i32 {
  return table(which).size;
}

export function lineOf(which: i32, ordinal: i32): i32 {
  return table(which).line(ordinal);
}

export function parentOf(which: i32, ordinal: i32): i32 {
  return table(which).parent(ordinal);
}

export function setParent(ordinal: i32, parent: i32): void {
  ids.setParent(ordinal, parent);
}

/** Where an id stands: its length in four bytes, then its text; a UUID as its 16 bytes, the length's top bit set. */
export function addressOf(which: i32, ordinal: i32): usize {
  return table(which).address(ordinal);
}

export function phaseCount(phase: i32): i32 {
  return load<i32>(PHASE_COUNTS + (<usize>phase << 2));
}

export function countPhase(phase: i32): void {
  countOne(phase);
}

export function actCount(): i32 {
  return acts;
}

export function episodeReference(): usize {
  return EPISODE_REFERENCE;
}

export function previousText(): usize {
  return PREVIOUS_TEXT;
}

export function previousTextLength(): i32 {
  return previousLength;
}

export function previousTextLine(): i32 {
  return previousLine;
}

export function lastRecordLine(): i32 {
  return lastLine;
}

export function lastRecordOrdinal(): i32 {
  return lastOrdinal;
}

/** The texts of the act to be projected: ten pairs of address and length; 0 where they need a parser. */
export function actSlots(): usize {
  return actInSlots ? ACT_SLOTS : 0;
}
