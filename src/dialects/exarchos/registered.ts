import type { JsonObject } from '../../json/value.ts';
import { upcast, upcastsInUse } from '../upcast.ts';
import type { UpcastStep } from '../upcast-schema.ts';
import { CustomTypes } from './custom-types.ts';
import { SCHEMA_VERSION } from './event-types.ts';

/** What a project has registered beside the built-in types and the one schema version. */
export interface Registered {
  readonly types: CustomTypes;
  /** Steps that lead to version 1.0, from versions that a project has made up. */
  readonly upcasts: readonly UpcastStep[];
}

/** The built-in types, and the steps of the configuration that is in use. */
export const nothingRegistered = (): Registered => ({
  types: new CustomTypes(),
  upcasts: upcastsInUse(),
});

/** An event in the known version; undefined where no steps lead there. Without a version it is of the known one. */
export function inKnownVersion(
  event: JsonObject,
  { upcasts }: Pick<Registered, 'upcasts'>,
): JsonObject | undefined {
  const { schemaVersion: version = SCHEMA_VERSION } = event;
  if (version === SCHEMA_VERSION) return event;
  const wanted = { version, wanted: SCHEMA_VERSION, member: 'schemaVersion' };
  return upcast(event, { dialect: 'exarchos', type: event['type'], ...wanted }, upcasts);
}
