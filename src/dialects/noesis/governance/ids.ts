import { hash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Content, MemberForm } from '../../../log/content.ts';
import { isCertain, isInteger, pythonJson, sixDecimals } from '../event/python-json.ts';

/**
 * Ids that the runtime derives from the content of an event (noesis.md §13). They are undefined if Python's text of the
 * content is not certain.
 */

const DIGEST_BYTES = 12;

const CANDIDATE_NAMESPACE = Buffer.from('8cdd2caa6f624e8f9c2c8a98b1d6f10c', 'hex');

/** An id that begins with a ULID: 26 characters of Crockford's alphabet. */
const ULID = /^(?:ep_)?([0-9A-HJKMNP-TV-Z]{26})/;

/** What the runtime hashes of a governance decision to make its `governance_id`. */
export const DECISION: Content = {
  digest: 'blake2b',
  prefix: 'gov-',
  characters: 'ascii',
  members: {
    governance_id: 'id',
    policy_id: 'as-is',
    policy_version: 'as-is',
    policy_kind: 'as-is',
    decision: 'as-is',
    rule_id: 'as-is',
    message: 'as-is',
    score: 'six-decimals',
    details: 'filled',
  },
  others: 'left-out',
};

/** What the runtime hashes of a directive to make its `directive_id`. */
export const DIRECTIVE: Content = {
  digest: 'blake2b',
  prefix: 'dir-',
  characters: 'ascii',
  members: {
    directive_id: 'id',
    policy_id: 'as-is',
    policy_version: 'as-is',
    policy_kind: 'as-is',
    steps: 'as-is',
    status: 'as-is',
    reason: 'as-is',
    applied: 'as-is',
    diff: 'walked',
  },
  others: 'left-out',
};

/**
 * What the runtime hashes of a candidate to make its `action_candidate_id`: all but the members that are added later.
 */
export const CANDIDATE: Content = {
  digest: 'uuid',
  prefix: '',
  characters: 'utf8',
  members: { action_candidate_id: 'id', caused_by: 'left-out', 'x-': 'all-left-out' },
  others: 'as-is',
};

/** Copies these members; missing ones become null. */
function pick(payload: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, payload[key] ?? null]));
}

/** Replaces floats by texts with six decimals, as the runtime does before hashing. */
function withTextsForFloats(value: JsonValue): JsonValue {
  if (isNumber(value)) return isInteger(value) ? value : (sixDecimals(value) ?? value);
  if (Array.isArray(value)) return value.map(withTextsForFloats);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withTextsForFloats(item)]));
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** Converts a member for hashing. */
function formed(value: JsonValue | undefined, form: MemberForm): JsonValue {
  if (form === 'six-decimals' && isNumber(value)) return sixDecimals(value) ?? value;
  if (form === 'filled' && isEmpty(value)) return null;
  return form === 'filled' || form === 'walked' ? withTextsForFloats(value ?? null) : (value ?? null);
}

const isPart = (form: MemberForm): boolean => form !== 'id' && form !== 'left-out' && form !== 'all-left-out';

/** The part of a payload that is hashed. */
function contentOf(payload: JsonObject, { members, others }: Content): JsonObject {
  const named = Object.entries(members);
  const parts = named.flatMap(([key, form]) =>
    isPart(form) ? [[key, formed(payload[key], form)] as const] : [],
  );
  const isNamed = (key: string) =>
    named.some(([name, form]) => (form === 'all-left-out' ? key.startsWith(name) : key === name));
  const rest = others === 'as-is' ? Object.entries(payload).filter(([key]) => !isNamed(key)) : [];
  return Object.fromEntries([...parts, ...rest]);
}

export interface ContentHash {
  /** Equal for equal content, whether or not the id is certain. */
  readonly hash: string;
  /** The id that follows from the content. */
  readonly id: string | undefined;
}

export function contentHash(payload: JsonObject, content: Content): ContentHash {
  const value = contentOf(payload, content);
  const text = Buffer.from(pythonJson(value, content.characters));
  const hash = Buffer.from(blake2b(text, { dkLen: DIGEST_BYTES })).toString('hex');
  return { hash, id: isCertain(value) ? content.prefix + hash : undefined };
}

/** The bytes of a UUID of version 5. */
function uuid5(namespace: Uint8Array, name: string): Buffer {
  const bytes = hash('sha1', Buffer.concat([namespace, Buffer.from(name)]), 'buffer').subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes;
}

/** The ULID in an episode's id; undefined in ids of older runtimes and of demos. */
export function ulidOf(episodeId: string): string | undefined {
  return ULID.exec(episodeId)?.[1];
}

/** The namespace for the candidates of an episode; undefined if its id has no ULID. */
export function candidateNamespace(episodeId: string): Uint8Array | undefined {
  const ulid = ulidOf(episodeId);
  return ulid === undefined ? undefined : uuid5(CANDIDATE_NAMESPACE, ulid);
}

/** The `action_candidate_id` of a candidate's payload. */
export function candidateId(payload: JsonObject, namespace: Uint8Array | undefined): string | undefined {
  const content = contentOf(payload, CANDIDATE);
  if (namespace === undefined || !isCertain(content)) return undefined;
  const hex = uuid5(namespace, pythonJson(content, CANDIDATE.characters)).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** What the state hash of an adapter's candidate depends on. */
export interface CandidateState {
  readonly episodeId: string;
  /** The payload of the start event. */
  readonly start: JsonObject;
  /** The payload of the latest plan event. */
  readonly plan: JsonObject;
  /** The adapter's name in the candidate's payload. */
  readonly label: JsonValue;
}

/** The `state_hash` of an adapter's candidate. */
export function candidateStateHash({ episodeId, start, plan, label }: CandidateState): string | undefined {
  const records = plan['step_records'];
  if (!Array.isArray(records)) return undefined;
  const content = pick(start, ['seed', 'task']);
  content['episode_id'] = episodeId;
  content['adapter_label'] = label;
  content['plan'] = records.filter(isObject).map((step) => pick(step, ['id', 'kind', 'description']));
  if (!isCertain(content)) return undefined;
  return `sha256:${hash('sha256', pythonJson(content, 'utf8'), 'hex')}`;
}
