import * as z from 'zod';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { requireSettings } from '../../log/schema/require.ts';

const UNSAFE: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

const RESERVED = 'must not name __proto__, constructor or prototype';

const place = z
  .string('must be a member of an event, as in "data.taskId"')
  .regex(/^[\w-]+(?:\.[\w-]+)*$/, 'must be a member of an event, as in "data.taskId"')
  .refine((text) => !text.split('.').some((name) => UNSAFE.has(name)), RESERVED);

/** A table by member names. zod would drop a key `__proto__`. */
const members = <Value extends z.ZodType>(value: Value) =>
  z
    .unknown()
    .refine((table) => !isObject(table) || !Object.hasOwn(table, '__proto__'), RESERVED)
    .pipe(
      z.record(place, value, {
        error: (issue) => (issue.code === 'invalid_key' ? issue.issues[0]?.message : 'must be a table'),
      }),
    );

const VERSION = 'must be a version, as in "0.9" or 0';

const version = z.union([z.string().min(1, VERSION), z.number()], VERSION);

// TOML has numbers such as inf.
const json = z.custom<JsonValue>((value) => z.json().safeParse(value).success, 'must be a JSON value');

/** A step from an older form of an event to a newer one: a table `[[upcast]]` of a configuration. */
export const upcastSchema = z
  .strictObject(
    {
      dialect: z.string('must be the name of a dialect'),
      /** Only events of this type, or of the types that match this glob. */
      type: z.string('must be a type of event').optional(),
      from: version,
      to: version,
      /** New member names, by their old ones. */
      rename: members(place).optional(),
      /** Members to set. */
      set: members(json).optional(),
      /** Members to remove. */
      drop: z.array(place, 'must be a list').optional(),
    },
    'must be a table',
  )
  .refine(({ from, to }) => from !== to, { error: 'must lead to another version', path: ['to'] });

export type UpcastStep = z.infer<typeof upcastSchema>;

/** The steps of a configuration. */
export const upcastsSchema = z.array(upcastSchema, 'must be tables [[upcast]]');

const settingsSchema = z.looseObject({ upcast: upcastsSchema.optional() }, 'must be a table');

/** The upcast steps in a dialect's settings. Throws `config-invalid` if they are invalid. */
export function upcastsIn(dialect: string, settings: JsonObject = {}): readonly UpcastStep[] {
  return requireSettings(settingsSchema, settings, { source: 'settings', path: [dialect] }).upcast ?? [];
}
