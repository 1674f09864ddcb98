import type { JsonObject } from '../../json/value.ts';
import { upcast } from '../upcast.ts';
import { SCHEMA_VERSION } from './event-types.ts';
import type { Registered } from './registered.ts';

/**
 * An event in the known version; undefined if no steps lead there. An event without a version has the known
 * one.
 */
export function inKnownVersion(
  event: JsonObject,
  { upcasts }: Pick<Registered, 'upcasts'>,
): JsonObject | undefined {
  const { schemaVersion: version = SCHEMA_VERSION } = event;
  if (version === SCHEMA_VERSION) return event;
  const wanted = { version, wanted: SCHEMA_VERSION, member: 'schemaVersion' };
  return upcast(event, { dialect: 'exarchos', type: event['type'], ...wanted }, upcasts);
}
