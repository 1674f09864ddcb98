import type { JsonObject } from '../../json/value.ts';
import { UpcasterRegistry } from '../upcast.ts';
import { CustomTypes } from './custom-types.ts';
import { SCHEMA_VERSION } from './event-types.ts';

/** What a project has registered beside the built-in types and the one schema version. */
export interface Registered {
  readonly types: CustomTypes;
  /** Steps of this dialect lead to version 1.0, from versions that a project has made up. */
  readonly upcasters: UpcasterRegistry;
}

/** Nothing but what is built in. No version has ever needed a step (exarchos.md §3). */
export const nothingRegistered = (): Registered => ({
  types: new CustomTypes(),
  upcasters: new UpcasterRegistry(),
});

/** An event in the known version; undefined where no steps lead there. Without a version it is of the known one. */
export function inKnownVersion(event: JsonObject, { upcasters }: Registered): JsonObject | undefined {
  const { schemaVersion: version = SCHEMA_VERSION } = event;
  if (version === SCHEMA_VERSION) return event;
  return typeof version === 'string'
    ? upcasters.upcast('exarchos', event, version, SCHEMA_VERSION)?.event
    : undefined;
}
