import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { type ExactObject, type ExactValue, isExactObject, NumberText } from '../../../json/exact.ts';
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
function pick(payload: ExactObject, keys: readonly string[]): Map<string, ExactValue> {
  return new Map(keys.map((key) => [key, payload.get(key) ?? null]));
}

/** A value with its floats as texts of six decimals, as the runtime makes it before it hashes. */
function walked(value: ExactValue): ExactValue {
  if (value instanceof NumberText) return isInteger(value) ? value : (sixDecimals(value) ?? value);
  if (Array.isArray(value)) return value.map(walked);
  if (!isExactObject(value)) return value;
  return new Map([...value].map(([key, item]) => [key, walked(item)]));
}

const isEmpty = (value: ExactValue | undefined): boolean =>
  value === undefined ||
  (Array.isArray(value) && value.length === 0) ||
  (isExactObject(value) && value.size === 0);

function shortHash(prefix: string, content: ExactObject): string | undefined {
  if (!isCertain(content)) return undefined;
  const text = Buffer.from(pythonJson(content, 'ascii'));
  return prefix + Buffer.from(blake2b(text, { dkLen: DIGEST_BYTES })).toString('hex');
}

/** The `governance_id` of a governance payload. */
export function governanceId(payload: ExactObject): string | undefined {
  const content = pick(payload, GOVERNANCE_KEYS);
  const score = payload.get('score') ?? null;
  const details = payload.get('details');
  content.set('score', score instanceof NumberText ? (sixDecimals(score) ?? score) : score);
  content.set('details', details === undefined || isEmpty(details) ? null : walked(details));
  return shortHash('gov-', content);
}

/** The `directive_id` of a direction payload. */
export function directiveId(payload: ExactObject): string | undefined {
  const content = pick(payload, DIRECTIVE_KEYS);
  content.set('diff', walked(payload.get('diff') ?? null));
  return shortHash('dir-', content);
}

/** A UUID of version 5: the name of something in a namespace. */
function uuid5(namespace: string, name: string): string {
  const hash = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest();
  hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
  hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
  const hex = hash.toString('hex', 0, 16);
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** The ULID in an episode's id; undefined in ids of older runtimes and of demos. */
export function ulidOf(episodeId: string): string | undefined {
  const [ulid = ''] = episodeId.replace(/^ep_/, '').split('_s');
  return ULID.test(ulid.slice(0, 26)) ? ulid.slice(0, 26) : undefined;
}

/** What the emitter adds to a candidate when its id is made already. */
const isAddedToCandidate = (key: string): boolean =>
  key === 'action_candidate_id' || key === 'caused_by' || key.startsWith('x-');

/** The `action_candidate_id` of a candidate's payload. */
export function candidateId(payload: ExactObject, episodeId: string): string | undefined {
  const ulid = ulidOf(episodeId);
  const content: ExactObject = new Map([...payload].filter(([key]) => !isAddedToCandidate(key)));
  if (ulid === undefined || !isCertain(content)) return undefined;
  return uuid5(uuid5(CANDIDATE_NAMESPACE, ulid), pythonJson(content, 'utf8'));
}

/** What an adapter's candidate was decided on. */
export interface CandidateState {
  readonly episodeId: string;
  /** The payload of the start event. */
  readonly start: ExactObject;
  /** The payload of the latest plan event. */
  readonly plan: ExactObject;
  /** The candidate's payload. */
  readonly candidate: ExactObject;
}

/** The `state_hash` of an adapter's candidate. */
export function candidateStateHash({
  episodeId,
  start,
  plan,
  candidate,
}: CandidateState): string | undefined {
  const inner = candidate.get('payload');
  const records = plan.get('step_records');
  if (!isExactObject(inner) || !Array.isArray(records)) return undefined;
  const content = pick(start, ['seed', 'task']);
  content.set('episode_id', episodeId);
  content.set('adapter_label', inner.get('adapter_label') ?? null);
  content.set(
    'plan',
    records.filter(isExactObject).map((step) => pick(step, ['id', 'kind', 'description'])),
  );
  if (!isCertain(content)) return undefined;
  return `sha256:${createHash('sha256').update(pythonJson(content, 'utf8')).digest('hex')}`;
}
