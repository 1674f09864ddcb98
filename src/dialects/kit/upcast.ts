import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import type { UpcastStep } from './upcast-schema.ts';

interface UpcastRequest {
  readonly dialect: string;
  readonly type: JsonValue | undefined;
  readonly version: JsonValue;
  readonly wanted: JsonValue;
  /** The member with the version. */
  readonly member: string;
}

function valueAt(object: JsonObject, [name = '', ...rest]: readonly string[]): JsonValue | undefined {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (rest.length === 0) return value;
  return isObject(value) ? valueAt(value, rest) : undefined;
}

/** A copy with the value at a path replaced or removed. */
function changed(
  object: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue | undefined,
): JsonObject {
  const { [name]: before, ...others } = object;
  if (rest.length === 0) return value === undefined ? others : { ...object, [name]: value };
  if (!isObject(before))
    return value === undefined ? object : { ...object, [name]: changed({}, rest, value) };
  return { ...object, [name]: changed(before, rest, value) };
}

function applied(event: JsonObject, { rename = {}, set = {}, drop = [] }: UpcastStep): JsonObject {
  let current = event;
  for (const [from, to] of Object.entries(rename)) {
    const value = valueAt(current, from.split('.'));
    if (value === undefined) continue;
    current = changed(changed(current, from.split('.'), undefined), to.split('.'), value);
  }
  for (const [path, value] of Object.entries(set)) current = changed(current, path.split('.'), value);
  for (const path of drop) current = changed(current, path.split('.'), undefined);
  return current;
}

/**
 * Converts an event to the wanted version, step by step. Returns undefined if no steps lead there. A step for
 * a type wins over one for several types.
 */
export function upcast(
  event: JsonObject,
  { dialect, type, version, wanted, member }: UpcastRequest,
  steps: readonly UpcastStep[],
): JsonObject | undefined {
  const seen = new Set<JsonValue>();
  let current = event;
  for (let at = version; at !== wanted; ) {
    const here = steps.filter((step) => step.dialect === dialect && step.from === at);
    const step =
      here.find((one) => one.type !== undefined && one.type === type) ??
      here.find((one) => one.type === undefined || (typeof type === 'string' && matchesGlob(type, one.type)));
    if (step === undefined || seen.has(at)) return undefined;
    seen.add(at);
    at = step.to;
    current = { ...applied(current, step), [member]: at };
  }
  return current;
}
