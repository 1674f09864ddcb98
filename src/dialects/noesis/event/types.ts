import { fieldsOf } from '../../../log/schema/fields.ts';
import type { EventTypeEntry } from '../../kit/record-view.ts';
import { rulesFor } from './payloads.ts';
import { PHASES, RUN_EVENTS } from './vocabulary.ts';

function fieldsOfPayload(phase: string, eventType?: string): string[] {
  const { forms, fields } = rulesFor(phase, eventType) ?? {};
  const names = forms === undefined ? [] : fieldsOf(forms[0]);
  const isNamed = (name: string) => names.some((one) => one.replace('?', '') === name.replace('?', ''));
  const more = fields === undefined ? [] : fieldsOf(fields);
  return [...names, ...more.filter((name) => !isNamed(name))];
}

/** The event types: the phases, and the types of runtime events. */
export const EVENT_TYPES: readonly EventTypeEntry[] = [
  ...PHASES.map((phase) => ({ type: phase, group: 'phase', fields: fieldsOfPayload(phase) })),
  ...RUN_EVENTS.map((type) => ({ type, group: 'runtime', fields: fieldsOfPayload('runtime', type) })),
];
