import { isNumber } from '../../json/stored-number.ts';
import { isObject } from '../../json/value.ts';
import { field, type LogRecord } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import type { Projector } from '../../projection/projector.ts';
import type { Dialect } from '../dialect.ts';
import { jsonLinesAmong } from '../json-lines.ts';
import { namesColumn } from '../sqlite.ts';
import { describeEvent } from './describe.ts';
import { ledgerEnding } from './ending.ts';
import { summarizeLog, toneOf } from './log-summary.ts';
import { storedTime } from './read.ts';
import { exportCommand } from './sqlite.ts';
import { SCHEMA_VERSION } from './vocabulary.ts';

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

async function newProjector(run: string | undefined): Promise<Projector> {
  const { FishbowlProjector } = await import('./projection.ts');
  return new FishbowlProjector(run === undefined ? {} : { runId: run });
}

/** The exported ledgers of the fishbowl engine: the events of one run or many, one JSON object a line. */
export const fishbowl: Dialect = {
  name: 'fishbowl',
  title: 'Fishbowl run ledger',
  upcasts: true,
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
  eventTypes: async () => (await import('./types.ts')).knownKinds(),
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
  projector: async ({ run } = {}) => newProjector(run),
  writing: async () => (await import('./writing/index.ts')).fishbowlWriting,
  verify: async (target, options) =>
    (await import('./verify.ts')).verifyFishbowl(
      { ...target, ...(target.run !== undefined && { runId: target.run }) },
      options,
    ),
};
