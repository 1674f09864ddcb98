import { isObject, type JsonObject, type JsonValue } from '../../../../src/base/json/value.ts';

/** The reference algorithm stops here with an error of Python's. */
export class OriginError extends Error {
  readonly kind: string;

  constructor(kind: string, message = kind) {
    super(message);
    this.kind = kind;
  }
}

/** `event[key]`: there must be such a key. */
export function required(event: JsonObject, key: string): JsonValue {
  if (!Object.hasOwn(event, key)) throw new OriginError('KeyError', `KeyError: '${key}'`);
  return event[key] as JsonValue;
}

/** `event.get(key)`: null if it is missing. */
export function optional(event: JsonObject, key: string): JsonValue {
  return Object.hasOwn(event, key) ? (event[key] as JsonValue) : null;
}

/** The truth of a value in `if value:`. */
export function truthy(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** A value as the key of a dictionary, by the name it gets when that is written as JSON. Lists and objects cannot be one. */
export function keyText(value: JsonValue): string {
  if (typeof value === 'object' && value !== null) throw new OriginError('TypeError');
  return String(value);
}
