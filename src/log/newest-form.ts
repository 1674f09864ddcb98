import type { JsonObject } from '../json/value.ts';

type Upcaster = (event: JsonObject) => JsonObject;

let upcaster: Upcaster | undefined;

/** Takes in what reads an event of an older version in the newest one; undefined where there is nothing of that kind. */
export function useUpcaster(now: Upcaster | undefined): void {
  upcaster = now;
}

/** Whether an event may be read in another form than the stored one: then no column of a stored line counts. */
export const mayDifferFromStored = (): boolean => upcaster !== undefined;

/** An event in the newest form. */
export const inNewestForm = (event: JsonObject): JsonObject => upcaster?.(event) ?? event;
