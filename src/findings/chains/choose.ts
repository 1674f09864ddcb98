import { closeSync, readSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import { openToRead } from '../../base/files/open-file.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { literal } from '../../base/text/literal.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';
import { AS_STORED } from '../../log/log-form.ts';
import { LogParser } from '../../log/parser.ts';
import { isMember, Shape } from './detect.ts';
import type { Profile, Profiles } from './profile.ts';
import { PROFILES } from './profiles.ts';

/** The number of first records by which a chain is recognised, and the bytes in which they are. */
const SAMPLE_RECORDS = 20;
const [SAMPLE_BYTES, LONGEST_SAMPLE] = [64 * 1024, 4 * 1024 * 1024];

/** A profile with its name. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile;
  readonly shape: Shape;
  /** The user declared it. */
  readonly isOwn: boolean;
  /** The names and values of the members that it needs, as they are in the bytes of a log. */
  readonly marks: readonly string[];
}

/** Whether a value is a text that nearly every program writes with the same bytes. */
const isMark = (value: string): boolean => /^(?!(?:true|false|null)$)[a-z][\w./:-]*$/i.test(value);

function prepared(name: string, profile: Profile, isOwn = false): NamedProfile {
  const marks = profile.detect.flatMap((one) => {
    const [path = '', value = '^'] = /^([^=]*)(?:=(.*))?$/s.exec(one)?.slice(1) ?? [];
    const mark = JSON.stringify(path.slice(path.lastIndexOf('.') + 1));
    return isMark(value) ? [mark, JSON.stringify(value)] : [mark];
  });
  return { name, profile, shape: new Shape(profile), isOwn, marks };
}

const BUILT_IN: readonly NamedProfile[] = Object.entries(PROFILES).map(([name, profile]) =>
  prepared(name, profile),
);
const own = new WeakMap<Profiles, readonly NamedProfile[]>();
const anyMarks = new WeakMap<readonly NamedProfile[], RegExp>();

/** The source of a pattern that matches the bytes of a text, one character for each byte. */
const matching = (text: string): string => literal(Buffer.from(text).toString('latin1'));

/**
 * Matches the first bytes of each log that may have one of the chains: every chain needs its longest mark. One search for all
 * takes a tenth of the time of one for each.
 */
function anyMarkOf(all: readonly NamedProfile[]): RegExp {
  let found = anyMarks.get(all);
  if (found === undefined) {
    const longest = all.map(({ marks }) => [...marks].sort((a, b) => b.length - a.length)[0] ?? '');
    found = new RegExp([...new Set(longest)].map(matching).join('|'));
    anyMarks.set(all, found);
  }
  return found;
}

/** All profiles: those of the user, then the built-in ones that they do not replace. */
export function profilesWith(declared: Profiles = {}): readonly NamedProfile[] {
  let all = own.get(declared);
  if (all === undefined) {
    const named = Object.entries(declared).map(([name, profile]) => prepared(name, profile, true));
    all = [...named, ...BUILT_IN.filter(({ name }) => !Object.hasOwn(declared, name))];
    own.set(declared, all);
  }
  return all;
}

/** Checks the name of a profile. Throws `usage` if there is none with it. */
export function requireChain(name: string, declared: Profiles | undefined): void {
  const names = [...new Set(profilesWith(declared).flatMap((one) => [one.name, familyOf(one)]))];
  if (names.includes(name)) return;
  throw new UsageError('usage', `there is no chain ${JSON.stringify(name)}`, {
    hint: didYouMean(nearest([...names, 'none'], name)) ?? `choose one of ${names.join(', ')}, none`,
  });
}

/** The name under which the chains of one log belong together. */
export const familyOf = ({ name, profile }: NamedProfile): string => profile.family ?? name;

/** Used for every log, because there may be thousands of small ones. */
const shared = Buffer.allocUnsafe(SAMPLE_BYTES);

/** The first bytes of a file: enough for its first record. They are valid until the next call. */
function headOf(path: string): Buffer {
  const file = openToRead(path);
  try {
    let head = shared;
    let size = readSync(file, head, 0, head.length, 0);
    if (size === head.length && !head.includes(0x0a)) {
      const more = Buffer.allocUnsafe(LONGEST_SAMPLE);
      size = readSync(file, more, 0, more.length, 0);
      head = more;
    }
    return head.subarray(0, size);
  } finally {
    closeSync(file);
  }
}

/** The first records in the first bytes of a log. */
function recordsIn(head: Buffer): JsonObject[] {
  const records: JsonObject[] = [];
  const parser = new LogParser(AS_STORED, {
    record: (record) => {
      if (records.length < SAMPLE_RECORDS) records.push(record.exact);
    },
  });
  for (let at = 0; at < head.length && records.length < SAMPLE_RECORDS; ) {
    const room = parser.room();
    const count = head.copy(room, 0, at, Math.min(head.length, at + room.length));
    parser.filled(count);
    at += count;
  }
  parser.end();
  return records;
}

/** Whether the records are those of a profile. One changed record does not hide the chain of the others. */
export function fitsRecords({ profile, shape }: NamedProfile, records: readonly JsonObject[]): boolean {
  const [first] = records;
  if (isMember(profile.records)) return first !== undefined && shape.fits(first);
  return records.some((record) => shape.fits(record));
}

/** The chains that the first records of a log seem to have. Nothing is verified. */
export function chainNamed(
  records: readonly JsonObject[],
  declared: Profiles | undefined,
): string | undefined {
  const fitting = profilesWith(declared).filter((one) => fitsRecords(one, records));
  return fitting.length === 0 ? undefined : [...new Set(fitting.map(familyOf))].join(', ');
}

/** The profiles whose shape the first records of a log have, with the others of their families. */
export function profilesOf(path: string, declared: Profiles | undefined): NamedProfile[] {
  const all = profilesWith(declared);
  const head = headOf(path);
  // Most logs have no chain. Searching for names takes less time than parsing records.
  if (!anyMarkOf(all).test(head.toString('latin1'))) return [];
  const likely = all.filter(({ marks }) => marks.every((mark) => head.includes(mark)));
  if (likely.length === 0) return [];
  const records = recordsIn(head);
  const families = new Set(likely.filter((one) => fitsRecords(one, records)).map(familyOf));
  return all.filter((one) => families.has(familyOf(one)));
}
