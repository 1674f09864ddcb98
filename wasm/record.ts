// One record: read whole, and held against the rules that can be settled without parsing it. What is not plainly
// fine is left to the careful reader: nothing here ever reports a finding, and nothing is remembered of a record
// that is not accepted.

import { IdTable } from './ids';
import { forgetLongInteger, hadLongInteger, same, space } from './text';
import { lookForRepeatedKeys, resetKeys } from './json';
import { Members, newMembers } from './members';
import { instantOf, NO_TIME } from './time';
import { ascii, bytesOf, headOf, isWord, Word } from './words';

export const LOOK: i32 = 0;
export const ACCEPTED: i32 = 1;
/** Accepted, and the projection needs to see it. */
export const PROJECT: i32 = 2;

const QUOTE: u32 = 0x22;
const BRACE: u32 = 0x7b;
const BRACKET: u32 = 0x5b;

const PHASES: StaticArray<Word> = [
  ascii('start'), ascii('observe'), ascii('interpret'), ascii('plan'), ascii('direction'), ascii('governance'),
  ascii('action_candidate'), ascii('act'), ascii('reflect'), ascii('learn'), ascii('runtime'), ascii('terminate'),
  ascii('insight'), ascii('memory'), ascii('intuition'), ascii('reason'), ascii('error'),
];
const INTERPRET: i32 = 2;
const GOVERNANCE: i32 = 5;
const CANDIDATE: i32 = 6;
const ACT: i32 = 7;
const REFLECT: i32 = 8;
const LEARN: i32 = 9;
const RUNTIME: i32 = 10;
const INSIGHT: i32 = 12;
const MEMORY: i32 = 13;
const REASON: i32 = 15;
const ERROR: i32 = 16;

const ID = ascii('id');
const PHASE = ascii('phase');
const PAYLOAD = ascii('payload');
const TIMESTAMP = ascii('timestamp');
const EPISODE = ascii('episode_id');
const EVIDENCE = ascii('evidence_ids');
const AGENT = ascii('agent_id');
const CAUSED_BY = ascii('caused_by');
const EVENT_TYPE = ascii('event_type');
const FACULTY = ascii('faculty');
const METRICS = ascii('metrics');
const STARTED = ascii('started_at');
const COMPLETED = ascii('completed_at');
const DURATION = ascii('duration_ms');

const FACULTIES: StaticArray<Word> = [ascii('intuition'), ascii('direction'), ascii('governance'), ascii('insight')];
const STEP_STATUSES: StaticArray<Word> = [
  ascii('pending'), ascii('running'), ascii('done'), ascii('skipped'), ascii('failed'), ascii('vetoed'),
];
const POLICY_KINDS: StaticArray<Word> = [ascii('llm'), ascii('rules'), ascii('hybrid')];
const MILD_DECISIONS: StaticArray<Word> = [ascii('allow'), ascii('audit')];
const CANDIDATE_VERSION: StaticArray<Word> = [ascii('action_candidate/1.0.0')];
const SHA256 = ascii('sha256:');

const SIGNALS = ascii('signals');
const INTENT = ascii('intent');
const SUCCESS = ascii('success');
const GOVERNANCE_ID = ascii('governance_id');
const DECISION = ascii('decision');
const POLICY_ID = ascii('policy_id');
const POLICY_KIND = ascii('policy_kind');
const SCORE = ascii('score');
const DETAILS = ascii('details');
const ENFORCED = ascii('enforced');
const RULE_ID = ascii('rule_id');
const CANDIDATE_ID = ascii('action_candidate_id');
const KIND = ascii('kind');
const STATE_REF = ascii('state_ref');
const STATE_HASH = ascii('state_hash');
const REDACTION = ascii('redaction');
const SCHEMA_VERSION = ascii('schema_version');
const INPUT_EXCERPT = ascii('input_excerpt');
const OUTCOME = ascii('outcome');
const RESULT_STATUS = ascii('result_status');
const ACTION_ID = ascii('action_id');
const TOOL = ascii('tool');
const ADAPTER = ascii('adapter');
const STEP_ID = ascii('step_id');
const STEP_STATUS = ascii('step_status');
const PROVENANCE = ascii('provenance');
const ARTIFACTS = ascii('result_artifacts');
const SYNTHETIC = ascii('synthetic');

const envelope = newMembers();
const payload = newMembers();
const metrics = newMembers();

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
let episodeLength: usize = NO_LENGTH;
let ended: bool = false;
let vetoed: bool = false;
let verifying: bool = false;
let looked: u32 = 0;

