import { StateError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { grouped } from '../../base/text/grouped.ts';
import { familyOf, fitsRecords, type NamedProfile, profilesWith } from '../../findings/chains/choose.ts';
import { isMember } from '../../findings/chains/detect.ts';
import type { Profiles } from '../../findings/chains/profile.ts';
import { AS_STORED } from '../../log/log-form.ts';
import { field } from '../../log/record.ts';
import type { Dialect } from '../dialect.ts';
import type { EventSpan } from '../kit/account.ts';
import { numberIn } from '../kit/members.ts';
import { recordsOfList } from '../kit/records-of-list.ts';
import { failureIn } from './failure.ts';
import { describeEvent, textFor, timeFor } from './fields.ts';
import type { FieldMap, OwnFormat, OwnFormats } from './format.ts';

const PHASE = field('phase');
const LOG_NAME = /\.(?:jsonl|ndjson|log)$/i;

/** Members with a duration in milliseconds, by name. */
const DURATIONS = ['duration_ms', 'durationMs', 'elapsed_ms', 'elapsedMs', 'latency_ms', 'responseTime'];

/** The span of an event, from members with common names. */
function spanOf(event: JsonObject, fields: FieldMap): EventSpan {
  const failure = failureIn(event, textFor(event, 'type', fields));
  const durationMs = DURATIONS.map((name) => numberIn(event, name)).find((stored) => stored !== undefined);
  const time = timeFor(event, fields);
  return {
    name: '',
    // An event with a duration is written at the end of the work.
    ...(durationMs === undefined ? { start: time } : { end: time, durationMs }),
    ...(failure !== undefined && { status: 'error', reason: failure || describeEvent(event, fields) }),
  };
}

/** What differs between dialects of this kind. */
interface Make {
  readonly name: string;
  readonly title: string;
  /** Undefined if the user mapped no members. Common names are then shown, but not checked. */
  readonly map: FieldMap | undefined;
  /** Which members are shown as what, if they are not checked; by default `map`. */
  readonly shown?: FieldMap;
  readonly detect: (records: readonly JsonObject[]) => boolean;
  readonly isLog: (fileName: string) => boolean;
  /** Why the contents of records are not checked, if the user mapped no members. */
  readonly unchecked?: string;
}

function make({ name, title, map, shown = map ?? {}, detect, isLog, unchecked }: Make): Dialect {
  const fields = shown;
  return {
    name,
    title,
    detect: ({ records }) => detect(records),
    logFiles: () => [],
    candidates: (names) => names.filter(isLog),
    form: AS_STORED,
    view: {
      id: ({ value }) => textFor(value, 'id', fields),
      time: ({ value }) => timeFor(value, fields),
      type: ({ value }) => textFor(value, 'type', fields),
      phase: (record) => record.string(PHASE),
      agent: ({ value }) => textFor(value, 'agent', fields),
      cause: ({ value }) => textFor(value, 'parent', fields),
    },
    eventTime: (event) => timeFor(event, fields),
    columns: [
      { title: 'TYPE', width: 20, cell: (event) => textFor(event, 'type', fields) ?? '' },
      { title: 'EVENT', width: 24, cell: (event) => describeEvent(event, fields) },
    ],
    stateFile: () => undefined,
    span: (event) => spanOf(event, fields),
    account: async () => new (await import('./account.ts')).GenericAccount(fields),
    projector: async () => {
      throw new StateError(
        'projection-unsupported',
        'the dialect of this log is not known, so no state can be rebuilt',
        { hint: 'give its dialect with --dialect, if noesis knows it' },
      );
    },
    verify: async (target, options) =>
      (await import('./verify.ts')).verifyGeneric(target, options, name, map, unchecked),
  };
}

/** The name of the dialect for logs of unknown formats. */
export const GENERIC_NAME = 'generic';

/** The dialect for JSON Lines of an unknown dialect. `map`: what their members mean. */
export function genericDialect(map?: FieldMap): Dialect {
  const title = 'JSON Lines of an unknown dialect';
  const isLog = (name: string) => LOG_NAME.test(name);
  return make({ name: GENERIC_NAME, title, map, detect: (records) => records.length > 0, isLog });
}

/** Whether a record has a member (`key`), or a member with this value (`key=value`). */
function hasMember(event: JsonObject, wanted: string): boolean {
  const at = wanted.indexOf('=');
  if (at === -1) return Object.hasOwn(event, wanted);
  const value = event[wanted.slice(0, at)];
  return (typeof value === 'string' || typeof value === 'number') && String(value) === wanted.slice(at + 1);
}

function ownDialect(name: string, { detect = [], files, ...map }: OwnFormat): Dialect {
  return make({
    name,
    title: `${name}, as noesis.toml describes it`,
    map,
    detect: (records) =>
      records.some((event) => detect.length > 0 && detect.every((wanted) => hasMember(event, wanted))),
    isLog: (fileName) => (files === undefined ? LOG_NAME.test(fileName) : matchesGlob(fileName, files)),
  });
}

/** Logs with these names are searched for records of known chains. */
const CHAINED_NAME = /\.(?:jsonl|ndjson)$/i;

/** The dialect of the logs of a family of chains. The chain is checked; what its records say is only shown. */
function chainDialect(name: string, family: readonly NamedProfile[]): Dialect {
  const [first] = family;
  const profiles = family.map(({ profile }) => profile);
  const shown = profiles.find(({ map }) => map !== undefined)?.map ?? {};
  const lists = profiles.map(({ records }) => records).filter(isMember);
  const made = make({
    name,
    title: first?.profile.title ?? `${name}, as noesis.toml describes its chain`,
    map: undefined,
    shown,
    detect: (records) => family.some((one) => fitsRecords(one, records)),
    isLog: (fileName) =>
      CHAINED_NAME.test(fileName) ||
      profiles.some(({ files }) => files !== undefined && matchesGlob(fileName, files)),
    unchecked: 'only the chain of the records is known, not what they mean',
  });
  const dialect: Dialect = { ...made, isChain: true };
  const [list] = lists;
  if (list === undefined) return dialect;
  const isHead = (document: JsonObject) => family.some(({ shape }) => shape.fits(document));
  return { ...dialect, recordsIn: recordsOfList(list, isHead) };
}

/**
 * The dialects of chains, except for names that other dialects have. Those of known programs are recognised by hashes that
 * no other log has, so they come before most dialects. Those that the user declared come after them.
 */
export function chainDialects(
  declared: Profiles | undefined,
  taken: Iterable<string>,
): { readonly known: Dialect[]; readonly declared: Dialect[] } {
  const others = new Set(taken);
  const families = [...grouped(profilesWith(declared), familyOf)].filter(([name]) => !others.has(name));
  const made = (isOwn: boolean) =>
    families
      .filter(([, family]) => family.some((one) => one.isOwn) === isOwn)
      .map(([name, family]) => chainDialect(name, family));
  return { known: made(false), declared: made(true) };
}

/** The user's dialects, in the order in which they are detected. `chains`: those of declared chains. */
export function ownDialects({ named, map, isAsked }: OwnFormats, chains: readonly Dialect[]): Dialect[] {
  const own = Object.entries(named).map(([name, format]) => ownDialect(name, format));
  const generic = isAsked ? [genericDialect(map)] : [];
  // A map that the user names wins over that of a chain.
  return map === undefined ? [...own, ...chains, ...generic] : [...own, ...generic, ...chains];
}
