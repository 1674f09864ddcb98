// What a payload and the timing of an event must hold for nothing to be said about them. Stricter than the rules
// themselves: whatever is close to a limit, or written in another form, is left to the careful reader.

import { candidates, decisions, vetoed } from './log';
import { newMembers } from './members';
import { intuitionFine, learnFine, observeFine, planFine, stateProjectionFine, terminateFine } from './milestones';
import {
  QUOTE, BRACE, BRACKET, INTERPRET, GOVERNANCE, CANDIDATE, ACT, REFLECT, MEMORY, REASON, ERROR, PAYLOAD,
  STARTED, COMPLETED, DURATION, STEP_STATUSES, POLICY_KINDS, MILD_DECISIONS, CANDIDATE_VERSION, SHA256,
  SIGNALS, INTENT, SUCCESS, GOVERNANCE_ID, DECISION, POLICY_ID, POLICY_KIND, SCORE, DETAILS, ENFORCED,
  RULE_ID, CANDIDATE_ID, KIND, STATE_REF, STATE_HASH, REDACTION, SCHEMA_VERSION, INPUT_EXCERPT, OUTCOME,
  RESULT_STATUS, ACTION_ID, TOOL, ADAPTER, STEP_ID, STEP_STATUS, PROVENANCE, ARTIFACTS, SYNTHETIC,
  RUNTIME, EVENT_TYPE, STATUS, TYPE, EVENT, RUN_DOT, RUN_STATES, TERMINATE,
  OBSERVE, INTUITION, PLAN, LEARN, TERMINATED, INSIGHT, STATE_PROJECTION,
} from './names';
import { same } from './text';
import { instantOf, NO_TIME } from './time';
import { find, isBoolean, isOptional, isOptionalWord, isPlain, isString, isWordOf, textLength, textStart } from './values';
import { bytesOf, Word } from './words';
import { Members } from './members';

export const payload = newMembers();
export const metrics = newMembers();

/** `12.5`, not negative, without an exponent and of few digits; -1 for any other form. */
function plainNumber(p: usize, end: usize): f64 {
  if (end - p > 15) {
    // Python writes the nearest double with up to 17 digits: the first ones decide.
    end = p + 15;
  }
  let value: f64 = 0;
  let scale: f64 = 0;
  for (; p < end; p++) {
    const byte: u32 = load<u8>(p);
    if (byte == 0x2e) {
      scale = 1;
      continue;
    }
    if (byte - 0x30 > 9) return -1;
    value = value * 10 + <f64>(byte - 0x30);
    scale *= 10;
  }
  return scale > 0 ? value / scale : value;
}

/** A long number with an exponent, or cut where its dot would be, is not plain. */
function isPlainNumber(p: usize, end: usize): bool {
  let dot: usize = 0;
  for (let at = p; at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte == 0x2e) dot = at;
    else if (byte - 0x30 > 9) return false;
  }
  return end - p <= 15 || (dot != 0 && dot - p < 12);
}

/** Timing: both times in the runtime's form and the duration clearly within the allowed slack. */
export function metricsFine(at: usize): bool {
  if (load<u8>(at) == 0x6e) return true;
  if (load<u8>(at) != BRACE) return false;
  const started = find(metrics, STARTED);
  const completed = find(metrics, COMPLETED);
  const duration = find(metrics, DURATION);
  if (started < 0 || completed < 0 || duration < 0) return false;
  if (metrics.kind(started) != QUOTE || metrics.kind(completed) != QUOTE) return false;
  const from = instantOf(textStart(metrics, started), textLength(metrics, started));
  const to = instantOf(textStart(metrics, completed), textLength(metrics, completed));
  if (from == NO_TIME || to == NO_TIME || to < from) return false;
  const number = metrics.value(duration);
  if (!isPlainNumber(number, metrics.end(duration))) return false;
  const span = <f64>(to - from) / 1000;
  const off = abs<f64>(plainNumber(number, metrics.end(duration)) - span);
  return off < 0.99 || off < 0.0099 * span;
}

/** A share between 0 and 1, or nothing: `0.95`, `1.0`. */
export function isOptionalShare(object: Members, name: Word): bool {
  const index = find(object, name);
  if (index < 0 || object.kind(index) == 0x6e) return true;
  const p = object.value(index);
  const first: u32 = load<u8>(p);
  if (first == 0x30) return isPlainNumber(p, object.end(index));
  if (first != 0x31) return false;
  for (let at = p + 1; at < object.end(index); at++) {
    const byte: u32 = load<u8>(at);
    if (byte != 0x2e && byte != 0x30) return false;
    if (byte == 0x30 && at == p + 1) return false;
  }
  return true;
}

function isStateHash(p: usize, length: usize): bool {
  if (length != 71 || !same(p, bytesOf(SHA256), 7)) return false;
  for (let at = p + 7; at < p + 71; at++) {
    const byte: u32 = load<u8>(at);
    if (byte - 0x30 > 9 && byte - 0x61 > 5) return false;
  }
  return true;
}

/** Where the id of a candidate or a decision belongs in its table. */
export let extraPlace: i32 = 0;

function candidateFine(): bool {
  const id = find(payload, CANDIDATE_ID);
  const hash = find(payload, STATE_HASH);
  const inner = find(payload, PAYLOAD);
  const redaction = find(payload, REDACTION);
  if (!isPlain(payload, id) || textLength(payload, id) == 0 || hash < 0 || inner < 0 || redaction < 0) return false;
  if (find(payload, KIND) < 0 || find(payload, STATE_REF) < 0) return false;
  if (payload.kind(inner) != BRACE || payload.kind(redaction) != BRACE || payload.kind(hash) != QUOTE) return false;
  if (!isStateHash(textStart(payload, hash), textLength(payload, hash))) return false;
  extraPlace = candidates.find(textStart(payload, id), textLength(payload, id));
  if (extraPlace >= 0) return false;
  const version = find(payload, SCHEMA_VERSION);
  return version < 0 || isWordOf(payload, version, CANDIDATE_VERSION);
}

