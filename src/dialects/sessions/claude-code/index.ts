import { join } from 'node:path';
import type { Dialect, LogSample } from '../../dialect.ts';
import { defineDialect, memberText } from '../../kit/define.ts';
import { jsonLinesAmong } from '../../kit/json-lines.ts';
import { textIn } from '../../kit/members.ts';
import { toolFilter } from '../../kit/record-filters.ts';
import { KIND_WIDTH, roleOfKind } from '../kit/kinds.ts';
import { sessionMembers } from '../kit/members.ts';
import { projectSlug } from '../kit/project-slug.ts';
import { abridge } from './abridge.ts';
import { describeRecord, toolOrModel } from './describe.ts';
import {
  keptSession,
  nameOfLog,
  projectFolders,
  sessionInName,
  sessionOfAgent,
  titleOfAgent,
  transcriptLogs,
} from './files.ts';
import { TranscriptReader } from './reader.ts';
import {
  callBlocks,
  callRecords,
  isTranscriptRecord,
  kindOf,
  linkOf,
  markedOrigin,
  mayBeTranscript,
  type OriginOf,
  typeOf,
} from './records.ts';
import { originIn, relatedLogs } from './unmarked-copies.ts';

const agentIn = memberText('agentId');

const isOther = ({ records }: LogSample): boolean => records.length > 0 && !records.some(mayBeTranscript);

/** What is read from records. `originOf`: says which of them were copied. */
const membersWith = (originOf: OriginOf) =>
  sessionMembers(
    (story, isOutline) => new TranscriptReader(story, isOutline, originOf),
    callRecords(originOf),
    abridge,
    linkOf,
  );

/** The transcripts of Claude Code: a file per session, and one per subagent (claude-code.md). */
export const claudeCode: Dialect = defineDialect({
  takesGlued: true,
  name: 'claude-code',
  title: 'Claude Code transcript',
  detect: ({ records }) => records.some(isTranscriptRecord),
  logFiles: transcriptLogs,
  // A copy under another name is a log too.
  candidates: jsonLinesAmong,
  isLookAlike: isOther,
  isNoLog: isOther,
  homes: projectFolders,
  nameOf: nameOfLog,
  partOf: sessionOfAgent,
  titleOfPart: titleOfAgent,
  startsEmpty: true,
  sessionOf: (event) => textIn(event, 'sessionId'),
  members: { id: 'uuid', time: 'timestamp', cause: 'parentUuid' },
  reads: ['agentId', 'sessionId'],
  view: {
    type: (record) => typeOf(record.value),
    phase: (record) => kindOf(record.value),
    role: (record) => roleOfKind(kindOf(record.value)),
    // In older versions, the records of subagents do not name them.
    agent: (record) => agentIn(record) ?? (record.value['isSidechain'] === true ? 'sidechain' : 'main'),
  },
  columns: [
    { title: 'KIND', width: KIND_WIDTH, cell: kindOf },
    { title: 'TOOL', width: 16, cell: toolOrModel, isTool: true },
    { title: 'DETAIL', width: 24, cell: describeRecord },
  ],
  filters: [
    { name: 'session', value: memberText('sessionId') },
    toolFilter(({ value }) => textIn(callBlocks(value)[0], 'name')),
  ],
  // An interactive session may continue at any time. A run without a terminal ends when the program writes the sum of
  // its usage.
  ending: () => {
    let isRun = false;
    return {
      isOver: ({ value }) => {
        if (!isRun) isRun = textIn(value, 'entrypoint')?.startsWith('sdk-') ?? false;
        return isRun && value['type'] === 'cost-state';
      },
    };
  },
  aliases: ({ value }) => callBlocks(value).flatMap((block) => textIn(block, 'id') ?? []),
  eventTypes: async () => (await import('./types.ts')).knownTypes(),
  schemas: async () => ({
    event: {
      schema: (await import('./schema.ts')).saidSchema,
      title: 'A message in a Claude Code transcript',
    },
  }),
  ...membersWith(markedOrigin),
  relatedLogs,
  ofLog: (log) => ({ ...claudeCode, ...membersWith(originIn(log)) }),
  resume: {
    command: (id) => `claude --resume ${id}`,
    byName: { form: '<session id>.jsonl', idIn: sessionInName },
    // The program looks into the folders of all projects.
    places: {
      has: (log) => keptSession(log) !== undefined,
      of: ([home], { id, cwd }) => (home && cwd ? join(home, projectSlug(cwd), `${id}.jsonl`) : undefined),
    },
    idOf: keptSession,
  },
  loading: async () => (await import('./loading.ts')).claudeLoading,
  repair: async () => (await import('./repair.ts')).claudeRepair,
  verify: async (target, options) => (await import('./verify.ts')).verifyTranscript(target, options),
});
