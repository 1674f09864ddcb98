import { formatPath, type JsonPath } from '../../src/base/json/path.ts';
import { isObject, type JsonObject, type JsonValue } from '../../src/base/json/value.ts';
import type { Comparison } from '../../src/findings/projection/projector.ts';

/** The paths of all members of a value, at every depth. */
function membersOf(value: unknown, path: JsonPath = []): JsonPath[] {
  const keys = Array.isArray(value) ? [...value.keys()] : isObject(value) ? Object.keys(value) : [];
  return keys.flatMap((key) => {
    const here = [...path, key];
    return [here, ...membersOf((value as Record<string | number, unknown>)[key], here)];
  });
}

/** A copy in which one member has another value, or is missing. */
function edited(document: JsonObject, path: JsonPath, value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(document);
  const key = path.at(-1) as string;
  const parent = path.slice(0, -1).reduce<unknown>((at, segment) => (at as JsonObject)[segment], copy);
  if (value !== undefined) (parent as JsonObject)[key] = value;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete (parent as JsonObject)[key];
  return copy;
}

/** Whether one path is the other, or is above it. */
const covers = (above: string, below: string): boolean =>
  above === below || below.startsWith(`${above}.`) || below.startsWith(`${above}[`);

const namedBy = ({ differences, not_compared }: Comparison): string[] =>
  [...differences, ...not_compared].map(({ path }) => path);

/** The members of a state that may be altered or removed without the comparison naming them. */
export function unaccounted(state: JsonObject, compare: (state: JsonObject) => Comparison): string[] {
  const before = compare(state).not_compared.map(({ path }) => path);
  const missed = membersOf(state).filter((path) => {
    const text = formatPath(path);
    const altered = namedBy(compare(edited(state, path, 'forged')));
    const removed = [...namedBy(compare(edited(state, path, undefined))), ...before];
    // If an element of a list is removed, the next ones move up.
    const around = typeof path.at(-1) === 'number' ? formatPath(path.slice(0, -1)) : text;
    return (
      !altered.some((one) => covers(one, text)) ||
      !removed.some((one) => covers(one, text) || covers(around, one))
    );
  });
  return missed.map(formatPath);
}
