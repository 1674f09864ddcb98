import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { listIn, objectIn, textIn } from '../../kit/excerpt.ts';
import {
  closedCalls,
  joinedLinks,
  rejectLinked,
  uniqueIds,
  withoutOrphans,
} from '../kit/repair/chain-steps.ts';
import { NO_RESULT, type ProgramRepair, type RepairStep, textOf } from '../kit/repair/program.ts';
import type { RepairRecord } from '../kit/repair/repair-log.ts';
import { claudeParts } from './loading.ts';

const LINKS = { id: 'uuid', parent: 'parentUuid' };

const answerOf = ({ value }: RepairRecord) =>
  value['type'] === 'assistant' ? textIn(objectIn(value, 'message'), 'id') : undefined;

/** Undoes a compaction whose summary is not in the log: the conversation before it is loaded again. */
const undoneCompaction: RepairStep = ({ log, load, options }) => {
  const isBroken = load().refused.length > 0 || load().cuts.length > 0;
  for (const record of [...log.records]) {
    if (record.value['subtype'] !== 'compact_boundary') continue;
    const id = textOf(record, 'uuid');
    const before = textOf(record, 'logicalParentUuid');
    const children = log.records.filter((other) => textOf(other, 'parentUuid') === id);
    const segment = objectIn(objectIn(record.value, 'compactMetadata'), 'preservedSegment');
    const anchor = textIn(segment, 'anchorUuid') ?? '';
    const hasSummary = children.some(({ value }) => value['isCompactSummary'] === true);
    if (before === undefined || (hasSummary ? !options.undoCompaction : !isBroken)) continue;
    const summaries = children.filter(({ value }) => value['isCompactSummary'] === true);
    const removed = new Set([id, anchor, ...summaries.map((one) => textOf(one, 'uuid'))]);
    const orphans = log.records.filter(
      (other) => !summaries.includes(other) && removed.has(textOf(other, 'parentUuid') ?? ''),
    );
    for (const one of [record, ...summaries]) log.reject(one, 'a compaction that was undone');
    for (const one of orphans) log.set(one, ['parentUuid'], before);
    log.act('compaction', record.line, 'the compaction was undone: what came before it is loaded again');
  }
};

/** Leaves out thinking without a signature, which the API refuses with every request. */
const withoutUnsigned: RepairStep = ({ log }) => {
  for (const record of [...log.records]) {
    const parts = claudeParts(record.value, record.line);
    const faulty = parts.filter(({ fault }) => fault !== undefined);
    if (faulty.length === 0) continue;
    if (faulty.length === parts.length) rejectLinked(log, record, LINKS, 'thinking without a signature');
    else {
      const content = listIn(record.value['message'], 'content');
      const kept = content.filter((_, index) => parts[index]?.fault === undefined);
      log.rejected.push({
        line: record.line,
        start: record.start,
        end: record.end,
        why: 'thinking without a signature',
      });
      log.set(record, ['message', 'content'], kept as JsonValue);
    }
    log.act('unsigned', record.line, 'thinking without a signature was rejected: the API refuses it');
  }
};

function resultFor(
  { value }: RepairRecord,
  { call }: { readonly call?: string | undefined },
  uuid: string,
): JsonObject {
  const { version, sessionId, cwd, gitBranch, userType, timestamp } = value;
  const shared = { userType, cwd, sessionId, version, gitBranch };
  const defined = Object.fromEntries(
    Object.entries(shared).filter(([, one]) => one !== undefined),
  ) as JsonObject;
  return {
    parentUuid: value['uuid'] ?? null,
    isSidechain: false,
    ...defined,
    type: 'user',
    message: {
      role: 'user',
      content: [{ tool_use_id: call ?? '', type: 'tool_result', content: NO_RESULT, is_error: true }],
    },
    uuid,
    ...(timestamp !== undefined && { timestamp }),
  };
}

/** How sessions of Claude Code are repaired. */
export const claudeRepair: ProgramRepair = {
  bytes: {},
  partsOf: claudeParts,
  steps: [
    uniqueIds(LINKS),
    undoneCompaction,
    joinedLinks(LINKS, false),
    withoutOrphans(LINKS, claudeParts),
    closedCalls(
      LINKS,
      claudeParts,
      resultFor,
      (next, call) => answerOf(next) !== answerOf(call) || answerOf(call) === undefined,
    ),
    withoutUnsigned,
  ],
  rename: (log, id) => {
    for (const record of log.records)
      if (textOf(record, 'sessionId') !== undefined) log.set(record, ['sessionId'], id);
  },
  pathFor: (path, id) => join(dirname(path), `${id}.jsonl`),
  resume: (id) => `claude --resume ${id}`,
};
