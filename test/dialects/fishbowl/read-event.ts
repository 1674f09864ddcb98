import { parseDocument } from '../../../src/base/json/parse-document.ts';
import { JsonScanner } from '../../../src/base/json/scanner.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../src/base/json/value.ts';
import { ValueIndex } from '../../../src/base/json/value-index.ts';
import {
  compatibleEventSchema,
  eventSchema,
  unknownKeys,
} from '../../../src/dialects/fishbowl/schema/event.ts';

// Reads events as the engine does, to hold the schemas against the engine's own answers.

/** How an event is read: as today's engine writes it, or as its lax validator takes it. */
export type Reading = 'strict' | 'compatible';

/** An event of a ledger with all its members. */
export interface FishbowlEvent {
  readonly id: string;
  readonly run_id: string;
  readonly turn: number;
  readonly kind: string;
  readonly actor: string;
  readonly payload: JsonObject;
  /** ISO 8601; without an offset it is UTC. */
  readonly created_at: string;
  readonly schema_version: number;
  readonly session_id: string | null;
  readonly model_profile: string | null;
  readonly model_id: string | null;
}

const COMPATIBLE = compatibleEventSchema;

/** An event with all its members, or undefined where the reading refuses it. The payload is the one that was given. */
export function readEvent(event: JsonObject, reading: Reading = 'compatible'): FishbowlEvent | undefined {
  if (unknownKeys(event).length > 0) return undefined;
  const result = (reading === 'strict' ? eventSchema : COMPATIBLE).safeParse(event);
  if (!result.success) return undefined;
  const { session_id = null, model_profile = null, model_id = null, ...rest } = result.data;
  return { ...rest, payload: event['payload'] as JsonObject, session_id, model_profile, model_id };
}

/** Whether every string in a value, keys too, is a text that UTF-8 can hold. */
function isWellFormed(value: JsonValue): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isWellFormed);
  if (!isObject(value)) return true;
  return Object.keys(value).every((key) => key.isWellFormed() && isWellFormed(value[key] as JsonValue));
}

/** The line with `null` in place of NaN and the infinities, which the engine reads and writes so (fishbowl.md §1). */
function withoutNonFinite(line: string): string {
  const bytes = Buffer.from(`${line}\n`);
  const scanner = new JsonScanner();
  if (!scanner.scan(bytes, 0, bytes.length - 1) || scanner.nonFiniteAt < 0) return line;
  const parts: string[] = [];
  let from = 0;
  const index = new ValueIndex(bytes, scanner.valueStart, scanner.valueEnd);
  for (let value = 0; value < index.size; value += 1) {
    const start = index.startOf(value);
    if (!/^-?[NI]/.test(bytes.toString('latin1', start, start + 2))) continue;
    parts.push(bytes.toString('utf8', from, start), 'null');
    from = index.endOf(value);
  }
  return parts.join('') + bytes.toString('utf8', from, bytes.length - 1);
}

/**
 * One line of an exported ledger as an event; undefined where the reading refuses it. The compatible reading agrees
 * with the engine's validator on JSON as well: it takes NaN, and refuses half surrogate pairs (fishbowl.md §1).
 */
export function readEventLine(line: string, reading: Reading = 'compatible'): FishbowlEvent | undefined {
  const text = reading === 'compatible' ? withoutNonFinite(line) : line;
  const outcome = parseDocument(Buffer.from(text));
  if (!outcome.ok || !isObject(outcome.value) || !isWellFormed(outcome.value)) return undefined;
  return readEvent(outcome.value, reading);
}
