// The texts of an accepted act, handed over for the projection.

import { Members } from './members';
import {
  CANDIDATE_ID, KIND, INPUT_EXCERPT, OUTCOME, RESULT_STATUS, ACTION_ID, TOOL, ADAPTER, STEP_ID, STEP_STATUS,
} from './names';
import { payload } from './rules';
import { isPlain, textLength, textStart } from './values';
import { ascii, Word } from './words';

/** The texts of an act that its projection is made of, in this order: address and length, 0 where there is none. */
const ACT_TEXTS: StaticArray<Word> = [
  ACTION_ID, KIND, TOOL, INPUT_EXCERPT, OUTCOME, RESULT_STATUS, STEP_ID, STEP_STATUS,
];
const ACT_IGNORED: StaticArray<Word> = [CANDIDATE_ID, ADAPTER, ascii('reasons')];
export const ACT_SLOTS: usize = memory.data(10 * 8);

/** Fills the slots; false when the act holds more than plain texts, so that its projection needs a parser. */
function fill(envelope: Members, id: i32, stamp: i32): bool {
  memory.fill(ACT_SLOTS, 0, 10 * 8);
  for (let index = 0; index < payload.count; index++) {
    let slot = 0;
    while (slot < ACT_TEXTS.length && !payload.isNamed(index, ACT_TEXTS[slot])) slot++;
    if (slot < ACT_TEXTS.length) {
      if (payload.kind(index) == 0x6e) continue;
      if (!isPlain(payload, index)) return false;
      setSlot(slot, payload, index);
    } else {
      let known = false;
      for (let k = 0; k < ACT_IGNORED.length; k++) if (payload.isNamed(index, ACT_IGNORED[k])) known = true;
      if (!known) return false;
    }
  }
  setSlot(8, envelope, stamp);
  setSlot(9, envelope, id);
  return true;
}

function setSlot(slot: i32, object: Members, index: i32): void {
  store<u32>(ACT_SLOTS + (<usize>slot << 3), <u32>textStart(object, index));
  store<u32>(ACT_SLOTS + (<usize>slot << 3), <u32>textLength(object, index), 4);
}

/** Whether the act that is to be projected stands in the slots. */
export let actInSlots: bool = false;

/** Puts an act's texts into the slots, where it holds no more than these; says whether they tell all of it. */
export function fillActSlots(envelope: Members, id: i32, stamp: i32): bool {
  actInSlots = fill(envelope, id, stamp);
  return actInSlots;
}

/** The next act to be projected needs a parser. */
export function clearActSlots(): void {
  actInSlots = false;
}
