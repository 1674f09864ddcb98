import { isObject } from './value.ts';
import { writeJson } from './write.ts';
import { WrittenObjects } from './written-objects.ts';

/** Lists of ready-made JSON are not deeper than this. */
const DEEPEST = 2;

/** Like writeJson, but yields pieces. Ready-made JSON in a list is never joined into one string. */
export function* jsonPieces(value: unknown, indent: number, depth = 0): Generator<string | Uint8Array> {
  if (value instanceof WrittenObjects) return yield* value.pieces();
  const members = isObject(value) && depth < DEEPEST ? Object.entries(value) : [];
  const written = members.filter(([, member]) => member !== undefined);
  if (written.length === 0) return yield writeJson(value, indent, depth);
  const line = indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`;
  const inner = indent === 0 ? '' : `${line}${' '.repeat(indent)}`;
  const colon = indent === 0 ? ':' : ': ';
  for (const [index, [key, member]] of written.entries()) {
    yield `${index === 0 ? '{' : ','}${inner}${JSON.stringify(key)}${colon}`;
    yield* jsonPieces(member, indent, depth + 1);
  }
  yield `${line}}`;
}
