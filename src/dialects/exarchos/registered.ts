import { upcastsInUse } from '../upcast.ts';
import type { UpcastStep } from '../upcast-schema.ts';
import { CustomTypes } from './custom-types.ts';

/** A project's additions to the built-in types and schema version. */
export interface Registered {
  readonly types: CustomTypes;
  /** Steps that lead to version 1.0, from versions that a project has made up. */
  readonly upcasts: readonly UpcastStep[];
}

/** The built-in types, and the steps of the configuration that is in use. */
export const nothingRegistered = (upcasts = upcastsInUse()): Registered => ({
  types: new CustomTypes(),
  upcasts,
});
