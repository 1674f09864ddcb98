import { fieldsOf } from '../../log/schema/fields.ts';
import type { EventTypeEntry } from '../kit/record-view.ts';
import { EVENT_TYPES } from './event-types.ts';
import { type BuiltInType, PAYLOADS } from './schema/payloads.ts';

/** The built-in types by group, each with its meaning and the fields of its data. */
export function builtInTypes(): EventTypeEntry[] {
  const groups = [...new Set([...EVENT_TYPES.values()].map(({ group }) => group))];
  return [...EVENT_TYPES.values()]
    .map(({ name, sentence: _, ...rest }) => ({
      type: name,
      ...rest,
      fields: fieldsOf(PAYLOADS[name as BuiltInType]),
    }))
    .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group));
}

export const customTypes = (types: ReadonlySet<string>): EventTypeEntry[] =>
  [...types].map((type) => ({ type, group: 'custom' }));
