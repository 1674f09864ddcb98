import { StateError } from '../../errors.ts';
import { isObject, type JsonObject } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { field, type LogRecord } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import type { Dialect } from '../dialect.ts';

/** Names under which event logs of many makes keep the same thing, the likeliest first. */
const IDS = ['id', 'eventId', 'event_id'].map(field);
const TIMES = ['timestamp', 'created_at', 'time', 'ts'] as const;
const TYPES = ['event_type', 'type', 'kind', 'phase'].map(field);
const AGENTS = ['agent_id', 'agentId', 'actor'].map(field);
const CAUSES = ['caused_by', 'causationId'].map(field);
const PHASE = field('phase');
const TIME_FIELDS = TIMES.map(field);

function firstText(record: LogRecord, names: readonly ReturnType<typeof field>[]): string | undefined {
  for (const name of names) {
    const text = record.string(name);
    if (text !== undefined) return text;
  }
  return undefined;
}

function timeOf(event: JsonObject): string | undefined {
  const key = TIMES.find((name) => typeof event[name] === 'string');
  const time = key === undefined ? undefined : event[key];
  return typeof time === 'string' ? time : undefined;
}

function typeOf({ event_type, type, kind, phase }: JsonObject): string {
  return [event_type, type, kind, phase].find((word) => typeof word === 'string')?.toString() ?? '';
}

/** Event logs of no known make: JSON objects, one a line. Only the log itself is checked. */
export const generic: Dialect = {
  name: 'generic',
  title: 'JSON lines of no known dialect',
  detect: () => true,
  logFiles: () => [],
  layout: membersLayout(...IDS, ...TIME_FIELDS, ...TYPES, ...AGENTS, ...CAUSES),
  view: {
    id: (record) => firstText(record, IDS),
    time: (record) => firstText(record, TIME_FIELDS),
    type: (record) => firstText(record, TYPES),
    phase: (record) => record.string(PHASE),
    agent: (record) => firstText(record, AGENTS),
    cause: (record) => firstText(record, CAUSES),
  },
  eventTime: timeOf,
  columns: [
    { title: 'TYPE', width: 20, cell: typeOf },
    {
      title: 'EVENT',
      width: 24,
      cell: (event) => writeJson(isObject(event['payload']) ? event['payload'] : event),
    },
  ],
  stateFile: () => undefined,
  projector: async () => {
    throw new StateError(
      'projection-unsupported',
      'this log is of no known dialect, so no state can be rebuilt',
      {
        hint: 'name its dialect with --dialect, if it has one',
      },
    );
  },
  verify: async (target, options) => (await import('./verify.ts')).verifyGeneric(target, options),
};
