import * as z from 'zod';
import { isObject } from '../../base/json/value.ts';

/** The members of an event that have its type and what depends on the type. */
interface TypedMembers {
  readonly type: string;
  readonly payload: string;
}

/**
 * The schema of a whole event: an envelope, and the payload that its type requires. Events of other types may have any
 * payload that the envelope allows. The JSON Schema has the types as `anyOf`.
 */
export function withPayloads<Envelope extends z.ZodObject>(
  envelope: Envelope,
  members: TypedMembers,
  payloads: Readonly<Record<string, z.ZodType>>,
): Envelope {
  const branches = Object.entries(payloads).map(([type, payload]) =>
    z.looseObject({ [members.type]: z.literal(type), [members.payload]: payload }),
  );
  const known = z.toJSONSchema(z.union(branches), { unrepresentable: 'any' }).anyOf ?? [];
  const others = { properties: { [members.type]: { not: { enum: Object.keys(payloads) } } } };
  return withPayload(envelope, members.payload, (event) => {
    const type = event[members.type];
    return typeof type === 'string' && Object.hasOwn(payloads, type) ? payloads[type] : undefined;
  }).meta({ anyOf: [...known, others] });
}

/** The schema of an envelope with the payload schema that `schemaOf` chooses for an event; any payload if it chooses none. */
export function withPayload<Envelope extends z.ZodObject>(
  envelope: Envelope,
  payload: string,
  schemaOf: (event: Readonly<Record<string, unknown>>) => z.ZodType | undefined,
): Envelope {
  return envelope.superRefine((event: unknown, context) => {
    if (!isObject(event)) return;
    const result = schemaOf(event)?.safeParse(event[payload]);
    for (const issue of result?.error?.issues ?? [])
      context.addIssue({ ...issue, path: [payload, ...issue.path] } as z.core.$ZodSuperRefineIssue);
  });
}