/** Forgets every log before. `mask` has a bit for each phase that the careful reader wants to see in any case. */
export function begin(verify: bool, mask: u32, seed: u32): void {
  verifying = verify;
  looked = mask;
  lookForRepeatedKeys(verify);
  previousInstant = NO_TIME;
  previousLength = previousLine = lastLine = acts = 0;
  lastOrdinal = -1;
  episodeLength = NO_LENGTH;
  ended = vetoed = false;
  memory.fill(PHASE_COUNTS, 0, 17 * 4);
  if (!verify) {
    envelope.flatten();
    return;
  }
  envelope.nest(PAYLOAD, payload, METRICS, metrics);
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

// --- members

// @ts-ignore: decorator
@inline
function find(object: Members, name: Word): i32 {
  return object.find(name);
}

/** Whether a member is there and a string without escapes. */
function isPlain(object: Members, index: i32): bool {
  return index >= 0 && object.kind(index) == QUOTE && !object.escaped(index);
}

// @ts-ignore: decorator
@inline
function isString(object: Members, name: Word): bool {
  const index = find(object, name);
  return index >= 0 && object.kind(index) == QUOTE;
}

/** Whether a member is missing, null, or of the kind that begins with `first`. */
function isOptional(object: Members, name: Word, first: u32): bool {
  const index = find(object, name);
  if (index < 0) return true;
  const kind = object.kind(index);
  return kind == first || kind == 0x6e;
}

// @ts-ignore: decorator
@inline
function textStart(object: Members, index: i32): usize {
  return object.value(index) + 1;
}

// @ts-ignore: decorator
@inline
function textLength(object: Members, index: i32): usize {
  return object.end(index) - object.value(index) - 2;
}

function isWordOf(object: Members, index: i32, words: StaticArray<Word>): bool {
  if (object.kind(index) != QUOTE) return false;
  const start = textStart(object, index);
  const length = textLength(object, index);
  const head = headOf(start, length);
  for (let k = 0; k < words.length; k++) if (isWord(words[k], start, length, head)) return true;
  return false;
}

/** Whether a member is missing, null, or one of a list of words. */
function isOptionalWord(object: Members, name: Word, words: StaticArray<Word>): bool {
  const index = find(object, name);
  return index < 0 || object.kind(index) == 0x6e || isWordOf(object, index, words);
}

// @ts-ignore: decorator
@inline
function isBoolean(byte: u32): bool {
  return byte == 0x74 || byte == 0x66;
}

// --- the rules

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
function metricsFine(at: usize): bool {
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
function isOptionalShare(object: Members, name: Word): bool {
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
let extraPlace: i32 = 0;

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

/** The texts of an act that its projection is made of, in this order: address and length, 0 where there is none. */
const ACT_TEXTS: StaticArray<Word> = [
  ACTION_ID, KIND, TOOL, INPUT_EXCERPT, OUTCOME, RESULT_STATUS, STEP_ID, STEP_STATUS,
];
const ACT_IGNORED: StaticArray<Word> = [CANDIDATE_ID, ADAPTER, ascii('reasons')];
export const ACT_SLOTS: usize = memory.data(10 * 8);

/** Fills the slots; false when the act holds more than plain texts, so that its projection needs a parser. */
function fillActSlots(id: i32, stamp: i32): bool {
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

/** Whether a payload of this phase needs no closer look. */
function payloadFine(phase: i32): bool {
  switch (phase) {
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
  return verifying ? verifyRecord(phase, line) : ACCEPTED;
}

function verifyRecord(phase: i32, line: i32): i32 {
  if (hadLongInteger || (ended && !mayFollowTerminate(phase))) return LOOK;
  const id = find(envelope, ID);
  const body = find(envelope, PAYLOAD);
  const stamp = find(envelope, TIMESTAMP);
  if (!isPlain(envelope, id) || body < 0 || envelope.kind(body) != BRACE || stamp < 0 || envelope.kind(stamp) != QUOTE) return LOOK;
  const instant = instantOf(textStart(envelope, stamp), textLength(envelope, stamp));
  if (instant == NO_TIME || previousInstant == NO_TIME || instant < previousInstant) return LOOK;
  if (!envelopeFine() || !payloadFine(phase)) return LOOK;

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
  previousInstant = instant;
  previousLine = line;
  previousLength = <i32>textLength(envelope, stamp);
  memory.copy(PREVIOUS_TEXT, textStart(envelope, stamp), <usize>previousLength);
  store<i32>(PHASE_COUNTS + (<usize>phase << 2), load<i32>(PHASE_COUNTS + (<usize>phase << 2)) + 1);
  if (phase == CANDIDATE) remember(candidates, CANDIDATE_ID, line, ordinal);
  else if (phase == GOVERNANCE) remember(decisions, GOVERNANCE_ID, line, ordinal);
  else if (phase == ACT) {
    if (find(payload, SYNTHETIC) >= 0) return ACCEPTED;
    acts++;
    actInSlots = fillActSlots(id, stamp);
    return PROJECT;
  }
  return ACCEPTED;
}

function remember(table: IdTable, name: Word, line: i32, event: i32): void {
  const index = find(payload, name);
  table.add(textStart(payload, index), textLength(payload, index), extraPlace, line, event);
}
