import type * as z from 'zod';
import type { PAYLOADS } from './payloads.ts';
import type { NoesisEnvelope } from './schema.ts';
import type { Phase } from './vocabulary.ts';

type Payloads = { [P in keyof typeof PAYLOADS]: ReturnType<(typeof PAYLOADS)[P]> };

/** One of the forms of a payload. */
type FormOf<Rules> = Rules extends { readonly forms: readonly (infer One extends z.ZodType)[] }
  ? z.infer<One>
  : object;

/** The documented fields, all optional. */
type FieldsOf<Rules> = Rules extends { readonly fields: infer Fields extends z.ZodType }
  ? Partial<z.infer<Fields>>
  : object;

/** The payload of a phase (docs/formats/noesis.md §2.2). It may have further keys. */
export type PayloadOf<P extends Phase> = P extends keyof Payloads
  ? FormOf<Payloads[P]> & FieldsOf<Payloads[P]>
  : Readonly<Record<string, unknown>>;

/** An event of one phase. */
export type EventOf<P extends Phase> = NoesisEnvelope & {
  readonly phase: P;
  readonly payload: PayloadOf<P>;
};

/** An event of a known phase. */
export type NoesisEvent = { [P in Phase]: EventOf<P> }[Phase];
