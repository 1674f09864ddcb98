import { schemaIssues } from '../../../findings/schema-issues.ts';
import { type JsonObject, jsonEqual } from '../../../json/value.ts';
import { detailsOf, readEvent } from '../read.ts';
import { TYPED_DETAILS } from '../schema/event.ts';
import { isFormerType } from '../upcasters.ts';
import { EVENT_TYPES, isOtherType, RECOVERY_TYPES } from '../vocabulary.ts';

/** What `verify` would report of an event alone: an unknown type, missing details, two values for one field. */
export function contentDoubts(stored: JsonObject): string[] {
  const details = detailsOf(stored);
  const conflicts = Object.keys(details)
    .filter((name) => (stored[name] ?? null) !== null && (details[name] ?? null) !== null)
    .filter((name) => name !== 'details' && !jsonEqual(stored[name], details[name]))
    .map((name) => `${name} is another one in details than at the top`);
  const event = readEvent(stored);
  if (event === undefined) return conflicts;
  const { type, agentId, taskId, detail } = event;
  const spec = EVENT_TYPES.get(type);
  if (spec === undefined) {
    if (isOtherType(type)) return conflicts;
    const why = isFormerType(type) ? 'a name that only older logs have' : 'none of the documented types';
    return [...conflicts, `${type} is ${why}`];
  }
  const isThere = (name: string): boolean => {
    if (name === 'task_id') return taskId !== undefined;
    if (name === 'agent_id') return agentId !== undefined;
    // A writer that says null has said something.
    return Object.hasOwn(details, name) || detail(name) !== undefined;
  };
  const missing = RECOVERY_TYPES.has(type) ? [] : spec.fields.filter((name) => !isThere(name));
  const wrong = spec.fields.flatMap((name) => {
    const schema = TYPED_DETAILS.get(name);
    const value = detail(name);
    return schema === undefined || value === undefined
      ? []
      : schemaIssues(schema, value, ['details', name]).map(({ message }) => message);
  });
  return [...conflicts, ...(missing.length > 0 ? [`${type} lacks ${missing.join(', ')}`] : []), ...wrong];
}
