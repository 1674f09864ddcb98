import { isNumber } from '../../base/json/stored-number.ts';
import { isObject } from '../../base/json/value.ts';
import { shellWord } from '../../base/text/shell-word.ts';
import { field } from '../../log/record.ts';
import { defineDialect, memberText } from '../kit/define.ts';
import { jsonLinesAmong } from '../kit/json-lines.ts';
import { stringOf } from '../kit/members.ts';
import { namesColumn } from '../kit/sqlite.ts';
import { describeEvent } from './describe.ts';
import { SCHEMA_VERSION, storedTime, upcastEvent } from './read.ts';
import { ledgerEnding, summarizeLog, toneOf } from './run.ts';

const CREATED_AT = field('created_at');

/** The run of an event. */
export const runOf = memberText('run_id');

export const sessionOf = memberText('session_id');

/** Selects the eleven members in the order of an exported line, sorted by the offset (fishbowl.md §4). */
const EXPORT = `SELECT json_object('id',id,'run_id',run_id,'turn',turn,'kind',kind,'actor',actor,'payload',json(payload),'created_at',created_at,'schema_version',schema_version,'session_id',session_id,'model_profile',model_profile,'model_id',model_id) FROM events ORDER BY "offset"`;

/** The command that exports the ledger of a database as JSONL. */
export const exportCommand = (path: string): string =>
  `sqlite3 -readonly ${shellWord(path)} "${EXPORT.replaceAll('"', '\\"')}" > ledger.jsonl`;

/** Exported ledgers of the fishbowl engine: the events of one or more runs, one JSON object per line. */
export const fishbowl = defineDialect({
  name: 'fishbowl',
  title: 'Fishbowl run ledger',
  upcast: upcastEvent,
  versions: { event: [String(SCHEMA_VERSION)] },
  detect: ({ records }) =>
    records.some(
      ({ run_id: run, kind, turn, payload }) =>
        typeof run === 'string' && typeof kind === 'string' && turn !== undefined && isObject(payload),
    ),
  // The engine writes no file, so an export may have any name.
  logFiles: () => [],
  candidates: jsonLinesAmong,
  databaseHint: (path, head) => (namesColumn(head, 'run_id') ? exportCommand(path) : undefined),
  isStore: (marks) => {
    const columns = 'tables' in marks ? marks.tables.get('events') : undefined;
    return ['run_id', 'kind', 'turn', 'payload'].every((name) => columns?.includes(name));
  },
  openStore: async (path) => (await import('./database.ts')).openLedger(path, exportCommand(path)),
  members: { id: 'id', time: 'created_at', type: 'kind', agent: 'actor' },
  reads: ['run_id', 'session_id'],
  view: {
    time: (record) =>
      record.kind(CREATED_AT) === 'number'
        ? storedTime(record.value['created_at'])
        : record.string(CREATED_AT),
    kind: memberText('kind'),
  },
  // Members that later versions added count as null if they are missing (fishbowl.md §1).
  comparable: (event) => ({ session_id: null, model_profile: null, model_id: null, ...event }),
  comparableState: ({ stage = {}, ...state }) => ({
    ...state,
    stage: isObject(stage) ? Object.values(stage) : stage,
  }),
  eventTime: ({ created_at: time }) => storedTime(time),
  columns: [
    {
      title: 'RUN',
      width: 14,
      from: 60,
      onlyIfSeveral: true,
      cell: ({ run_id: run }) => stringOf(run) ?? '',
    },
    { title: 'TURN', width: 4, cell: ({ turn }) => (isNumber(turn) ? String(turn).padStart(3, '0') : '') },
    { title: 'KIND', width: 17, cell: ({ kind }) => stringOf(kind) ?? '' },
    { title: 'ACTOR', width: 10, cell: ({ actor }) => stringOf(actor) ?? '' },
    { title: 'TEXT', width: 30, cell: describeEvent },
  ],
  filters: [
    { name: 'run', value: runOf },
    { name: 'session', value: sessionOf },
  ],
  eventTypes: async () => (await import('./schema/payloads.ts')).knownKinds(),
  runs: async (log, form) => (await import('./ledger.ts')).listRuns(log, form),
  ending: ledgerEnding,
  schemas: async () => {
    const { wholeEventSchema } = await import('./schema/whole-event.ts');
    return { event: { schema: wholeEventSchema, title: 'An event of a Fishbowl ledger' } };
  },
  summary: summarizeLog,
  statusTone: toneOf,
  stateView: async (state) => (await import('./view.ts')).viewOfLedger(state),
  account: async () => new (await import('./account.ts')).FishbowlAccount(),
  story: async () => new (await import('./story.ts')).FishbowlStory(),
  projector: async ({ run } = {}) => new (await import('./projection.ts')).FishbowlProjector({ runId: run }),
  writing: async () => (await import('./writing.ts')).fishbowlWriting,
  verify: async (target, options) => (await import('./verify.ts')).verifyFishbowl(target, options),
});
