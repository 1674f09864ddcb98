import * as z from 'zod';
import type { Profiles } from '../../findings/chains/profile.ts';
import type { UpcastStep } from '../kit/upcast-schema.ts';

const path = z
  .string('must be the name of a member')
  .regex(/^[^\s.]+(?:\.[^\s.]+)*$/, 'must be the name of a member, or a dotted path to one');

/** Which members of an unknown format have which meaning: `--map`, or a table of noesis.toml. */
export const fieldMapSchema = z.strictObject(
  {
    id: path.optional(),
    parent: path.optional(),
    time: path.optional(),
    type: path.optional(),
    agent: path.optional(),
    /** A number that increases by one. */
    ordinal: path.optional(),
    /** The content of the last column. */
    text: path.optional(),
  },
  'must be a table',
);

export type FieldMap = z.infer<typeof fieldMapSchema>;

/** A user-defined format: a table `[dialects.NAME]`. */
export const ownFormatSchema = z.strictObject(
  {
    ...fieldMapSchema.shape,
    /** Members that identify the format: `key` or `key=value`. */
    detect: z.array(z.string('must be a text'), 'must be a list').min(1, 'must have a member').optional(),
    /** The file names of its logs, as a glob. */
    files: z.string('must be a text').optional(),
  },
  'must be a table',
);

export type OwnFormat = z.infer<typeof ownFormatSchema>;

/** The user's formats in a run of the program, as plain data for workers. */
export interface OwnFormats {
  readonly named: Readonly<Record<string, OwnFormat>>;
  /** The mapping for logs of unknown formats. */
  readonly map?: FieldMap | undefined;
  /** Upcast steps for events of known formats. */
  readonly upcasts?: readonly UpcastStep[] | undefined;
  /** The profiles of chained records that the user declared: the tables `[chains.NAME]`. */
  readonly chains?: Profiles | undefined;
  /** Whether unknown formats were asked for, so that folders are searched for them too. */
  readonly isAsked?: boolean | undefined;
}
