import * as z from 'zod';
import type { UpcastStep } from '../upcast-schema.ts';

const path = z
  .string('must be the name of a member')
  .regex(/^[^\s.]+(?:\.[^\s.]+)*$/, 'must be the name of a member, or a dotted path to one');

/** Which member of a record is what, in a format that nobody has described: `--map`, and a table of noesis.toml. */
export const fieldMapSchema = z.strictObject(
  {
    id: path.optional(),
    parent: path.optional(),
    time: path.optional(),
    type: path.optional(),
    agent: path.optional(),
    /** A number that goes up by one. */
    ordinal: path.optional(),
    /** What the last column shows. */
    text: path.optional(),
  },
  'must be a table',
);

export type FieldMap = z.infer<typeof fieldMapSchema>;

/** A format of the user's own: a table `[dialects.NAME]`. */
export const ownFormatSchema = z.strictObject(
  {
    ...fieldMapSchema.shape,
    /** Members that tell a record of the format: `key`, or `key=value`. */
    detect: z.array(z.string('must be a text'), 'must be a list').min(1, 'must have a member').optional(),
    /** The names of its logs, as a glob. */
    files: z.string('must be a text').optional(),
  },
  'must be a table',
);

export type OwnFormat = z.infer<typeof ownFormatSchema>;

/** The formats that a user tells of, in a run of the program: plain data that a worker can be given. */
export interface OwnFormats {
  readonly named: Readonly<Record<string, OwnFormat>>;
  /** What logs of no known format are read by. */
  readonly map?: FieldMap | undefined;
  /** Steps from older forms of the events of known formats. */
  readonly upcasts?: readonly UpcastStep[] | undefined;
  /** Logs of no known format are sought below folders too. */
  readonly isAsked?: boolean | undefined;
}
