import type { Dialect, LogSample } from '../../dialect.ts';
import { defineDialect } from '../../kit/define.ts';
import { jsonLinesAmong } from '../../kit/json-lines.ts';
import { numberIn, textIn } from '../../kit/members.ts';
import { toolFilter } from '../../kit/record-filters.ts';
import { KIND_WIDTH, roleOfKind } from '../kit/kinds.ts';
import { sessionMembers } from '../kit/members.ts';
import { abridge } from './abridge.ts';
import { describeLine, toolOrModel } from './describe.ts';
import {
  foldersOfThreads,
  idInName,
  isInDay,
  keptThread,
  parentOfThread,
  placeOfThread,
  rolloutLogs,
  threadFolders,
  threadInName,
} from './files.ts';
import { RolloutReader } from './reader.ts';
import { CALL_RECORDS, isBareHead, isRolloutLine, kindOf, typeOf } from './records.ts';
import { copiesIn } from './thread-history.ts';
import { otherSpans } from './turn-ends.ts';
import { causeOf, idOf, ThreadEnding } from './view.ts';
import { againIn } from './written-again.ts';

const isRollout = ({ records }: LogSample): boolean =>
  records.some((record, index) => isRolloutLine(record) || (index === 0 && isBareHead(record)));

const isOther = (sample: LogSample): boolean => sample.records.length > 0 && !isRollout(sample);

/** The rollouts of Codex: a file per thread (codex.md). */
export const codex: Dialect = defineDialect({
  takesGlued: true,
  name: 'codex',
  title: 'Codex rollout',
  detect: isRollout,
  logFiles: rolloutLogs,
  // A copy under another name is a log too.
  candidates: jsonLinesAmong,
  isLookAlike: isOther,
  isNoLog: isOther,
  homes: threadFolders,
  nameOf: idInName,
  partOf: parentOfThread,
  foldersOfParts: foldersOfThreads,
  sessionOf: (event) => textIn(isBareHead(event) ? event : event['payload'], 'id'),
  members: { time: 'timestamp' },
  reads: ['type'],
  view: {
    id: idOf,
    type: (record) => typeOf(record.value),
    phase: (record) => kindOf(record.value),
    role: (record) => roleOfKind(kindOf(record.value)),
    repeats: (record) => kindOf(record.value) === 'double',
    agent: () => 'main',
    cause: causeOf,
  },
  columns: [
    { title: 'ORD', width: 5, from: 100, cell: (event) => `${numberIn(event, 'ordinal') ?? ''}` },
    { title: 'KIND', width: KIND_WIDTH, cell: kindOf },
    { title: 'TOOL', width: 16, cell: toolOrModel, isTool: true },
    { title: 'DETAIL', width: 24, cell: describeLine },
  ],
  filters: [toolFilter(({ value }) => (kindOf(value) === 'call' ? toolOrModel(value) : undefined))],
  eventTypes: async () => (await import('./types.ts')).knownTypes(),
  schemas: async () => ({
    event: { schema: (await import('./schema.ts')).lineSchema, title: 'A line of a Codex rollout' },
  }),
  ending: () => new ThreadEnding(),
  ...sessionMembers(
    (story) => new RolloutReader(story),
    { ...CALL_RECORDS, again: againIn, copies: copiesIn, others: otherSpans },
    abridge,
  ),
  resume: {
    command: (id) => `codex resume ${id}`,
    byName: { form: 'rollout-<time>-<thread id>.jsonl', idIn: threadInName },
    places: { has: (log) => keptThread(log) !== undefined && isInDay(log), of: placeOfThread },
    idOf: keptThread,
  },
  loading: async () => (await import('./loading.ts')).codexLoading,
  repair: async () => (await import('./repair.ts')).codexRepair,
  verify: async (target, options) => (await import('./verify.ts')).verifyRollout(target, options),
});
