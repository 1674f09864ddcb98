import { dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { listIn, objectIn, textIn } from '../../kit/members.ts';
import {
  closedCalls,
  joinedLinks,
  rejectLinked,
  uniqueIds,
  withoutOrphans,
} from '../kit/repair/chain-steps.ts';
import { movedTo } from '../kit/repair/moved-folder.ts';
import { madeId, NO_RESULT, type ProgramRepair, type RepairStep, textOf } from '../kit/repair/program.ts';
import type { RepairLog, RepairRecord } from '../kit/repair/repair-log.ts';
import { claudeParts } from './loading.ts';
import { isPrompt, textOfMessage } from './records.ts';
import { hashesIn, messageHash, type SentMessage, sentIn, withoutReminders } from './requests.ts';

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
    const children = log.linked('parentUuid', id);
    const segment = objectIn(objectIn(record.value, 'compactMetadata'), 'preservedSegment');
    const anchor = textIn(segment, 'anchorUuid') ?? '';
    const hasSummary = children.some(({ value }) => value['isCompactSummary'] === true);
    if (before === undefined || (hasSummary ? !options.undoCompaction : !isBroken)) continue;
    const summaries = children.filter(({ value }) => value['isCompactSummary'] === true);
    const removed = new Set([id, anchor, ...summaries.map((one) => textOf(one, 'uuid'))]);
    const orphans = [...removed]
      .flatMap((one) => log.linked('parentUuid', one))
      .filter((other) => !summaries.includes(other));
    for (const one of [record, ...summaries]) log.reject(one, 'a compaction that was undone');
    for (const one of orphans) log.set(one, ['parentUuid'], before);
    log.act('compaction', record.line, 'the compaction was undone: what came before it is loaded again');
  }
};

/** The messages of the user in the log that were sent, with the place of each: their hash is that of a request. */
function provenMessages(log: RepairLog): { readonly record: RepairRecord; readonly sent: SentMessage }[] {
  const sent = new Set(
    log.records
      .filter(({ value }) => value['type'] === 'api-request')
      .flatMap(({ value }) => hashesIn(value)),
  );
  return log.records.flatMap((record) => {
    if (record.value['type'] !== 'api-request-blob') return [];
    const hash = textIn(record.value, 'hash') ?? '';
    const isProven = sent.has(hash) && messageHash(objectIn(record.value, 'message')) === hash;
    return isProven ? [{ record, sent: sentIn(record.value) }] : [];
  });
}

/** The first record from a place on whose parent is not in the log. */
function cutFrom(log: RepairLog, from: number, to = log.records.length): RepairRecord | undefined {
  const ids = new Set(log.records.map((record) => textOf(record, 'uuid')));
  return log.records.slice(from, to).find((record) => {
    const parent = textOf(record, 'parentUuid');
    return parent !== undefined && record.value['isSidechain'] !== true && !ids.has(parent);
  });
}

/** Recovers lost results and prompts from the requests that contained them. The hash of the request proves them. */
const recovered: RepairStep = ({ log }) => {
  const messages = provenMessages(log);
  if (messages.length === 0) return;
  const answered = new Set<string | undefined>();
  for (const { value, line } of log.records)
    for (const { kind, call } of claudeParts(value, line)) if (kind === 'result') answered.add(call);
  for (const record of [...log.records]) {
    for (const { kind, call } of claudeParts(record.value, record.line)) {
      if (kind !== 'call' || call === undefined || answered.has(call)) continue;
      const block = messages.map(({ sent }) => sent.results.get(call)).find((one) => one !== undefined);
      if (block === undefined) continue;
      answered.add(call);
      const id =
        textOf(cutFrom(log, log.records.indexOf(record)), 'parentUuid') ??
        madeId('noesis doctor result', call);
      const { content } = block;
      const said = typeof content === 'string' ? withoutReminders(content) : content;
      const added = resultFor(record, { call }, id);
      log.add({ ...added, message: { role: 'user', content: [{ ...block, content: said ?? '' }] } }, record);
      log.act(
        'recovered',
        record.line,
        `the result of ${call} was recovered from the request that contained it, and its hash fits`,
      );
    }
  }
  const prompts = new Set(
    log.records
      .filter(({ value }) => isPrompt(value))
      .map(({ value }) => withoutReminders(textOfMessage(value)).trim()),
  );
  for (const { record, sent } of messages) {
    if (
      sent.prompt === '' ||
      sent.results.size > 0 ||
      [...prompts].some((text) => sent.prompt.includes(text))
    )
      continue;
    const at = log.records.indexOf(record);
    const answer = log.records.findLastIndex(
      ({ value }, index) => index < at && value['type'] === 'assistant',
    );
    const cut = cutFrom(log, answer + 1, at);
    const before = log.records[answer];
    const uuid = textOf(cut, 'parentUuid');
    if (cut === undefined || before === undefined || uuid === undefined) continue;
    const shared = resultFor(before, {}, uuid);
    const { timestamp } = cut.value;
    log.add(
      {
        ...shared,
        message: { role: 'user', content: sent.prompt },
        ...(timestamp !== undefined && { timestamp }),
      },
      log.records[log.records.indexOf(cut) - 1],
    );
    prompts.add(sent.prompt);
    log.act(
      'recovered',
      cut.line,
      'a prompt was recovered from the request that contained it, and its hash fits',
    );
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

/** Names the last record of the conversation as the one from which the program continues. */
const fromNewest: RepairStep = ({ log, load, options }) => {
  if (!options.newest || load().turns.newer.length === 0) return;
  const last = log.records.findLast(
    ({ value }) =>
      (value['type'] === 'user' || value['type'] === 'assistant') && value['isSidechain'] !== true,
  );
  const id = textOf(last, 'uuid');
  if (last === undefined || id === undefined) return;
  const session = textOf(last, 'sessionId');
  log.add(
    { type: 'last-prompt', leafUuid: id, ...(session !== undefined && { sessionId: session }) },
    log.records.at(-1),
  );
  log.act('newest', last.line, 'the session continues from here, the newest turn');
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
    fromNewest,
    recovered,
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
    movedTo(['cwd']),
  ],
  rename: (log, id) => {
    for (const record of log.records)
      if (textOf(record, 'sessionId') !== undefined) log.set(record, ['sessionId'], id);
  },
  pathFor: (path, id) => join(dirname(path), `${id}.jsonl`),
};
