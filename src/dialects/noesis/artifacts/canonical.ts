import { isObject, type JsonValue } from '../../../json/value.ts';

/** Orders texts by code point, as Python does. JavaScript orders by UTF-16 unit. */
export function byCodePoint(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/**
 * Canonical JSON as the runtime writes it (noesis.md §7): keys sorted by code point, non-ASCII characters unescaped, no
 * indent. Manifests use `", "` and `": "`, digests of checkpoints `","` and `":"`. Not for fractions, which Python
 * prints differently.
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
