import { join } from 'node:path';
import type { JsonObject } from '../../../base/json/value.ts';
import type { Dialect } from '../../dialect.ts';
import { defineDialect, memberText } from '../../kit/define.ts';
import { jsonLinesAmong } from '../../kit/json-lines.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { toolFilter } from '../../kit/record-filters.ts';
import { KIND_WIDTH, roleOfKind } from '../kit/kinds.ts';
import { sessionMembers } from '../kit/members.ts';
import { abridge } from './abridge.ts';
import { isSession, sessionAt, sessionFolders, sessionLogs } from './files.ts';
import { EventsReader } from './reader.ts';
import {
  CALL_RECORDS,
  dataOf,
  describeEvent,
  isSessionEvent,
  kindOf,
  requestName,
  requestsOf,
  toolOrModel,
} from './records.ts';

const [typeIn, agentIn] = [memberText('type'), memberText('agentId')];

const typeOf = (event: JsonObject): string => textIn(event, 'type') ?? '';

/** The cause of a record: the start of what it ends, else its parent (copilot.md §4). */
function causeOf(event: JsonObject): string | undefined {
  const data = dataOf(event);
  const type = typeOf(event);
  const call = textIn(data, 'toolCallId') ?? textIn(objectIn(data, 'permissionRequest'), 'toolCallId');
  if (type === 'tool.execution_start' && call !== undefined) return requestName(call);
  if (/^(?:tool\.execution_complete|permission\.|subagent\.)/.test(type) && call !== undefined) return call;
  const hook = type === 'hook.end' ? textIn(data, 'hookInvocationId') : undefined;
  return hook ?? textIn(event, 'parentId');
}

/** Other ids of a record: those of a call, a hook, a permission, or the requests of an answer. */
function aliasesOf(event: JsonObject): string[] {
  const data = dataOf(event);
  const type = typeOf(event);
  const names = requestsOf(event).flatMap((request) => textIn(request, 'toolCallId') ?? []);
  const own =
    type === 'tool.execution_start'
      ? textIn(data, 'toolCallId')
      : type === 'hook.start'
        ? textIn(data, 'hookInvocationId')
        : type === 'permission.requested'
          ? textIn(data, 'requestId')
          : undefined;
  return [...names.map(requestName), ...(own === undefined ? [] : [own])];
}

/** The sessions of the Copilot CLI: a file of events per session (copilot.md). */
export const copilot: Dialect = defineDialect({
  takesGlued: true,
  name: 'copilot',
  title: 'GitHub Copilot CLI session',
  detect: ({ records }) => records.some(isSessionEvent),
  logFiles: sessionLogs,
  isLookAlike: ({ records }) => records.length > 0 && !records.some(isSessionEvent),
  candidates: jsonLinesAmong,
  claims: isSession,
  homes: sessionFolders,
  nameOf: sessionAt,
  sessionOf: (event) => textIn(event['data'], 'sessionId'),
  members: { id: 'id', time: 'timestamp', type: 'type' },
  reads: ['parentId', 'agentId'],
  view: {
    phase: (record) => kindOf(record.value),
    role: (record) => roleOfKind(kindOf(record.value)),
    agent: (record) => agentIn(record) ?? 'main',
    cause: ({ value }) => causeOf(value),
  },
  columns: [
    { title: 'KIND', width: KIND_WIDTH, cell: kindOf },
    { title: 'TOOL', width: 12, cell: toolOrModel, isTool: true },
    { title: 'DETAIL', width: 24, cell: describeEvent },
  ],
  filters: [toolFilter(({ value }) => textIn(dataOf(value), 'toolName'))],
  eventTypes: async () => {
    const { STORED_TYPES } = await import('./vocabulary.ts');
    return STORED_TYPES.map((type) => ({ type, group: type.replace(/\..*/, '') }));
  },
  schemas: async () => ({
    event: { schema: (await import('./schema.ts')).eventSchema, title: 'An event of a Copilot CLI session' },
  }),
  aliases: ({ value }) => aliasesOf(value),
  ending: () => ({ isOver: (record) => typeIn(record) === 'session.shutdown' }),
  ...sessionMembers((story) => new EventsReader(story), CALL_RECORDS, abridge),
  resume: {
    command: (id) => `copilot --resume=${id}`,
    places: {
      has: (log) => sessionAt(log) !== undefined,
      of: ([home], { id }) => (home === undefined ? undefined : join(home, id, 'events.jsonl')),
    },
    idOf: sessionAt,
  },
  loading: async () => (await import('./loading.ts')).copilotLoading,
  repair: async () => (await import('./repair.ts')).copilotRepair,
  verify: async (target, options) => (await import('./verify.ts')).verifyEvents(target, options),
});
