import { dirname, join } from 'node:path';
import { isThere } from '../../base/files/files.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { LogForm } from '../../log/log-form.ts';
import { field } from '../../log/record.ts';
import { membersLayout } from '../../log/row-layout.ts';
import type { Dialect } from '../dialect.ts';
import { jsonLinesAmong } from '../kit/json-lines.ts';
import { toolFilter } from '../kit/record-filters.ts';
import { isPausedWord, isTerminate, timeOf } from './event/kinds.ts';
import { toneOf } from './event/outcome.ts';
import { EVENT_SCHEMA_VERSION, STATE_SCHEMA_VERSIONS } from './event/vocabulary.ts';
import { claimsFolder, listedFiles } from './files/claims.ts';
import { FINAL_FILE, KNOWN_FILES, LOG_FILE, STATE_FILE } from './files/names.ts';
import { NoesisRun } from './run.ts';
import { describeEvent } from './show/describe.ts';
import { summarizeLog, summarizeState } from './show/log-summary.ts';
import { spanOf, toolOf } from './show/span.ts';

const ID = field('id');
const TIMESTAMP = field('timestamp');
const PHASE = field('phase');
const EVENT_TYPE = field('event_type');
const AGENT = field('agent_id');
const CAUSED_BY = field('caused_by');
const METRICS = field('metrics');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * Whether a record has at least two members that are typical of Noēsis. Records of prompts have them too, but also
 * `$schema_name`.
 */
function hasEnvelope(record: JsonObject): boolean {
  const { phase, payload, episode_id: episode, evidence_ids: evidence } = record;
  if (Object.hasOwn(record, '$schema_name')) return false;
  const found = [
    typeof phase === 'string',
    isObject(payload),
    typeof episode === 'string',
    Array.isArray(evidence),
  ];
  return found.filter(Boolean).length >= 2;
}

/** The traces of Noēsis agents: a directory per episode, one event per phase of the cognitive loop. */
export const noesis: Dialect = {
  name: 'noesis',
  title: 'Noēsis episode',
  versions: { event: [EVENT_SCHEMA_VERSION], state: STATE_SCHEMA_VERSIONS },
  detect: ({ records }) => records.some(hasEnvelope),
  logFiles: (names) => names.filter((name) => name === LOG_FILE),
  candidates: (names) => jsonLinesAmong(names).filter((name) => !KNOWN_FILES.has(name)),
  sideFiles: (names) => (names.includes(LOG_FILE) ? names.filter((name) => KNOWN_FILES.has(name)) : []),
  form: LogForm.stored(membersLayout(ID, TIMESTAMP, PHASE, EVENT_TYPE, AGENT, CAUSED_BY, METRICS)),
  // Other agents use this name too, so the records decide if there are any.
  isLookAlike: ({ records }) => records.length > 0,
  claims: claimsFolder,
  listed: listedFiles,
  folder: {
    root: '.noesis',
    episodes: 'episodes',
    idPrefix: 'ep_',
    log: LOG_FILE,
    state: STATE_FILE,
    seal: FINAL_FILE,
    summary: summarizeState,
  },
  seals: true,
  configuration: async () => {
    const { runtimeKeys, runtimeTable } = await import('./settings.ts');
    return { table: runtimeTable, top: runtimeKeys };
  },
  view: {
    id: (record) => record.string(ID),
    time: (record) =>
      record.string(TIMESTAMP) ?? (record.kind(METRICS) === 'object' ? timeOf(record.value) : undefined),
    type: (record) => record.string(EVENT_TYPE) ?? record.string(PHASE),
    phase: (record) => record.string(PHASE),
    agent: (record) => record.string(AGENT),
    cause: (record) => record.string(CAUSED_BY),
  },
  eventTime: timeOf,
  isEnd: isTerminate,
  columns: [
    { title: 'PHASE', width: 16, cell: ({ phase }) => text(phase) },
    { title: 'AGENT', width: 20, from: 110, cell: ({ agent_id: agent }) => text(agent) },
    { title: 'DETAIL', width: 24, cell: describeEvent },
  ],
  filters: [toolFilter(({ value }) => toolOf(value))],
  stateFile: (log) => join(dirname(log), STATE_FILE),
  stateIssues: async (state) => (await import('./state/state-reader.ts')).stateIssues(state),
  span: spanOf,
  account: async () => new (await import('./show/account.ts')).NoesisAccount(),
  story: async () => new (await import('./show/story.ts')).NoesisStory(),
  ending: () => {
    const run = new NoesisRun();
    return {
      isOver: (record) => {
        const phase = record.string(PHASE) ?? null;
        // Of other phases the run needs only the phase, so that most records are not parsed.
        const isRead = phase === 'runtime' || phase === 'terminate';
        run.take(isRead ? record.value : { phase }, record.line);
        return run.hasEnd;
      },
      get isPaused() {
        return !run.isOver && isPausedWord(run.status);
      },
      sealFile: (log) => join(dirname(log), FINAL_FILE),
    };
  },
  schemas: async () => (await import('./schemas.ts')).NAMED_SCHEMAS,
  eventTypes: async () => (await import('./event/types.ts')).EVENT_TYPES,
  summary: summarizeLog,
  statusTone: toneOf,
  stateDefault: async (path) =>
    path.join('.') === 'episode.intuition_mode'
      ? (await import('./event/vocabulary.ts')).DEFAULT_INTUITION_MODE
      : undefined,
  stateView: async (state) => (await import('./show/view.ts')).viewOfState(state),
  projector: async ({ log } = {}) => {
    const { hasWrittenLastState, NoesisProjector } = await import('./state/projection.ts');
    const finished = log !== undefined && hasWrittenLastState((name) => isThere(dirname(log), name));
    return new NoesisProjector('stored', finished);
  },
  writtenProjection: async (indent) =>
    new (await import('./state/written-projection.ts')).WrittenProjection(indent),
  sealing: async () => (await import('./seal/sealing.ts')).noesisSealing,
  writing: async () => (await import('./writing/index.ts')).noesisWriting,
  verify: async (target, options) => (await import('./verify.ts')).verifyNoesis(target, options),
};
