// One record: read whole, and held against the rules that can be settled without parsing it. What is not plainly
// fine is left to the careful reader: nothing here ever reports a finding, and nothing is remembered of a record
// that is not accepted.

import { clearActSlots, fillActSlots } from './act-slots';
import { IdTable } from './ids';
import { resetKeys } from './json';
import {
  candidates, countAct, countOne, decisions, ended, EPISODE_REFERENCE, episodeLength, forget, ids, looked, notePrevious,
  previousInstant, setLast, verifying,
} from './log';
import { newMembers } from './members';
import {
  QUOTE, BRACE, BRACKET, PHASES, GOVERNANCE, CANDIDATE, ACT, LEARN, RUNTIME, INSIGHT, MEMORY, OBSERVE,
  INTUITION, PLAN, TERMINATED, ID, PHASE,
  PAYLOAD, TIMESTAMP, EPISODE, EVIDENCE, AGENT, CAUSED_BY, EVENT_TYPE, FACULTY, METRICS, FACULTIES,
  GOVERNANCE_ID, CANDIDATE_ID, SYNTHETIC,
} from './names';
import { extraPlace, isBystander, isRunEvent, metrics, metricsFine, payload, payloadFine } from './rules';
import { forgetLongInteger, hadLongInteger, same, space } from './text';
import { instantOf, NO_TIME } from './time';
import { find, isOptional, isOptionalWord, isPlain, textLength, textStart } from './values';
import { headOf, isWord, Word } from './words';

export const LOOK: i32 = 0;
export const ACCEPTED: i32 = 1;
/** Accepted, and the careful side needs to see it. */
export const PROJECT: i32 = 2;

const envelope = newMembers();

const MILESTONES: i32 =
  (1 << OBSERVE) | (1 << INTUITION) | (1 << PLAN) | (1 << LEARN) | (1 << TERMINATED) | (1 << INSIGHT);

/** The bit of the mask that asks for those runtime events which tell of the run itself, and for no others. */
const RUN_EVENTS: u32 = 1 << 17;

/** Begins another log. `mask` has a bit for each phase that the careful reader wants to see in any case. */
export function begin(verify: bool, mask: u32, seed: u32): void {
  forget(verify, mask, seed);
  if (verify || mask & RUN_EVENTS) envelope.nest(PAYLOAD, payload, METRICS, metrics);
  else envelope.flatten();
}

function envelopeFine(): bool {
  const episode = find(envelope, EPISODE);
  if (episode < 0 || envelope.kind(episode) != QUOTE || textLength(envelope, episode) != episodeLength) return false;
  if (!same(textStart(envelope, episode), EPISODE_REFERENCE, episodeLength)) return false;
  const evidence = find(envelope, EVIDENCE);
  if (evidence < 0 || envelope.kind(evidence) != BRACKET) return false;
  if (load<u8>(space(envelope.value(evidence) + 1)) != 0x5d) return false;
  if (!isOptional(envelope, AGENT, QUOTE) || !isOptional(envelope, EVENT_TYPE, QUOTE)) return false;
  if (!isOptionalWord(envelope, FACULTY, FACULTIES)) return false;
  const timing = find(envelope, METRICS);
  return timing < 0 || metricsFine(envelope.value(timing));
}

// @ts-ignore: decorator
@inline
function mayFollowTerminate(phase: i32): bool {
  return phase == INSIGHT || phase == MEMORY || phase == LEARN || phase == RUNTIME;
}

function phaseOf(index: i32): i32 {
  if (index < 0 || envelope.kind(index) != QUOTE) return -1;
  const start = textStart(envelope, index);
  const length = textLength(envelope, index);
  const head = headOf(start, length);
  for (let k = 0; k < PHASES.length; k++) if (isWord(PHASES[k], start, length, head)) return k;
  return -1;
}

/** Where the record that was read last ended: at its newline, when it was valid. */
export let recordEnd: usize = 0;

/** Reads the record at `p` and says whether it needs a closer look. */
export function readRecord(p: usize, line: i32): i32 {
  resetKeys();
  forgetLongInteger();
  recordEnd = 0;
  p = space(p);
  if (load<u8>(p) != BRACE) return LOOK;
  p = envelope.read(p, 0);
  if (!p) return LOOK;
  p = space(p);
  if (load<u8>(p) != 0x0a) return LOOK;
  recordEnd = p;
  const phase = phaseOf(find(envelope, PHASE));
  if (phase < 0 || (looked >> <u32>phase) & 1) return LOOK;
  if (verifying) return verifyRecord(phase, line);
  if (phase == RUNTIME && looked & RUN_EVENTS && !bodyOfBystander()) return LOOK;
  return ACCEPTED;
}

function bodyOfBystander(): bool {
  const body = find(envelope, PAYLOAD);
  return body >= 0 && envelope.kind(body) == BRACE && isBystander(envelope);
}

function verifyRecord(phase: i32, line: i32): i32 {
  if (hadLongInteger || (ended && !mayFollowTerminate(phase))) return LOOK;
  const id = find(envelope, ID);
  const body = find(envelope, PAYLOAD);
  const stamp = find(envelope, TIMESTAMP);
  if (!isPlain(envelope, id) || body < 0 || envelope.kind(body) != BRACE || stamp < 0 || envelope.kind(stamp) != QUOTE) return LOOK;
  const instant = instantOf(textStart(envelope, stamp), textLength(envelope, stamp));
  if (instant == NO_TIME || previousInstant == NO_TIME || instant < previousInstant) return LOOK;
  if (!envelopeFine() || !payloadFine(phase, envelope)) return LOOK;

  const idStart = textStart(envelope, id);
  const idLength = textLength(envelope, id);
  const place = ids.find(idStart, idLength);
  if (place >= 0) return LOOK;
  const cause = find(envelope, CAUSED_BY);
  let parent: i32 = -1;
  if (cause >= 0 && envelope.kind(cause) != 0x6e) {
    if (!isPlain(envelope, cause)) return LOOK;
    parent = ids.findRecent(textStart(envelope, cause), textLength(envelope, cause));
    if (parent < 0) return LOOK;
  }

  // Nothing to say about it: from here on it is remembered.
  const ordinal = ids.add(idStart, idLength, place, line, parent);
  setLast(line, ordinal);
  notePrevious(instant, textStart(envelope, stamp), textLength(envelope, stamp), line);
  countOne(phase);
  clearActSlots();
  if (phase == CANDIDATE) remember(candidates, CANDIDATE_ID, line, ordinal);
  else if (phase == GOVERNANCE) remember(decisions, GOVERNANCE_ID, line, ordinal);
  else if (phase == ACT) {
    // A roll-up is no action, but it may still name a step.
    if (find(payload, SYNTHETIC) < 0 && fillActSlots(envelope, id, stamp)) countAct();
    return PROJECT;
  }
  return isMilestone(phase) ? PROJECT : ACCEPTED;
}

/** Whether the careful side remembers what such an event says. */
// @ts-ignore: decorator
@inline
function isMilestone(phase: i32): bool {
  if (phase == RUNTIME) return isRunEvent(envelope);
  return ((MILESTONES >> phase) & 1) != 0;
}

function remember(table: IdTable, name: Word, line: i32, event: i32): void {
  const index = find(payload, name);
  table.add(textStart(payload, index), textLength(payload, index), extraPlace, line, event);
}
