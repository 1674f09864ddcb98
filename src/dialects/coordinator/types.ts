import type { EventTypeEntry } from '../dialect.ts';
import { EVENT_TYPES, OTHER_TYPES } from './vocabulary.ts';

/** The types of the tables with their details, then those that only other documents emit. */
export function documentedTypes(): EventTypeEntry[] {
  const listed = [...EVENT_TYPES].map(([type, { fields }]) => ({ type, group: 'listed', fields }));
  return [...listed, ...[...OTHER_TYPES].map((type) => ({ type, group: 'other' }))];
}
