import type { JsonObject } from '../../json/value.ts';

/** The only version the store has written (exarchos.md §3). */
export const SCHEMA_VERSION = '1.0';

/** Makes an event of one schema version into one of a newer version, which it must say in `schemaVersion`. */
export type Upcaster = (event: JsonObject) => JsonObject;

/** Ways from other schema versions to the one that is known. None is registered by default. */
export class Upcasters {
  readonly #byVersion = new Map<string, Upcaster>();

  /** Registers the way from a version. Throws a RangeError where there is one already, or none is needed. */
  register(from: string, upcaster: Upcaster): this {
    if (from === SCHEMA_VERSION || this.#byVersion.has(from)) throw new RangeError(`an upcaster from ${from} is not needed`);
    this.#byVersion.set(from, upcaster);
    return this;
  }

  /** The event in the known version; undefined where no way leads there. Events without a version are of the known one. */
  upcast(event: JsonObject): JsonObject | undefined {
    let current = event;
    const seen = new Set<unknown>();
    while (current['schemaVersion'] !== undefined && current['schemaVersion'] !== SCHEMA_VERSION) {
      const version = current['schemaVersion'];
      const upcaster = typeof version === 'string' && !seen.has(version) ? this.#byVersion.get(version) : undefined;
      if (upcaster === undefined) return undefined;
      seen.add(version);
      current = upcaster(current);
    }
    return current;
  }
}
