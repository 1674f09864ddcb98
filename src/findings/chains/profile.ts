import * as z from 'zod';
import { automatonOf } from '../../log/schema/automaton.ts';
import { FORMS, type FormName } from './forms.ts';

// How the records of a program are chained, as data: the built-in profiles, and the tables `[chains.NAME]`.

/** Longer texts and lists are refused, because a checkout may bring its own profiles. */
const [MOST_TEXT, MOST_ITEMS] = [1000, 100];
/** In all profiles: a pattern may take milliseconds to compile. */
const MOST_PATTERNS = 200;

const text = z.string('must be a text').max(MOST_TEXT, `must have at most ${MOST_TEXT} characters`);
const flag = z.literal(true, 'must be true if it is given');
const path = text.regex(/^[^\s.]+(?:\.[^\s.]+)*$/, 'must be the name of a member, or a dotted path to one');
const listOf = <Item extends z.ZodType>(item: Item) =>
  z
    .array(item, 'must be a list')
    .min(1, 'must not be empty')
    .max(MOST_ITEMS, `must have at most ${MOST_ITEMS} items`);
const tableOf = <Item extends z.ZodType>(item: Item) =>
  z
    .record(path, item, 'must be a table')
    .refine((table) => Object.keys(table).length <= MOST_ITEMS, `must have at most ${MOST_ITEMS} keys`);
const scalar = z.union([text, z.number(), z.boolean()], 'must be a text, a number, true or false');

const FORM_NAMES = Object.keys(FORMS) as [FormName, ...FormName[]];
const form = z.enum(FORM_NAMES, `must be one of ${FORM_NAMES.join(', ')}`);

/** A member that must be there: `name`, with a value `name=value`, or with a pattern `name=^pattern$`. */
const detect = text
  .regex(/^[^\s.=]+(?:\.[^\s.=]+)*(?:=.*)?$/, 'must be `member`, `member=value` or `member=^pattern$`')
  .refine((one) => {
    const [, pattern] = /=(\^.*)$/.exec(one) ?? [];
    if (pattern === undefined) return true;
    try {
      return automatonOf(new RegExp(pattern)) !== undefined;
    } catch {
      return false;
    }
  }, 'is not a supported pattern: it may have classes, groups, | and counted repetitions');

/** Which members of a value are printed, and how. */
const cut = {
  /** Members that are left out. */
  without: listOf(path).optional(),
  /** The only members that are printed, in this order. */
  only: listOf(path).optional(),
  /** Members that are printed with another value. */
  set: tableOf(scalar).optional(),
  /** Members whose objects are sorted, although the others are in stored order. */
  sort_below: listOf(path).optional(),
  /** Members with the value null are left out, except for those of keep_null. */
  drop_null: flag.optional(),
  keep_null: listOf(path).optional(),
  /** Strings are normalised to NFC. */
  nfc: flag.optional(),
};

const algorithm = z.enum(['sha256', 'sha384', 'sha512'], 'must be sha256, sha384 or sha512');
const encoding = z.enum(['hex', 'base64', 'base64url'], 'must be hex, base64 or base64url');

/** A part of the bytes that are hashed. */
const simplePart = z.union(
  [
    z.strictObject({ text }),
    /** The hash of the record before: its text, or the bytes that it encodes. */
    z.strictObject({ previous: z.enum(['text', 'bytes']) }),
    /** The line of the log without its end. */
    z.strictObject({ line: flag }),
    /** The text of a member as it is decoded, or the bytes that it encodes. */
    z.strictObject({ member: path, as: z.literal('bytes').optional(), encoding: encoding.optional() }),
    /** A member as JSON; without `json`, the record. */
    z.strictObject({ json: path.optional(), form, absent: text.optional(), ...cut }),
  ],
  'must be { text }, { previous }, { line }, { member } or { form }',
);
const part = z.union(
  [simplePart, z.strictObject({ digest: listOf(simplePart), algorithm: algorithm.optional() })],
  'must be { text }, { previous }, { line }, { member }, { form } or { digest }',
);

/** The bytes that are hashed: a form of the record, its line, or parts. */
const over = z.union([form, z.literal('line'), listOf(part)], 'must be a form, "line", or a list of parts');

/** How bytes become a text. */
const encoded = {
  encoding: encoding.optional(),
  /** Before the encoded hash. */
  prefix: text.optional(),
  /** Only so many characters of the encoded hash are stored. */
  length: z
    .int('must be a whole number')
    .min(8, 'must be at least 8')
    .max(200, 'must be at most 200')
    .optional(),
};

const digest = {
  /** The hash covers these bytes. */
  over: over.optional(),
  ...cut,
  /** Between the parts. */
  separator: text.optional(),
  algorithm: algorithm.optional(),
  ...encoded,
};

const fileName = text
  .regex(/^[^/\\]+$/, 'must be the name of a file next to the log')
  .refine((name) => name !== '.' && name !== '..', 'must be the name of a file next to the log');

/** What members of the records mean, for `list`, `events`, `show` and `timeline`. */
const map = z.strictObject(
  {
    id: path.optional(),
    parent: path.optional(),
    time: path.optional(),
    type: path.optional(),
    agent: path.optional(),
    text: path.optional(),
  },
  'must be a table',
);

