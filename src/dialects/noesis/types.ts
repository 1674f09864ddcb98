import { fieldsOf } from '../../schema/fields.ts';
import type { EventTypeEntry } from '../dialect.ts';
import { rulesFor } from './schema/payloads.ts';
import { PHASES, RUN_EVENTS } from './vocabulary.ts';

function fieldsOfPayload(phase: string, eventType?: string): string[] {
  const { forms, fields } = rulesFor(phase, eventType) ?? {};
  const names = forms === undefined ? [] : fieldsOf(forms[0]);
  const isNamed = (name: string) => names.some((one) => one.replace('?', '') === name.replace('?', ''));
  const more = fields === undefined ? [] : fieldsOf(fields);
  return [...names, ...more.filter((name) => !isNamed(name))];
}

/** The phases of an episode, which are the types of most of its events, and the types of the others. */
export const EVENT_TYPES: readonly EventTypeEntry[] = [
  ...PHASES.map((phase) => ({ type: phase, group: 'phase', fields: fieldsOfPayload(phase) })),
  ...RUN_EVENTS.map((type) => ({ type, group: 'runtime', fields: fieldsOfPayload('runtime', type) })),
];
