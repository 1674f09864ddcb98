import { isObject, type JsonValue } from '../../../json/value.ts';

/** Orders texts by code point, as Python does; JavaScript's own order is by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * The runtime's canonical JSON (noesis.md §7): keys sorted by code point, other characters raw, no indent. Manifests
 * use `", "` and `": "`, digests of checkpoints `","` and `":"`. For strings, integers, null, lists and objects of
 * these: numbers that are no integers have another form in Python.
 */
export function canonicalJson(value: JsonValue, separators: readonly [item: string, key: string]): string {
  const [item, key] = separators;
  if (Array.isArray(value))
    return `[${value.map((element) => canonicalJson(element, separators)).join(item)}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.keys(value)
    .sort(byCodePoint)
    .map((name) => `${JSON.stringify(name)}${key}${canonicalJson(value[name] ?? null, separators)}`);
  return `{${members.join(item)}}`;
}
