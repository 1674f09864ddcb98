import { createHash } from 'node:crypto';
import { blake2b } from '@noble/hashes/blake2.js';
import { compact, Float, type Json, type JsonObject, stringify } from './canonical.ts';
import { sha256 } from './hash.ts';

/**
 * The ids that are hashes of their content (noesis.md §13), written apart from the code under test, so that a mistake
 * in either is seen.
 */

/** JSON as Python writes it with `ensure_ascii`: all but the printable ASCII is escaped. */
const ascii = (value: Json): string =>
  stringify(value, compact).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const blake = (value: JsonObject): string =>
  Buffer.from(blake2b(Buffer.from(ascii(value)), { dkLen: 12 })).toString('hex');

const sixDecimals = (value: number): string => value.toFixed(6);

/** Floats as text with six decimals, all else as it is. */
function walked(value: Json): Json {
  if (value instanceof Float) return sixDecimals(value.value);
  if (typeof value === 'number') return Number.isInteger(value) ? value : sixDecimals(value);
  if (Array.isArray(value)) return value.map(walked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, walked(item ?? null)]));
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0);

/** `gov-` and the hash of a decision. */
export function governanceId(payload: JsonObject): string {
  const { policy_id, policy_version, policy_kind, decision, rule_id, score, message, details } = payload;
  const number = score instanceof Float ? score.value : Number(score);
  return `gov-${blake({
    policy_id,
    policy_version,
    policy_kind,
    decision,
    rule_id,
    score: sixDecimals(number),
    message,
    details: isEmpty(details) ? null : walked(details ?? null),
  })}`;
}

/** `dir-` and the hash of a directive. */
export function directiveId(payload: JsonObject): string {
  const { policy_id, policy_version, policy_kind, steps, status, reason, applied, diff } = payload;
  return `dir-${blake({
    policy_id,
    policy_version,
    policy_kind,
    steps,
    status,
    reason,
    applied,
    diff: walked(diff ?? []),
  })}`;
}

/** A UUID of version 5. */
export function uuid5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
    .subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x50;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

const roots = {
  directive: '5c41078f-64dc-42c1-a9b2-e3ea2df5f6d5',
  governance: '3a326538-7b7b-4d4f-8dbd-818842d4a1d0',
  candidate: '8cdd2caa-6f62-4e8f-9c2c-8a98b1d6f10c',
} as const;

/** The ULID of an episode id. */
const ulidOf = (episodeId: string): string => episodeId.replace(/^ep_/, '').slice(0, 26);

/** An id that belongs to the episode: the same text gives another id in another one. */
export const idInEpisode = (kind: keyof typeof roots, episodeId: string, text: string): string =>
  uuid5(uuid5(roots[kind], ulidOf(episodeId)), text);

/** The id of a candidate: the hash of its payload without it. */
export const candidateId = (episodeId: string, payload: JsonObject): string =>
  idInEpisode('candidate', episodeId, stringify(payload, compact));

/** The basis of the decision about a candidate of an adapter. */
export interface JudgedState {
  readonly episode_id: string;
  readonly seed: number;
  readonly task: string;
  readonly adapter_label: string;
  readonly plan: readonly JsonObject[];
}

/** `sha256:` and the hash of the state that a candidate was made in. */
export const stateHash = ({ plan, ...rest }: JudgedState): string =>
  sha256(
    stringify(
      { ...rest, plan: plan.map(({ id, kind, description }) => ({ id, kind, description })) },
      compact,
    ),
  );
