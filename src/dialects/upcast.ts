import type { JsonObject } from '../json/value.ts';
import type { DialectName } from './dialect.ts';

/** The name or number of a form in which a dialect writes its events. */
export type EventVersion = string | number;

/** One step from an older form of an event to the next. Pure: the stored event stays as it is. */
export interface Upcaster {
  readonly dialect: DialectName;
  readonly from: EventVersion;
  readonly to: EventVersion;
  /** The event in the newer form: a new object, or the same one where nothing changes. */
  readonly upcast: (event: JsonObject) => JsonObject;
}

/** What became of an event. */
export interface Upcast {
  readonly event: JsonObject;
  /** The versions it went through, first and last included; one when it was in the wanted form already. */
  readonly versions: readonly EventVersion[];
}

/**
 * Upcasters by dialect and by the version they start from: one step each, chained as needed. Reading goes through
 * them; nothing stored is ever rewritten.
 */
export class UpcasterRegistry {
  readonly #steps = new Map<string, Upcaster>();

  constructor(steps: readonly Upcaster[] = []) {
    for (const step of steps) this.register(step);
  }

  /** Adds a step. Throws when one from the same version is there, or when it leads nowhere: two bugs of a caller. */
  register(step: Upcaster): this {
    const key = keyOf(step.dialect, step.from);
    if (step.from === step.to) throw new Error(`The upcaster of ${key} leads nowhere.`);
    if (this.#steps.has(key)) throw new Error(`There is an upcaster of ${key} already.`);
    this.#steps.set(key, step);
    return this;
  }

  /** The step that starts from a version, if there is one. */
  stepFrom(dialect: DialectName, from: EventVersion): Upcaster | undefined {
    return this.#steps.get(keyOf(dialect, from));
  }

  /** Takes an event from one version to another, step by step; undefined when no chain of steps leads there. */
  upcast(dialect: DialectName, event: JsonObject, from: EventVersion, to: EventVersion): Upcast | undefined {
    const versions = [from];
    let current = event;
    for (let at = from; at !== to; ) {
      const step = this.stepFrom(dialect, at);
      if (step === undefined || versions.includes(step.to)) return undefined;
      current = step.upcast(current);
      at = step.to;
      versions.push(at);
    }
    return { event: current, versions };
  }
}

/** Versions keep their type: 1 and '1' are two. */
function keyOf(dialect: DialectName, version: EventVersion): string {
  return `${dialect} ${JSON.stringify(version)}`;
}
