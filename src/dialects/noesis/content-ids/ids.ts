import { hash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { isNumber } from '../../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { isExtension } from '../vocabulary.ts';
import { isCertain, isInteger, pythonJson, sixDecimals } from './python-json.ts';

/** What the runtime derives from the content of an event (noesis.md §13). Each is undefined where it is not certain. */

const DIGEST_BYTES = 12;

const CANDIDATE_NAMESPACE = '8cdd2caa-6f62-4e8f-9c2c-8a98b1d6f10c';

/** A ULID: 26 characters of Crockford's alphabet. */
const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

const GOVERNANCE_KEYS = [
  'policy_id',
  'policy_version',
  'policy_kind',
  'decision',
  'rule_id',
  'message',
] as const;

const DIRECTIVE_KEYS = [
  'policy_id',
  'policy_version',
  'policy_kind',
  'steps',
  'status',
  'reason',
  'applied',
] as const;

/** The members of these names; null where they are not there. */
function pick(payload: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(keys.map((key) => [key, payload[key] ?? null]));
}

/** A value with its floats as texts of six decimals, as the runtime makes it before it hashes. */
function walked(value: JsonValue): JsonValue {
  if (isNumber(value)) return isInteger(value) ? value : (sixDecimals(value) ?? value);
  if (Array.isArray(value)) return value.map(walked);
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walked(item)]));
}

const isEmpty = (value: JsonValue | undefined): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

function shortHash(content: JsonObject): string {
  const text = Buffer.from(pythonJson(content, 'ascii'));
  return Buffer.from(blake2b(text, { dkLen: DIGEST_BYTES })).toString('hex');
}

function decisionOf(payload: JsonObject): JsonObject {
  const content = pick(payload, GOVERNANCE_KEYS);
  const score = payload['score'] ?? null;
  const details = payload['details'];
  content['score'] = isNumber(score) ? (sixDecimals(score) ?? score) : score;
  content['details'] = details === undefined || isEmpty(details) ? null : walked(details);
  return content;
}

/** The hash of the content of a payload. */
export interface ContentHash {
  /** Equal for equal content, whether or not the id is certain. */
  readonly hash: string;
  /** The id that the runtime makes of the content. */
  readonly id: string | undefined;
}

/** The hash of a governance payload's decision, and the `governance_id` made of it. */
export function decisionHash(payload: JsonObject): ContentHash {
  const content = decisionOf(payload);
  const short = shortHash(content);
  return { hash: short, id: isCertain(content) ? `gov-${short}` : undefined };
}

/** The hash of a direction payload's directive, and the `directive_id` made of it. */
export function directiveHash(payload: JsonObject): ContentHash {
  const content = pick(payload, DIRECTIVE_KEYS);
  content['diff'] = walked(payload['diff'] ?? null);
  const short = shortHash(content);
  return { hash: short, id: isCertain(content) ? `dir-${short}` : undefined };
}

/** A UUID of version 5: the name of something in a namespace. */
function uuid5(namespace: string, name: string): string {
  const named = Buffer.concat([Buffer.from(namespace.replaceAll('-', ''), 'hex'), Buffer.from(name)]);
  const hex = hash('sha1', named, 'hex');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The ULID in an episode's id; undefined in ids of older runtimes and of demos. */
export function ulidOf(episodeId: string): string | undefined {
  const [ulid = ''] = episodeId.replace(/^ep_/, '').split('_s');
  return ULID.test(ulid.slice(0, 26)) ? ulid.slice(0, 26) : undefined;
}

/** What the emitter adds to a candidate when its id is made already. */
const isAddedToCandidate = (key: string): boolean =>
  key === 'action_candidate_id' || key === 'caused_by' || isExtension(key);

/** The namespace of an episode's candidates; undefined where its id has no ULID. */
export function candidateNamespace(episodeId: string): string | undefined {
  const ulid = ulidOf(episodeId);
  return ulid === undefined ? undefined : uuid5(CANDIDATE_NAMESPACE, ulid);
}

/** The `action_candidate_id` of a candidate's payload. */
export function candidateId(payload: JsonObject, namespace: string | undefined): string | undefined {
  const content: JsonObject = Object.fromEntries(
    Object.entries(payload).filter(([key]) => !isAddedToCandidate(key)),
  );
  if (namespace === undefined || !isCertain(content)) return undefined;
  return uuid5(namespace, pythonJson(content, 'utf8'));
}

/** What an adapter's candidate was decided on. */
export interface CandidateState {
  readonly episodeId: string;
  /** The payload of the start event. */
  readonly start: JsonObject;
  /** The payload of the latest plan event. */
  readonly plan: JsonObject;
  /** What the candidate's payload calls its adapter. */
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
