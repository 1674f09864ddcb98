import type { JsonObject } from '../base/json/value.ts';

/** Converts an event of an older form to the newest one. Returns events in the newest form unchanged. */
export type Upcaster = (event: JsonObject) => JsonObject;

/** What may convert events of older forms. */
export interface MayConvert {
  /** Undefined if events are read as they are stored. */
  readonly newest: Upcaster | undefined;
}
