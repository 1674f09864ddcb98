import type { JsonObject } from '../../json/value.ts';
import { type EmissionSource, EVENT_TYPES } from './event-types.ts';

/** The description of a project's custom type (exarchos.md §8). */
export interface CustomType {
  /** `planned` is only for built-in types. Absent if nobody named the source. */
  readonly source?: Exclude<EmissionSource, 'planned'>;
  /** Whether a payload is as the project wants it; by default any object is. */
  readonly accepts?: (data: JsonObject) => boolean;
}

/** Hyphens and digits by the older rule, underscores by the present one (exarchos.md §8). */
const CUSTOM_NAME = /^[a-z][a-z0-9_-]*(?:\.[a-z][a-z0-9_-]*)+$/;

function customNameFault(name: string): string | undefined {
  if (EVENT_TYPES.has(name)) return `${name} is a built-in type`;
  if (CUSTOM_NAME.test(name)) return undefined;
  return `${JSON.stringify(name)} is not a type name: write category.name, in lower case with digits and hyphens`;
}

/** The types that a project registers in addition to the built-in ones. */
export class CustomTypes {
  readonly #types = new Map<string, CustomType>();

  /** Registers a type. Throws a RangeError for a malformed, a built-in or an already registered name. */
  register(name: string, type: CustomType = {}): this {
    const fault = this.faultOf(name);
    if (fault !== undefined) throw new RangeError(fault);
    this.#types.set(name, type);
    return this;
  }

  /** Why a name cannot be registered; undefined when it can. */
  faultOf(name: string): string | undefined {
    return this.#types.has(name) ? `${name} is already registered` : customNameFault(name);
  }

  get(name: string): CustomType | undefined {
    return this.#types.get(name);
  }

  /** In the order in which they were registered. */
  names(): string[] {
    return [...this.#types.keys()];
  }

  /** Whether the store would take an event of this type. */
  knows(name: string): boolean {
    return EVENT_TYPES.has(name) || this.#types.has(name);
  }
}
