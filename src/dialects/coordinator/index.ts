import { field } from '../../log/record.ts';
import { defineDialect, memberText } from '../kit/define.ts';
import { jsonLinesAmong } from '../kit/json-lines.ts';
import { CoordinatorAccount, spanOf } from './account.ts';
import { describeEvent } from './describe.ts';
import { isCoordinatorEvent, stateFileOf } from './files.ts';
import { planEnding, summarizeLog } from './log-summary.ts';
import { LOG_FILE, nestedEvent, readEvent } from './read.ts';
import { toneOf } from './status.ts';
import { isFormerType, REVISIONS, upcastEvent } from './upcasters.ts';
import { documentedTypes } from './vocabulary.ts';

const EVENT_TYPE = field('event_type');
const EVENT = field('event');
const AGENT = field('agent_id');
const TASK = field('task_id');

/** The session of an event. */
export const sessionOf = memberText('session_id');

const newProjector = async () => new (await import('./projection.ts')).CoordinatorProjector();

/** The event log of a plan: one file for all sessions, one event per line. */
export const coordinator = defineDialect({
  name: 'coordinator',
  title: 'Coordinator event log',
  versions: { event: REVISIONS },
  detect: ({ fileName, records }) => {
    const byName = fileName === LOG_FILE;
    return (byName && records.length === 0) || records.some((event) => isCoordinatorEvent(event, byName));
  },
  // A recovery leaves files such as `event-log.jsonl.corrupted.…`. They are not logs.
  logFiles: (names) => names.filter((name) => name === LOG_FILE),
  candidates: jsonLinesAmong,
  members: { time: 'timestamp', type: 'event_type', agent: 'agent_id' },
  reads: ['event', 'session_id', 'task_id'],
  view: {
    type: (record) => record.string(EVENT_TYPE) ?? record.string(EVENT),
    presentType: (record) => {
      const type = record.string(EVENT_TYPE);
      const mayBeFormer = type !== undefined && (isFormerType(type) || type === 'session_start');
      return mayBeFormer ? readEvent(upcastEvent(record.value))?.type : undefined;
    },
    agent: (record) => record.string(AGENT) ?? readEvent(record.value)?.agentId,
  },
  comparable: (event) => nestedEvent(upcastEvent(event)),
  columns: [
    { title: 'TYPE', width: 22, cell: (event) => readEvent(event)?.type ?? '' },
    { title: 'TASK', width: 8, cell: (event) => readEvent(event)?.taskId ?? '' },
    { title: 'AGENT', width: 12, from: 100, cell: (event) => readEvent(event)?.agentId ?? '' },
    { title: 'DETAILS', width: 30, cell: describeEvent },
  ],
  stateFile: stateFileOf,
  summary: summarizeLog,
  statusTone: toneOf,
  stateView: async (state, origin) => {
    const { viewOfLog, viewOfState } = await import('./view.ts');
    return origin === 'stored' ? viewOfState(state) : viewOfLog(state);
  },
  eventTypes: async () => documentedTypes(),
  ending: planEnding,
  schemas: async () => (await import('./schema/state.ts')).NAMED_SCHEMAS,
  filters: [
    { name: 'session', value: sessionOf },
    {
      name: 'task',
      value: (record) => record.string(TASK) ?? readEvent(record.value)?.taskId,
    },
  ],
  span: spanOf,
  account: async () => new CoordinatorAccount(await newProjector()),
  story: async () =>
    new (await import('./story.ts')).CoordinatorStory(new CoordinatorAccount(await newProjector())),
  projector: newProjector,
  writing: async () => (await import('./writing.ts')).coordinatorWriting,
  verify: async (target, options) => (await import('./verify.ts')).verifyCoordinator(target, options),
});
