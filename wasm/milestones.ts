// Payloads of the events that come once or a few times in a run. They too are accepted without a closer look where
// they are plainly fine; what they say is remembered by the careful side, which is shown them.

import { valueEnd } from './json';
import { newMembers } from './members';
import {
  ADVICE_KINDS, APPLIED, APPLIED_COUNT, BLOCKING, BRACE, BRACKET, COLON, CONFIDENCE, CONTEXT, DURATION, EPISODE, KIND,
  LEARN_PATH, LEARN_SCHEMA, OUTCOMES, POLICY_KIND, POLICY_KINDS, PROPOSAL_COUNT, PROPOSAL_IDS, QUOTE, RATIONALE,
  RISK_LEVEL, RISK_LEVELS, SALIENCE, SCOPE, SCRUTINY, SCRUTINY_LEVELS, SOURCE, STATE_PROJECTION, STATUS,
  STEP_KINDS, STEP_RECORDS, STEP_STATUSES, STEPS, STRATEGIES, TAGS, TASK, TERMINATE_STATUSES, TIMESTAMP,
  TOOL_CONSTRAINTS,
} from './names';
import { isOptionalShare, payload } from './rules';
import { same, space } from './text';
import { instantOf, NO_TIME } from './time';
import {
  find, isBoolean, isOptional, isOptionalWord, isPlain, isString, isWordOf, textLength, textStart,
} from './values';
import { headOf, isWord, Word } from './words';

/** The members of an object inside a payload. */
const inner = newMembers();

export function observeFine(): bool {
  const stamp = find(payload, TIMESTAMP);
  if (!isString(payload, TASK) || !isPlain(payload, stamp)) return false;
  if (instantOf(textStart(payload, stamp), textLength(payload, stamp)) == NO_TIME) return false;
  return isOptional(payload, TAGS, BRACE) && isOptional(payload, CONTEXT, BRACE);
}

// @ts-ignore: decorator
@inline
function isMissing(name: Word): bool {
  return find(payload, name) < 0;
}

export function intuitionFine(): bool {
  const kind = find(payload, KIND);
  if (kind < 0 || !isWordOf(payload, kind, ADVICE_KINDS)) return false;
  if (!isMissing(SALIENCE) || !isMissing(STRATEGIES) || !isMissing(TOOL_CONSTRAINTS)) return false;
  if (!isOptionalWord(payload, RISK_LEVEL, RISK_LEVELS)) return false;
  if (!isOptionalWord(payload, SCRUTINY, SCRUTINY_LEVELS)) return false;
  if (!isOptionalWord(payload, POLICY_KIND, POLICY_KINDS)) return false;
  const confidence = find(payload, CONFIDENCE);
  if (confidence >= 0 && (payload.kind(confidence) == 0x6e || !isOptionalShare(payload, CONFIDENCE))) return false;
  const blocking = find(payload, BLOCKING);
  return blocking < 0 || isBoolean(payload.kind(blocking));
}

/** The next element of a list, `at` standing behind its bracket or behind the element before; 0 after the last. */
// @ts-ignore: decorator
@inline
function element(at: usize): usize {
  at = space(at);
  if (load<u8>(at) == 0x2c) at = space(at + 1);
  return load<u8>(at) == 0x5d ? 0 : at;
}

/** Whether a text begins with the kind of a step and a colon. */
function isLabel(text: usize, end: usize): bool {
  for (let k = 0; k < STEP_KINDS.length; k++) {
    const length = <usize>load<u32>(STEP_KINDS[k]);
    if (text + length >= end || load<u8>(text + length) != COLON) continue;
    if (isWord(STEP_KINDS[k], text, length, headOf(text, length))) return true;
  }
  return false;
}

function labelsFine(list: usize): bool {
  for (let at = element(list + 1); at; ) {
    const end = valueEnd(at, 2);
    if (load<u8>(at) != QUOTE || !isLabel(at + 1, end - 1)) return false;
    at = element(end);
  }
  return true;
}

function recordsFine(list: usize): bool {
  for (let at = element(list + 1); at; ) {
    if (load<u8>(at) != BRACE) return false;
    const end = inner.read(at, 2);
    if (!end || !isOptionalWord(inner, KIND, STEP_KINDS)) return false;
    if (!isOptionalWord(inner, STATUS, STEP_STATUSES)) return false;
    at = element(end);
  }
  return true;
}

export function planFine(): bool {
  const steps = find(payload, STEPS);
  if (steps < 0 || payload.kind(steps) != BRACKET) return false;
  if (!isOptional(payload, SOURCE, QUOTE) || !isOptional(payload, RATIONALE, QUOTE)) return false;
  const records = find(payload, STEP_RECORDS);
  if (records < 0 || payload.kind(records) == 0x6e) return labelsFine(payload.value(steps));
  return payload.kind(records) == BRACKET && recordsFine(payload.value(records));
}

/** A whole number of few digits, not negative. */
function isCount(name: Word): bool {
  const index = find(payload, name);
  if (index < 0) return false;
  const end = payload.end(index);
  for (let at = payload.value(index); at < end; at++) if (<u32>load<u8>(at) - 0x30 > 9) return false;
  return true;
}

function isListOfTexts(name: Word): bool {
  const index = find(payload, name);
  if (index < 0 || payload.kind(index) != BRACKET) return false;
  for (let at = element(payload.value(index) + 1); at; at = element(valueEnd(at, 2))) {
    if (load<u8>(at) != QUOTE) return false;
  }
  return true;
}

/** The form that speaks of learn.jsonl; the other is left to the careful reader. */
export function learnFine(): bool {
  const applied = find(payload, APPLIED);
  if (!isString(payload, LEARN_PATH) || !isString(payload, LEARN_SCHEMA) || !isMissing(SCOPE)) return false;
  if (!isCount(PROPOSAL_COUNT) || !isListOfTexts(PROPOSAL_IDS)) return false;
  if (!isMissing(APPLIED_COUNT) && !isCount(APPLIED_COUNT)) return false;
  return applied < 0 || isBoolean(payload.kind(applied));
}

export function terminateFine(): bool {
  const status = find(payload, STATUS);
  if (status < 0 || !isWordOf(payload, status, TERMINATE_STATUSES)) return false;
  return isMissing(EPISODE) && isMissing(DURATION);
}

/** The evidence of what was persisted: its status mirrors that of the outcomes. */
export function stateProjectionFine(): bool {
  const kind = find(payload, KIND);
  const status = find(payload, STATUS);
  const outcomes = find(payload, OUTCOMES);
  if (kind < 0 || !isWordOf(payload, kind, STATE_PROJECTION) || !isPlain(payload, status)) return false;
  if (outcomes < 0 || payload.kind(outcomes) != BRACE || !inner.read(payload.value(outcomes), 2)) return false;
  const mirrored = find(inner, STATUS);
  if (!isPlain(inner, mirrored) || textLength(inner, mirrored) != textLength(payload, status)) return false;
  return same(textStart(inner, mirrored), textStart(payload, status), textLength(payload, status));
}
