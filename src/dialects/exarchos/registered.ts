import type { JsonObject } from '../../json/value.ts';
import { upcast, upcastsInUse } from '../upcast.ts';
import type { UpcastStep } from '../upcast-schema.ts';
import { EVENT_TYPES, SCHEMA_VERSION, TYPE_NAME } from './event-types.ts';

function customNameFault(name: string): string | undefined {
  if (EVENT_TYPES.has(name)) return `${name} is a built-in type`;
  if (TYPE_NAME.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a type name: write category.name, in lower case with digits and hyphens`;
}

/** The types that a project registers in addition to the built-in ones, in the order of registration. */
export class CustomTypes {
  readonly #names = new Set<string>();

  /** Registers a type. Throws a RangeError if the name is malformed, built in or already registered. */
  register(name: string): this {
    const fault = this.faultOf(name);
    if (fault !== undefined) throw new RangeError(fault);
    this.#names.add(name);
    return this;
  }

  /** Why a name cannot be registered; undefined if it can. */
  faultOf(name: string): string | undefined {
    return this.#names.has(name) ? `${name} is already registered` : customNameFault(name);
  }

  names(): string[] {
    return [...this.#names];
  }

  /** Whether the store accepts events of this type. */
  knows(name: string): boolean {
    return EVENT_TYPES.has(name) || this.#names.has(name);
  }
}

/** A project's additions to the built-in types and schema version. */
export interface Registered {
  readonly types: CustomTypes;
  /** Steps that lead from custom versions to version 1.0. */
  readonly upcasts: readonly UpcastStep[];
}

/** No custom types, and the configured upcast steps. */
export const nothingRegistered = (upcasts = upcastsInUse()): Registered => ({
  types: new CustomTypes(),
  upcasts,
});

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
