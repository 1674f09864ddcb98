import type * as z from 'zod';
import type { Phase } from '../vocabulary.ts';
import type { NoesisEnvelope } from './event.ts';
import type { PAYLOADS } from './payloads.ts';

type Payloads = typeof PAYLOADS;

/** One of the forms that a payload may have. */
type FormOf<Rules> = Rules extends { readonly forms: readonly (infer One extends z.ZodType)[] }
  ? z.infer<One>
  : object;

/** The fields that the documents name: none need be there. */
type FieldsOf<Rules> = Rules extends { readonly fields: infer Fields extends z.ZodType }
  ? Partial<z.infer<Fields>>
  : object;

/** What the payload of a phase holds (docs/formats/noesis.md §2.2); further keys are kept. */
export type PayloadOf<P extends Phase> = P extends keyof Payloads
  ? FormOf<Payloads[P]> & FieldsOf<Payloads[P]>
  : Readonly<Record<string, unknown>>;

/** An event of one phase. */
export type EventOf<P extends Phase> = NoesisEnvelope & {
  readonly phase: P;
  readonly payload: PayloadOf<P>;
};

/** An event as a log holds it, by its phase. Extensions may add phases: an event of one is none of these. */
export type NoesisEvent = { [P in Phase]: EventOf<P> }[Phase];
