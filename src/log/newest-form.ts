import type { JsonObject } from '../base/json/value.ts';

type Upcaster = (event: JsonObject) => JsonObject;

let upcaster: Upcaster | undefined;

/** Sets the function that converts old events to the newest form; undefined removes it. */
export function useUpcaster(now: Upcaster | undefined): void {
  upcaster = now;
}

/** Whether events may differ from their stored form. If so, columns of stored lines cannot be used. */
export const mayDifferFromStored = (): boolean => upcaster !== undefined;

export const inNewestForm = (event: JsonObject): JsonObject => upcaster?.(event) ?? event;
