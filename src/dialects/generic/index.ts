import { StateError } from '../../base/errors.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { field } from '../../log/record.ts';
import type { Dialect } from '../dialect.ts';
import type { EventSpan } from '../kit/account.ts';
import { numberIn } from '../kit/excerpt.ts';
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
        'the format of this log is not known, so no state can be rebuilt',
        { hint: 'name its format with --dialect, if it is one that noesis knows' },
      );
    },
    verify: async (target, options) =>
      (await import('./verify.ts')).verifyGeneric(target, options, name, map),
  };
}

/** The name of the dialect for logs of unknown formats. */
export const GENERIC_NAME = 'generic';

/** The dialect for JSON Lines of unknown format. `map`: what their members mean. */
export function genericDialect(map?: FieldMap): Dialect {
  const title = 'JSON Lines of unknown format';
  const isLog = (name: string) => LOG_NAME.test(name);
  return make({ name: GENERIC_NAME, title, map, detect: isObject, isLog });
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
    detect: (event) => detect.length > 0 && detect.every((wanted) => hasMember(event, wanted)),
    isLog: (fileName) => (files === undefined ? LOG_NAME.test(fileName) : matchesGlob(fileName, files)),
  });
}

/** The user's dialects, in the order in which they are detected. */
export function ownDialects({ named, map, isAsked }: OwnFormats): Dialect[] {
  const own = Object.entries(named).map(([name, format]) => ownDialect(name, format));
  return isAsked ? [...own, genericDialect(map)] : own;
}
