import { basename, dirname, join } from 'node:path';
import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { isObject } from '../../../base/json/value.ts';
import { messageText, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { linesOf } from '../kit/loading/lines.ts';
import type { LoadingRemark } from '../kit/loading/model.ts';
import { NO_RESULT, type ProgramRepair, type RepairStep } from '../kit/repair/program.ts';
import type { RepairRecord } from '../kit/repair/repair-log.ts';
import { geminiParts, History } from './loading.ts';
import { hashOf } from './named-folder.ts';
import { ANSWERS, isHeader } from './records.ts';

const isHead = (value: JsonObject) =>
  isHeader(value) &&
  !('$set' in value) &&
  !('$rewindTo' in value) &&
  textIn(value, 'sessionId') !== undefined;

/** The session's id where the header is lost. */
function idIn(records: readonly { readonly value: JsonObject }[]): string | undefined {
  for (const { value } of records) {
    const id = textIn(objectIn(value, '$set'), 'sessionId');
    if (id !== undefined) return id;
  }
  return undefined;
}

/** The folder of the project, which the program tells the model at the start. */
const WORKSPACE = /Workspace Directories:\*\*\n\s*- ([^\n]+)/;

const header: RepairStep = ({ log, options }) => {
  const [first] = log.records;
  if (first === undefined || log.records.some(({ value }) => isHead(value))) return;
  const short = /-([0-9a-f]{8})\.jsonl$/i.exec(basename(options.path))?.[1];
  const id = idIn(log.records) ?? (short && `${short}-0000-4000-8000-000000000000`);
  if (id === undefined) return;
  const texts = log.records.flatMap(({ value }) => [
    messageText(value['content']),
    ...objectsIn(objectIn(value, '$set'), 'messages').map(({ content }) => messageText(content)),
  ]);
  const cwd = options.cwd ?? texts.flatMap((text) => WORKSPACE.exec(text)?.[1] ?? []).at(0);
  const time = /session-(\d{4}-\d\d-\d\dT\d\d)-?(\d\d)/.exec(basename(options.path));
  const start = time === null ? '1970-01-01T00:00:00.000Z' : `${time[1]}:${time[2]}:00.000Z`;
  const projectHash = hashOf(cwd ?? '');
  log.add({ sessionId: id, projectHash, startTime: start, lastUpdated: start, kind: 'main' }, undefined);
  log.act('head', 1, 'the header is lost: a new one was made from the log', true);
};

/** A message with the calls and the one response to each, in the form that a resume does not send twice. */
function onceOnly(event: JsonObject, responses: ReadonlyMap<string, JsonValue>): JsonObject[] {
  const calls = objectsIn(event, 'toolCalls');
  const { toolCalls: _calls, content, ...rest } = event;
  const text: JsonValue[] =
    typeof content === 'string'
      ? content === ''
        ? []
        : [{ text: content }]
      : Array.isArray(content)
        ? content
        : [];
  const own = text.filter((part) => !isObject(part) || !('functionCall' in part));
  const asked = [
    ...text.flatMap((part) =>
      isObject(part) && isObject(part['functionCall']) ? [part['functionCall']] : [],
    ),
    ...calls.map(({ id, name, args }) => ({ id: id ?? '', name: name ?? '', args: args ?? {} })),
  ];
  if (asked.length === 0) return [event];
  const id = textIn(event, 'id') ?? '';
  const answers = asked.map((call) => {
    const callId = textIn(call, 'id') ?? '';
    return (
      responses.get(callId) ?? {
        functionResponse: { id: callId, name: textIn(call, 'name') ?? '', response: { error: NO_RESULT } },
      }
    );
  });
  const answer = { ...rest, content: [...own, ...asked.map((functionCall) => ({ functionCall }))] };
  const { id: first, timestamp, type } = answer as JsonObject;
  const { content: parts, thoughts, tokens, model, ...more } = answer as JsonObject;
  const ordered = { id: first, timestamp, type, content: parts, thoughts, tokens, model, ...more };
  const said = Object.fromEntries(
    Object.entries(ordered).filter(([, value]) => value !== undefined),
  ) as JsonObject;
  const time = event['timestamp'];
  return [
    said,
    { id: `${id}_response`, ...(time !== undefined && { timestamp: time }), type: 'user', content: answers },
  ];
}

/** Leaves out a change that takes back messages that are not in the log: it empties the session. */
const knownRewinds: RepairStep = ({ log }) => {
  for (;;) {
    const history = new History();
    for (const line of linesOf(log.bytes())) history.add(line);
    const lost = history.lostRewind && log.records[history.lostRewind.line - 1];
    if (lost === undefined) return;
    log.reject(lost, 'it takes back messages that are not in the log');
    log.act('responses', lost.line, 'a $rewindTo without its target was left out', true);
  }
};

/** Writes the messages as they are in the end, each response once: the program sends what it recorded twice, twice. */
const oneResponse: RepairStep = ({ log, load }) => {
  if (load().refused.length === 0) return;
  const history = new History();
  for (const line of linesOf(log.bytes())) history.add(line);
  const messages = [...history.messages.values()];
  const responses = new Map<string, JsonValue>();
  const repeated: LoadingRemark[] = [];
  for (const { event, line } of messages) {
    const parts = [
      ...objectsIn(event, 'content'),
      ...objectsIn(event, 'toolCalls').flatMap((call) => objectsIn(call, 'result')),
    ];
    for (const part of parts) {
      const message = remember(part, responses);
      if (message !== undefined) repeated.push({ line, message });
    }
  }
  const written = messages.flatMap(({ event }) => {
    if (ANSWERS.has(event['type'])) return onceOnly(event, responses);
    // The responses of other messages are written behind their calls.
    const parts = geminiParts({ event, line: 0 });
    return parts.length > 0 && parts.every(({ kind }) => kind === 'result') ? [] : [event];
  });
  const head = log.records.find(({ value }) => isHead(value));
  if (head === undefined) return;
  const { line, start, end } = head;
  const added = written.map(
    (value): RepairRecord => ({ line, start, end, isAdded: true, text: JSON.stringify(value), value }),
  );
  log.replaceAll([head, ...added]);
  log.act('responses', line, 'the messages were written as they are in the end, each response once');
  for (const { line, message } of repeated) log.act('responses', line, message);
};

/** Keeps the first response to each call. Of another one, says that it is left out, and whether it says anything else. */
function remember(part: JsonObject, responses: Map<string, JsonValue>): string | undefined {
  const id = textIn(objectIn(part, 'functionResponse'), 'id');
  if (id === undefined) return undefined;
  const first = responses.get(id);
  if (first === undefined) {
    responses.set(id, part);
    return undefined;
  }
  const why =
    JSON.stringify(first) === JSON.stringify(part)
      ? 'it is the same as the first one, so nothing is lost'
      : 'the copy keeps the first one, which differs';
  return `a repeated response to the call ${id} was left out: ${why}`;
}

/** How sessions of Gemini CLI are repaired. */
export const geminiRepair: ProgramRepair = {
  bytes: {},
  partsOf: (event, line) => geminiParts({ event, line }),
  steps: [header, knownRewinds, oneResponse],
  rename: (log, id) => {
    for (const record of log.records) {
      if (isHead(record.value)) log.set(record, ['sessionId'], id);
      else if (textIn(objectIn(record.value, '$set'), 'sessionId') !== undefined)
        log.set(record, ['$set', 'sessionId'], id);
    }
  },
  pathFor: (path, id) => {
    const start = /^(session-.*-)[0-9a-f]{8}\.jsonl$/i.exec(basename(path))?.[1] ?? 'session-';
    return join(dirname(path), `${start}${id.slice(0, 8)}.jsonl`);
  },
  hidesSideFiles: true,
};
