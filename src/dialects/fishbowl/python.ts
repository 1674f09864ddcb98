import { isObject, type JsonValue } from '../../json/value.ts';

function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll('\t', '\\t')
    .replaceAll(quote, `\\${quote}`);
  return quote + escaped + quote;
}

function repr(value: JsonValue): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(repr).join(', ')}]`;
  if (isObject(value)) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${quoted(key)}: ${repr(item)}`)
      .join(', ')}}`;
  }
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return String(value);
}

/** A value as Python's `str` shows it, which is how the engine puts values that are no text on stage (fishbowl.md §8). */
export function pythonText(value: JsonValue): string {
  return typeof value === 'string' ? value : repr(value);
}