/** A profile: a table `[chains.NAME]`. */
export const profileSchema = z
  .strictObject(
    {
      title: text.optional(),
      /** Profiles with the same family are chains of one log, and all are checked. */
      family: text.optional(),
      /** The members by which a log is recognised: of a record, or of the document if `records` is a member. */
      detect: listOf(detect),
      /** The file names of its logs, as a glob, if they do not end with .jsonl, .ndjson or .log. */
      files: text.optional(),
      /** The member of a document that has the list of records; `$`: the document is the list. */
      records: z.union([z.literal('$'), path]).optional(),
      /** Only records with these values are in the chain. */
      where: tableOf(scalar).optional(),
      /** The member of each record that is the chained record. */
      each: path.optional(),
      /** One chain for each value of this member. */
      group: path.optional(),
      /** The member that names the record before; without it, the hash covers the hash of the record before. */
      link: path.optional(),
      /** What the link names: the hash of the record before, or the hash of its line. */
      to: z.enum(['hash', 'line']).optional(),
      /** The link of the first record: a text, `absent`, `null`, or a list of these. */
      genesis: z.union([text, listOf(text)], 'must be a text or a list').optional(),
      /** Records before the first one of the chain have no link or hash. */
      starts_later: flag.optional(),
      /** A first record with these values may name a record that was deleted. */
      restart: tableOf(scalar).optional(),
      /** The member with the hash of the record, if it is stored. */
      hash: path.optional(),
      ...digest,
      /** Other members that are hashes. */
      also: listOf(z.strictObject({ hash: path, ...digest, over })).optional(),
      /** A number that increases by one. */
      sequence: z
        .strictObject({ member: path, start: z.int('must be a whole number').optional() }, 'must be a table')
        .optional(),
      signature: z
        .strictObject(
          {
            member: path,
            algorithm: z.enum(['Ed25519', 'HMAC-SHA256'], 'must be Ed25519 or HMAC-SHA256'),
            over,
            ...cut,
            separator: text.optional(),
            encoding: encoding.optional(),
            prefix: text.optional(),
            /** The member with the public key. */
            key: path.optional(),
            key_encoding: encoding.optional(),
            /** The member with the id of the key. */
            kid: path.optional(),
            /** Members that must have these values. */
            equals: tableOf(scalar).optional(),
            /** Not every record is signed. */
            optional: flag.optional(),
          },
          'must be a table',
        )
        .optional(),
      /** The record that ends a chain. */
      end: z
        .strictObject(
          {
            where: tableOf(scalar),
            /** The member with the number of records before it. */
            count: path.optional(),
            /** The member with the sha256 of the JSON list of their hashes. */
            hashes: path.optional(),
          },
          'must be a table',
        )
        .optional(),
      /** Where the last hash is stored: in a file next to the log, or in the document. */
      head: z
        .strictObject(
          {
            file: fileName.optional(),
            hash: path,
            count: path.optional(),
            /** The head is written from time to time, so records may follow it. */
            tail: flag.optional(),
          },
          'must be a table',
        )
        .optional(),
      /** Members that repeat others: `event = "event_json"`. The second may be JSON in a text. */
      same: tableOf(path).optional(),
      /** Proofs that are not checked, and are named if a record or a document next to it has the member. */
      unread: listOf(
        z.strictObject({ member: path, value: text.optional(), what: text }, 'must be a table'),
      ).optional(),
      map: map.optional(),
    },
    'must be a table',
  )
  .refine(({ link, over, to }) => (link !== undefined && to === 'line') || over !== undefined, {
    error: 'is missing: say which bytes are hashed',
    path: ['over'],
  })
  .refine(({ link, hash }) => link !== undefined || hash !== undefined, {
    error: 'is missing: name the member that names the record before, or the member with the hash',
    path: ['link'],
  });

export type Profile = z.infer<typeof profileSchema>;
export type Part = z.infer<typeof part>;
export type Over = z.infer<typeof over>;
export type CutTable = Pick<
  Profile,
  'without' | 'only' | 'set' | 'sort_below' | 'drop_null' | 'keep_null' | 'nfc'
>;

/** The patterns of the tables, which need not be profiles. */
const patternsIn = (tables: unknown): readonly unknown[] =>
  Object.values(Object(tables)).flatMap((table) => {
    const { detect } = Object(table) as { readonly detect?: unknown };
    return Array.isArray(detect) ? detect.filter((one) => typeof one === 'string' && one.includes('=^')) : [];
  });

/** At most this many profiles can be declared. */
const MOST_PROFILES = 100;

const profileTables = z
  .record(z.string().regex(/^[a-z][a-z0-9-]*$/), profileSchema, {
    error: ({ code }) => (code === 'invalid_key' ? 'must have a name of a-z, 0-9 and -' : 'must be a table'),
  })
  .refine((table) => Object.keys(table).length <= MOST_PROFILES, `must have at most ${MOST_PROFILES} tables`)
  .refine((table) => !Object.hasOwn(table, 'none'), 'must not have a table with the name none');

/** The tables below `[chains]` of a configuration. */
export const profilesSchema = z
  .unknown()
  .refine((tables) => patternsIn(tables).length <= MOST_PATTERNS, {
    error: `must have at most ${MOST_PATTERNS} patterns`,
    abort: true,
  })
  .pipe(profileTables);

export type Profiles = z.infer<typeof profilesSchema>;
