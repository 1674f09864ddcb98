import type { Dialect, EventTypeEntry } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/registry.ts';

/** A type of event, and the dialect that defines it. */
export interface DialectEventType extends EventTypeEntry {
  readonly dialect: string;
}

/** What `phase: runtime` events say in `event_type` (noesis.md §2.2). */
const RUN_EVENTS = ['run.interrupt', 'run.checkpoint', 'run.resume', 'run.state_projection'];

/** The phases of an episode, which are the types of most of its events, and the types of the others. */
async function noesisTypes(): Promise<EventTypeEntry[]> {
  const { PHASES } = await import('../dialects/noesis/vocabulary.ts');
  const { intendedForm, optionalFields } = await import('../dialects/noesis/schema/payloads.ts');
  const { fieldsOf } = await import('./fields.ts');
  const fields = (phase: string) => {
    const required = intendedForm(phase, {});
    const optional = Object.hasOwn(optionalFields, phase) ? optionalFields[phase] : undefined;
    const names = required === undefined ? [] : fieldsOf(required);
    const more = optional === undefined ? [] : fieldsOf(optional);
    return [...names, ...more.filter((name) => !names.includes(name.replace('?', '')))];
  };
  return [
    ...PHASES.map((phase) => ({ type: phase, group: 'phase', fields: fields(phase) })),
    ...RUN_EVENTS.map((type) => ({ type, group: 'runtime' })),
  ];
}

/** The types of events that dialects define: those of one, or of each. */
export async function eventTypes(only?: Dialect['name']): Promise<DialectEventType[]> {
  const types: DialectEventType[] = [];
  for (const { name, eventTypes: own } of DIALECTS) {
    if (only !== undefined && name !== only) continue;
    const entries = name === 'noesis' ? await noesisTypes() : ((await own?.()) ?? []);
    types.push(...entries.map((entry) => ({ dialect: name, ...entry })));
  }
  return types;
}
