import type { JsonObject } from '../base/json/value.ts';

/** Converts an event of an older form to the newest one. Returns events in the newest form unchanged. */
export type Upcaster = (event: JsonObject) => JsonObject;
