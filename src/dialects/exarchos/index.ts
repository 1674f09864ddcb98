import { basename } from 'node:path';
import { isNumber } from '../../base/json/stored-number.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { isObject } from '../../base/json/value.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { field, type LogRecord } from '../../log/record.ts';
import type { Dialect, LogSample, RecordFilter } from '../dialect.ts';
import { defineDialect, memberText } from '../kit/define.ts';
import { stringOf, textIn } from '../kit/members.ts';
import { toolFilter } from '../kit/record-filters.ts';
import { namesColumn } from '../kit/sqlite.ts';
import { spanOf } from './account.ts';
import { CallSpans } from './call-spans.ts';
import { describeEvent } from './describe.ts';
import { SCHEMA_VERSION, TYPE_NAME } from './event-types.ts';
import { causeOf, eventIdOf, namesOf } from './identity.ts';
import { summarizeLog, workflowEnding } from './log-summary.ts';
import {
  eventless,
  exportHint,
  isStoreName,
  isTranscriptLine,
  logNameOf,
  sideFiles,
  stateFileOf,
  stateFolders,
  streamLogs,
  streamOf,
} from './names.ts';
import { toneOf } from './phase.ts';
import { inKnownVersion } from './registered.ts';

const EVENT_ID = field('eventId');
const TYPE = field('type');
const CAUSATION = field('causationId');

/** The phase of an event: the one it leads to, else the one in which it was logged. */
function phaseOf({ type, data }: JsonObject): string | undefined {
  if (!isObject(data)) return undefined;
  const { phase, to } = data;
  if (type === 'workflow.transition' && typeof to === 'string') return to;
  return typeof phase === 'string' ? phase : undefined;
}

/** Whether a record has the envelope of this format. One field may be missing. */
function hasEnvelope({ streamId, sequence, type, schemaVersion }: JsonObject): boolean {
  if (typeof type !== 'string') return false;
  const found = [
    typeof streamId === 'string',
    typeof sequence === 'number',
    typeof schemaVersion === 'string',
  ];
  return found.filter(Boolean).length >= 2;
}

const isTranscript = ({ records }: LogSample): boolean =>
  records.length > 0 && records.every(isTranscriptLine);

/** Whether a record is an event without an envelope, as in test inputs. Its log must also have the right name. */
function isBareEvent(event: JsonObject): boolean {
  const { type, data, id, parentId } = event;
  // Events of a Copilot session look similar, but name the record before them.
  const isOfChain = typeof id === 'string' && parentId !== undefined;
  if (isTranscriptLine(event) || isOfChain) return false;
  return typeof type === 'string' && TYPE_NAME.test(type) && (data === undefined || isObject(data));
}

function detect({ fileName, records }: LogSample): boolean {
  if (records.some(hasEnvelope)) return true;
  return streamOf(fileName) !== undefined && (records.length === 0 || records.some(isBareEvent));
}

const FILTERS: readonly RecordFilter[] = [
  { name: 'stream', value: memberText('streamId') },
  {
    name: 'correlation',
    help: 'show only events with this correlation id',
    value: memberText('correlationId'),
  },
  { name: 'task', value: ({ value }) => textIn(value['data'], 'taskId') },
  toolFilter(({ value }) => textIn(value['data'], 'tool')),
];

/** All names of a record: those that a `causationId` may use, and the bare number. */
function aliases({ value }: LogRecord): readonly string[] {
  const { sequence } = value;
  return typeof sequence === 'number' ? [...namesOf(value), String(sequence)] : namesOf(value);
}

/** The workflow event stores of exarchos up to version 2.9: one log per stream, all in one directory (exarchos.md). */
export const exarchos: Dialect = defineDialect({
  name: 'exarchos',
  title: 'exarchos workflow event store',
  versions: { event: [SCHEMA_VERSION] },
  upcast: (event, upcasts) => inKnownVersion(event, { upcasts }),
  detect,
  logFiles: streamLogs,
  sideFiles,
  eventless,
  databaseHint: (path, head) =>
    isStoreName(basename(path)) || namesColumn(head, 'streamId') ? exportHint(path) : undefined,
  isLookAlike: isTranscript,
  isNoLog: isTranscript,
  logNameOf,
  homes: stateFolders,
  members: { id: 'eventId', time: 'timestamp', type: 'type', agent: 'agentId', cause: 'causationId' },
  reads: ['streamId', 'correlationId'],
  view: {
    id: (record) => record.string(EVENT_ID) ?? eventIdOf(record.value),
    phase: (record) => (record.string(TYPE)?.startsWith('workflow.') ? phaseOf(record.value) : undefined),
    cause: (record) => (record.kind(CAUSATION) === 'string' ? causeOf(record.value) : undefined),
  },
  columns: [
    {
      title: 'SEQ',
      width: 5,
      cell: ({ sequence }) => (isNumber(sequence) ? String(sequence) : ''),
    },
    { title: 'TYPE', width: 23, cell: ({ type }) => stringOf(type) ?? '' },
    { title: 'AGENT', width: 12, from: 100, cell: ({ agentId }) => stringOf(agentId) ?? '' },
    { title: 'DETAIL', width: 24, cell: describeEvent },
  ],
  filters: FILTERS,
  eventTypes: async (settings = {}) => {
    const { builtInTypes, customTypes } = await import('./types.ts');
    const { registeredTypes } = await import('./settings.ts');
    return [...builtInTypes(), ...customTypes(registeredTypes(settings))];
  },
  schemas: async () => (await import('./schema/artifacts.ts')).NAMED_SCHEMAS,
  ending: workflowEnding,
  aliases,
  stateFile: stateFileOf,
  summary: summarizeLog,
  statusTone: toneOf,
  stateView: async (state) => (await import('./view.ts')).viewOfWorkflow(state),
  span: spanOf,
  spans: () => new CallSpans(),
  account: async (run) =>
    new (await import('./account.ts')).ExarchosAccount(await exarchos.projector({ run })),
  story: async (run) => {
    const { ExarchosAccount } = await import('./account.ts');
    const account = new ExarchosAccount(await exarchos.projector({ run }));
    return new (await import('./story.ts')).ExarchosStory(account);
  },
  projector: async () => new (await import('./projection/projector.ts')).ExarchosProjector(),
  configuration: async () => ({ table: (await import('./settings.ts')).settingsSchema }),
  writing: async () => (await import('./writing.ts')).exarchosWriting,
  verify,
});

async function verify(target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> {
  const { registeredBy } = await import('./settings.ts');
  return (await import('./verify.ts')).verifyExarchos(
    target,
    options,
    registeredBy(options.settings?.['exarchos']),
  );
}
