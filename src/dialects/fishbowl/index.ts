import { isNumber } from '../../json/stored-number.ts';
import { isObject } from '../../json/value.ts';
import { field, type LogRecord } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import { shellWord } from '../../text/shell-word.ts';
import type { Dialect } from '../dialect.ts';
import { jsonLinesAmong } from '../json-lines.ts';
import { namesColumn } from '../sqlite.ts';
import { describeEvent } from './describe.ts';
import { SCHEMA_VERSION, storedTime, upcastEvent } from './read.ts';
import { ledgerEnding, summarizeLog, toneOf } from './runs.ts';

const ID = field('id');
const CREATED_AT = field('created_at');
const KIND = field('kind');
const ACTOR = field('actor');
const RUN_ID = field('run_id');
const SESSION_ID = field('session_id');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The run an event is of. */
export const runOf = (record: LogRecord): string | undefined => record.string(RUN_ID);

/** The session in which an event was written. */
export const sessionOf = (record: LogRecord): string | undefined => record.string(SESSION_ID);

/** The eleven members in the order of an exported line, read by the offset that orders a ledger (fishbowl.md §4). */
const EXPORT = `SELECT json_object('id',id,'run_id',run_id,'turn',turn,'kind',kind,'actor',actor,'payload',json(payload),'created_at',created_at,'schema_version',schema_version,'session_id',session_id,'model_profile',model_profile,'model_id',model_id) FROM events ORDER BY "offset"`;

/** The command that writes the ledger of a database as JSONL. */
export const exportCommand = (path: string): string =>
  `sqlite3 -readonly ${shellWord(path)} "${EXPORT.replaceAll('"', '\\"')}" > ledger.jsonl`;

/** The exported ledgers of the fishbowl engine: the events of one run or many, one JSON object a line. */
export const fishbowl: Dialect = {
  name: 'fishbowl',
  title: 'Fishbowl run ledger',
  upcast: upcastEvent,
  versions: { event: [String(SCHEMA_VERSION)] },
  detect: ({ records }) =>
    records.some(
      ({ run_id: run, kind, turn, payload }) =>
        typeof run === 'string' && typeof kind === 'string' && turn !== undefined && isObject(payload),
    ),
  // The engine writes no file: an export is called as whoever made it liked.
  logFiles: () => [],
  candidates: jsonLinesAmong,
  databaseHint: (path, head) => (namesColumn(head, 'run_id') ? exportCommand(path) : undefined),
  layout: membersLayout(ID, CREATED_AT, KIND, ACTOR, RUN_ID, SESSION_ID),
  view: {
    id: (record) => record.string(ID),
    time: (record) =>
      record.kind(CREATED_AT) === 'number'
        ? storedTime(record.value['created_at'])
        : record.string(CREATED_AT),
    type: (record) => record.string(KIND),
    kind: (record) => record.string(KIND),
    agent: (record) => record.string(ACTOR),
  },
  // The members that came later say nothing where they are null (fishbowl.md §1).
  comparable: (event) => ({ session_id: null, model_profile: null, model_id: null, ...event }),
  comparableState: ({ stage = {}, ...state }) => ({
    ...state,
    stage: isObject(stage) ? Object.values(stage) : stage,
  }),
  eventTime: ({ created_at: time }) => storedTime(time),
  columns: [
    { title: 'TURN', width: 4, cell: ({ turn }) => (isNumber(turn) ? String(turn).padStart(3, '0') : '') },
    { title: 'KIND', width: 17, cell: ({ kind }) => text(kind) },
    { title: 'ACTOR', width: 10, cell: ({ actor }) => text(actor) },
    { title: 'TEXT', width: 30, cell: describeEvent },
  ],
  filters: [
    { name: 'run', value: runOf },
    { name: 'session', value: sessionOf },
  ],
  eventTypes: async () => (await import('./schema/payloads.ts')).knownKinds(),
  runs: async (log) => (await import('./ledger.ts')).listRuns(log),
  ending: ledgerEnding,
  schemas: async () => ({
    event: {
      schema: (await import('./schema/event.ts')).eventSchema,
      title: 'An event of a Fishbowl ledger',
    },
  }),
  // A ledger keeps no state.
  stateFile: () => undefined,
  summary: summarizeLog,
  statusTone: toneOf,
  stateView: async (state) => (await import('./view.ts')).viewOfLedger(state),
  account: async () => new (await import('./account.ts')).FishbowlAccount(),
  story: async () => new (await import('./story.ts')).FishbowlStory(),
  projector: async ({ run, upcasts } = {}) =>
    new (await import('./projection.ts')).FishbowlProjector({ runId: run, upcasts }),
  writing: async () => (await import('./writing.ts')).fishbowlWriting,
  verify: async (target, options) => (await import('./verify.ts')).verifyFishbowl(target, options),
};
