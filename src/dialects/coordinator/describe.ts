import type { JsonObject } from '../../base/json/value.ts';
import { membersText } from '../kit/state-view.ts';
import { detailsOf, readEvent } from './read.ts';
import { EVENT_TYPES, IDS } from './vocabulary.ts';

/** A short description of an event: the details of its type, without ids. */
export function describeEvent(stored: JsonObject): string {
  const event = readEvent(stored);
  const fields = (event && EVENT_TYPES.get(event.type)?.fields) ?? Object.keys(detailsOf(stored));
  return membersText(fields.filter((name) => !IDS.includes(name)).map((name) => [name, event?.detail(name)]));
}
