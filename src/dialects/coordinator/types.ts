import type { EventTypeEntry } from '../dialect.ts';
import { TRIGGERS } from './triggers.ts';
import { EVENT_TYPES, OTHER_TYPES } from './vocabulary.ts';

/** The types of the tables with their triggers and details, then those that only other documents emit. */
export function documentedTypes(): EventTypeEntry[] {
  const listed = [...EVENT_TYPES].map(([type, { fields }]) => {
    const { [type]: meaning } = TRIGGERS;
    return { type, group: 'listed', ...(meaning !== undefined && { meaning }), fields };
  });
  return [...listed, ...[...OTHER_TYPES].map((type) => ({ type, group: 'other' }))];
}