function governanceFine(): bool {
  const id = find(payload, GOVERNANCE_ID);
  const decision = find(payload, DECISION);
  if (!isPlain(payload, id) || decision < 0 || !isWordOf(payload, decision, MILD_DECISIONS)) return false;
  if (!isString(payload, POLICY_ID) || !isOptionalWord(payload, POLICY_KIND, POLICY_KINDS)) return false;
  if (!isOptionalShare(payload, SCORE) || !isOptional(payload, DETAILS, BRACE)) return false;
  if (!isOptional(payload, RULE_ID, QUOTE)) return false;
  const enforced = find(payload, ENFORCED);
  if (enforced >= 0 && !isBoolean(payload.kind(enforced))) return false;
  extraPlace = decisions.find(textStart(payload, id), textLength(payload, id));
  return extraPlace < 0;
}

function actFine(): bool {
  const outcome = find(payload, OUTCOME);
  if (!isString(payload, INPUT_EXCERPT) || !isPlain(payload, outcome)) return false;
  if (!isOptional(payload, ACTION_ID, QUOTE) || !isOptional(payload, KIND, QUOTE)) return false;
  if (!isOptional(payload, TOOL, QUOTE) || !isOptional(payload, ADAPTER, QUOTE)) return false;
  if (!isOptional(payload, STEP_ID, QUOTE) || !isOptionalWord(payload, STEP_STATUS, STEP_STATUSES)) return false;
  if (!isOptional(payload, PROVENANCE, BRACE) || !isOptional(payload, ARTIFACTS, BRACKET)) return false;
  const status = find(payload, RESULT_STATUS);
  if (status >= 0 && payload.kind(status) != 0x6e) {
    const length = textLength(payload, outcome);
    if (payload.kind(status) != QUOTE || textLength(payload, status) != length) return false;
    if (!same(textStart(payload, status), textStart(payload, outcome), length)) return false;
  }
  const candidate = find(payload, CANDIDATE_ID);
  if (candidate >= 0 && payload.kind(candidate) != 0x6e) {
    if (vetoed || !isPlain(payload, candidate)) return false;
    if (candidates.findRecent(textStart(payload, candidate), textLength(payload, candidate)) < 0) return false;
  }
  const synthetic = find(payload, SYNTHETIC);
  return synthetic < 0 || payload.kind(synthetic) == 0x74;
}

/** Whether a member is missing, no string, or a string without escapes that is none of these words. */
function isNoneOf(object: Members, name: Word, words: StaticArray<Word>): bool {
  const index = find(object, name);
  if (index < 0 || object.kind(index) != QUOTE) return true;
  return !object.escaped(index) && !isWordOf(object, index, words);
}

/** A word in small letters that is no state of a run: anything else might become one when trimmed and lowered. */
function isMildStatus(index: i32): bool {
  if (!isPlain(payload, index)) return false;
  const end = textStart(payload, index) + textLength(payload, index);
  for (let at = textStart(payload, index); at < end; at++) {
    const byte: u32 = load<u8>(at);
    if (byte - 0x61 > 25 && byte != 0x5f) return false;
  }
  return !isWordOf(payload, index, RUN_STATES);
}

/** Whether the type of an event is one of the runtime's own. */
export function isRunEvent(envelope: Members): bool {
  const type = find(envelope, EVENT_TYPE);
  if (!isPlain(envelope, type) || textLength(envelope, type) < 4) return false;
  return same(textStart(envelope, type), bytesOf(RUN_DOT), 4);
}

/** Whether a runtime event is neither the runtime's own evidence of the run nor says that the run has ended. */
export function isBystander(envelope: Members): bool {
  const type = find(envelope, EVENT_TYPE);
  if (!isPlain(envelope, type) || textLength(envelope, type) == 0 || isRunEvent(envelope)) return false;
  return isNoneOf(payload, KIND, TERMINATE) && isNoneOf(payload, TYPE, TERMINATE) && isNoneOf(payload, EVENT, TERMINATE);
}

/** Whether a payload of this phase needs no closer look. */
export function payloadFine(phase: i32, envelope: Members): bool {
  switch (phase) {
    case RUNTIME: {
      const status = find(payload, STATUS);
      if (isRunEvent(envelope)) return isWordOf(envelope, find(envelope, EVENT_TYPE), STATE_PROJECTION) && stateProjectionFine();
      return isBystander(envelope) && (status < 0 || isMildStatus(status));
    }
    case OBSERVE:
      return observeFine();
    case INTUITION:
      return intuitionFine();
    case PLAN:
      return planFine();
    case LEARN:
      return learnFine();
    case TERMINATED:
      return terminateFine();
    case INSIGHT:
      return true;
    case MEMORY:
    case REASON:
    case ERROR:
      return true;
    case INTERPRET: {
      const signals = find(payload, SIGNALS);
      return signals >= 0 && payload.kind(signals) == BRACKET && isOptional(payload, INTENT, QUOTE);
    }
    case REFLECT: {
      const success = find(payload, SUCCESS);
      return success >= 0 && isBoolean(payload.kind(success));
    }
    case CANDIDATE:
      return candidateFine();
    case GOVERNANCE:
      return governanceFine();
    case ACT:
      return actFine();
    default:
      return false;
  }
}
