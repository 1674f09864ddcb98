import type { JsonObject, JsonValue } from '../../json/value.ts';
import { textOf } from '../../json/write.ts';
import { detailsOf, readEvent } from './read.ts';
import { EVENT_TYPES } from './vocabulary.ts';

function show(value: JsonValue): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(', ');
  return textOf(value);
}

/** A short description of an event without its ids: the details of its type, in order. */
export function describeEvent(stored: JsonObject): string {
  const event = readEvent(stored);
  const fields = (event && EVENT_TYPES.get(event.type)?.fields) ?? Object.keys(detailsOf(stored));
  const parts = fields
    .filter((name) => name !== 'task_id' && name !== 'agent_id')
    .map((name) => [name, show(event?.detail(name) ?? '')] as const)
    .filter(([, text]) => text !== '');
  return parts.map(([name, text]) => `${name}=${text}`).join(' ');
}
