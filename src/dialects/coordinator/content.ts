import { isObject } from '../../base/json/value.ts';
import { ticked } from '../../base/json/write.ts';
import { schemaIssues } from '../../findings/schema-issues.ts';
import type { Doubt } from '../kit/rules.ts';
import { type CoordinatorEvent, conflictsIn, detailsOf } from './read.ts';
import { roleOf } from './roles.ts';
import { MAY_BE_NULL, TYPED_DETAILS } from './schema/details.ts';
import { isFormerType } from './upcasters.ts';
import {
  AGENT_DISPATCHES,
  ENVELOPE,
  EVENT_TYPES,
  isOtherType,
  RECOVERY_TYPES,
  type TypeSpec,
} from './vocabulary.ts';

/**
 * Whether an event has a detail, in either place and under any of its names. Null counts as a value, but not as the agent
 * that is sent, nor as the task of an event about work.
 */
function has({ type, stored, detail, taskId, agentId }: CoordinatorEvent, name: string): boolean {
  if (name === 'task_id' && (taskId !== undefined || roleOf(type).isWork)) return taskId !== undefined;
  if (name === 'agent_id' && (agentId !== undefined || AGENT_DISPATCHES.has(type)))
    return agentId !== undefined;
  if (ENVELOPE.has(name) && Object.hasOwn(stored, name)) return true;
  return detail(name) !== undefined || Object.hasOwn(detailsOf(stored), name);
}

/** Whether an event has no details, in either place (coordinator.md §2). */
export function lacksDetails({ stored }: Pick<CoordinatorEvent, 'stored'>): boolean {
  const { details } = stored;
  return (
    (details === undefined || details === null) && Object.keys(stored).every((name) => ENVELOPE.has(name))
  );
}

function unknownType({ type, typeKey }: CoordinatorEvent): Doubt {
  const at = { path: [typeKey], actual: type };
  if (isOtherType(type)) {
    const message = `${ticked(type)} is in neither table of types, but other documents use it; it is accepted`;
    return { ...at, code: 'event/unknown-type', severity: 'info', message };
  }
  const unknown = isFormerType(type)
    ? 'is a name from older logs, which had no session ids; it is ignored'
    : 'is not documented; it is ignored';
  return { ...at, code: 'event/unknown-type', severity: 'warn', message: `${ticked(type)} ${unknown}` };
}

function flatDetails({ stored }: CoordinatorEvent, { fields, otherFields }: TypeSpec): Doubt[] {
  const flat = [...fields, ...otherFields].find((name) => !ENVELOPE.has(name) && Object.hasOwn(stored, name));
  if (flat === undefined) return [];
  const words = (count: number): string => {
    const events = count === 1 ? 'one event' : `${count} events, here for the first time`;
    return `fields such as ${flat} are at the top level, outside details, in ${events}`;
  };
  return [{ code: 'event/flat-details', message: words(1), path: [flat], once: { key: 'flat', words } }];
}

/** Checks the types of details. They follow from their names; null says nothing in most of them. */
function wrongTypes({ stored, detail }: CoordinatorEvent, fields: readonly string[]): Doubt[] {
  const details = detailsOf(stored);
  return fields.flatMap((name): Doubt[] => {
    const schema = TYPED_DETAILS.get(name);
    if (schema === undefined) return [];
    const value = detail(name);
    const path = Object.hasOwn(details, name) ? ['details', name] : [name];
    if (value === undefined) {
      const isNull = details[name] === null && !MAY_BE_NULL.has(name);
      if (!isNull || name === 'previous_session_id') return [];
      const message = `${name} is null, which says nothing`;
      return [{ code: 'event/field-type', severity: 'info', message, path, actual: 'null' }];
    }
    return schemaIssues(schema, value, path).map(({ rule, path, message, expected, actual }) => {
      const code = rule === 'range' ? 'event/range' : 'event/field-type';
      return { code, message, path, expected, actual };
    });
  });
}

function missingDetails(event: CoordinatorEvent, { fields, otherFields }: TypeSpec): Doubt[] {
  const { type, stored } = event;
  // Missing members of the envelope are reported as such.
  const said = (name: string) =>
    has(event, name) || (ENVELOPE.has(name) ? !Object.hasOwn(stored, name) : lacksDetails(event));
  const missing = fields.filter((name) => !said(name));
  if (missing.length === 0) return [];
  const which = otherFields.every(said)
    ? 'the event structure lists for it, but a second document leaves out'
    : 'the documents list for it';
  return [
    {
      code: 'event/payload',
      severity: 'warn',
      message: `${type} lacks ${missing.join(', ')}, which ${which}`,
      path: ['details'],
      expected: fields.join(', '),
    },
  ];
}

/**
 * What is wrong with the type and details of an event by itself (coordinator.md §3, §8). The documents list details
 * without requiring them, so a missing one is a warning. `older`: it is of a revision whose details are unknown.
 */
export function contentDoubts(event: CoordinatorEvent, older = false): readonly Doubt[] {
  const spec = EVENT_TYPES.get(event.type);
  if (spec === undefined) return [unknownType(event)];
  const flat = RECOVERY_TYPES.has(event.type) ? [] : flatDetails(event, spec);
  if (older) return flat;
  return [...flat, ...wrongTypes(event, spec.fields), ...missingDetails(event, spec)];
}

/** The values that an event has at its top and, differently, in its details (coordinator.md §2). */
export function conflictDoubts(stored: CoordinatorEvent['stored']): readonly Doubt[] {
  const details = isObject(stored['details']) ? stored['details'] : {};
  return conflictsIn(stored).map((key) => {
    const taken = ENVELOPE.has(key) ? 'the former' : 'the latter';
    const [outside, inside] = [JSON.stringify(stored[key]), JSON.stringify(details[key])];
    const values = `${outside} at the top of the event and ${inside} in its details`;
    return {
      code: 'event/conflict',
      message: `${key} is ${values}; ${taken} is used`,
      path: ['details', key],
    };
  });
}
