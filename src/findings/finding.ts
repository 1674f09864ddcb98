import type * as z from 'zod';
import type { FindingCode } from './codes.ts';
import type { findingSchema } from './report-schema.ts';
import type { Severity } from './severity.ts';

export type { Severity };

/** What a schema describes, as data that nobody changes. Absent members are left out, never undefined. */
export type Stored<T> = T extends readonly (infer Item)[]
  ? readonly Stored<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: Stored<Exclude<T[Key], undefined>> }
    : T;

/** A finding as plain data. */
export interface Finding extends Stored<Omit<z.infer<typeof findingSchema>, 'code'>> {
  /** A stable name, `family/name`; see `noesis explain`. */
  readonly code: FindingCode;
}
