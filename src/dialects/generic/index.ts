import { StateError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { field } from '../../log/record.ts';
import { matchesGlob } from '../../text/glob.ts';
import type { EventSpan } from '../account.ts';
import type { Dialect } from '../dialect.ts';
import { numberIn } from '../excerpt.ts';
import { failureIn } from './failure.ts';
import { describeEvent, textFor, timeFor } from './fields.ts';
import type { FieldMap, OwnFormat, OwnFormats } from './format.ts';

const PHASE = field('phase');
const LOG_NAME = /\.(?:jsonl|ndjson|log)$/i;

/** Members that say how long something took, in milliseconds by their names. */
const DURATIONS = ['duration_ms', 'durationMs', 'elapsed_ms', 'elapsedMs', 'latency_ms', 'responseTime'];

/** An event as timelines have it: as far as members of usual names tell. */
function spanOf(event: JsonObject, fields: FieldMap): EventSpan {
  const failure = failureIn(event, textFor(event, 'type', fields));
  const durationMs = DURATIONS.map((name) => numberIn(event, name)).find((told) => told !== undefined);
  const time = timeFor(event, fields);
  return {
    name: '',
    // An event with a duration is written when the work is over.
    ...(durationMs === undefined ? { start: time } : { end: time, durationMs }),
    ...(failure !== undefined && { status: 'error', reason: failure || describeEvent(event, fields) }),
  };
}

/** What a dialect of unknown make goes by. */
interface Make {
  readonly name: string;
  readonly title: string;
  /** Undefined where nobody said which member is what: the usual names are tried, and nothing rests on them. */
  readonly map: FieldMap | undefined;
  readonly detect: (event: JsonObject) => boolean;
  readonly isLog: (fileName: string) => boolean;
}

function make({ name, title, map, detect, isLog }: Make): Dialect {
  const fields = map ?? {};
  return {
    name,
    title,
    detect: ({ records }) => records.some(detect),
    logFiles: () => [],
    candidates: (names) => names.filter(isLog),
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
        'this log is of no known dialect, so no state can be rebuilt',
        { hint: 'name its dialect with --dialect, if it has one' },
      );
    },
    verify: async (target, options) =>
      (await import('./verify.ts')).verifyGeneric(target, options, name, map),
  };
}

/** The name by which logs of no known make are asked for. */
export const GENERIC_NAME = 'generic';

/** Event logs of no known make: JSON objects, one a line. `map`: which of their members is what. */
export function genericDialect(map?: FieldMap): Dialect {
  const title = 'JSON lines of no known dialect';
  const isLog = (name: string) => LOG_NAME.test(name);
  return make({ name: GENERIC_NAME, title, map, detect: isObject, isLog });
}

/** Whether a record has a member, or has it with a value: `key`, `key=value`. */
function hasMember(event: JsonObject, wanted: string): boolean {
  const at = wanted.indexOf('=');
  if (at === -1) return Object.hasOwn(event, wanted);
  const value = event[wanted.slice(0, at)];
  return (typeof value === 'string' || typeof value === 'number') && String(value) === wanted.slice(at + 1);
}

/** A format that the user described. */
function ownDialect(name: string, { detect = [], files, ...map }: OwnFormat): Dialect {
  return make({
    name,
    title: `${name}, as noesis.toml describes it`,
    map,
    detect: (event) => detect.length > 0 && detect.every((wanted) => hasMember(event, wanted)),
    isLog: (fileName) => (files === undefined ? LOG_NAME.test(fileName) : matchesGlob(fileName, files)),
  });
}

/** The dialects that a user described, in the order in which they are tried. */
export function ownDialects({ named, map, isAsked }: OwnFormats): Dialect[] {
  const own = Object.entries(named).map(([name, format]) => ownDialect(name, format));
  return isAsked ? [...own, genericDialect(map)] : own;
}
