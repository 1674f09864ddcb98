import type { JsonObject } from '../../base/json/value.ts';
import { upcast } from '../kit/upcast.ts';
import type { UpcastStep } from '../kit/upcast-schema.ts';
import { EVENT_TYPES, SCHEMA_VERSION, TYPE_NAME } from './event-types.ts';

/** Why a project cannot register a type in addition to `names`; undefined if it can. */
export function customNameFault(name: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(name)) return `${name} is already registered`;
  if (EVENT_TYPES.has(name)) return `${name} is a built-in type`;
  if (TYPE_NAME.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a type name: write category.name, in lower case with digits and hyphens`;
}

/** A project's additions to the built-in types and schema version. */
export interface Registered {
  /** The types, in the order of registration. */
  readonly types: ReadonlySet<string>;
  /** Steps that lead from custom versions to version 1.0. */
  readonly upcasts: readonly UpcastStep[];
}

/** No custom types, and these upcast steps. */
export const nothingRegistered = (upcasts: readonly UpcastStep[] = []): Registered => ({
  types: new Set(),
  upcasts,
});

/** Whether the store accepts events of a type. */
export const knowsType = ({ types }: Pick<Registered, 'types'>, name: string): boolean =>
  EVENT_TYPES.has(name) || types.has(name);

/**
 * Converts an event to the known version; undefined if no steps lead there. An event without a version has the known
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
