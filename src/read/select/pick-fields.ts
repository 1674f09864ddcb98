import { UsageError } from '../../base/errors.ts';
import { setMember } from '../../base/json/parse.ts';
import { type JsonPath, parsePath, valueAt } from '../../base/json/path.ts';
import type { JsonObject } from '../../base/json/value.ts';

/** Parses a comma-separated list of dotted fields. Throws `usage` for an invalid path. */
export function parseFields(text: string): JsonPath[] {
  return text.split(',').map((name) => {
    const path = parsePath(name.trim());
    if (path && path.length > 0) return path;
    throw new UsageError('usage', `${JSON.stringify(name)} is not a field`, {
      hint: 'give dotted names, as in --fields id,payload.outcome',
    });
  });
}

/** Copies only the named fields of an event, nested as before. Absent fields are left out. */
export function pickFields(event: JsonObject, fields: readonly JsonPath[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const path of fields) {
    const value = valueAt(event, path);
    if (value === undefined) continue;
    // An array index becomes a key, because the other elements are missing.
    let holder = picked;
    for (const segment of path.slice(0, -1)) {
      const key = String(segment);
      if (!Object.hasOwn(holder, key)) setMember(holder, key, {});
      holder = holder[key] as Record<string, unknown>;
    }
    setMember(holder, String(path.at(-1)), value);
  }
  return picked;
}
