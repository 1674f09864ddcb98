import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { largest } from '../../../base/text/largest.ts';
import { dollars } from '../../kit/decimals.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import type { FileTexts } from '../../kit/file-change.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { countIn, NO_TOKENS, type Tokens, tokensText } from '../../kit/tokens.ts';
import type { Said, SaidAgent, SaidCall, SaidResult, SessionReading } from '../kit/format.ts';
import { timeOf } from '../kit/member.ts';
import type { ResultStatus, TurnStatus } from '../kit/session.ts';
import { whyIncomplete } from '../kit/stop-reason.ts';

// A record is the document without its messages, or a message with its parts: `{info, parts}`. What a database
// or a folder has beside these is a record too: parts whose message is gone, and texts that are not JSON.

/** Whether a record is the document without its messages. */
export const isHead = ({ info, parts }: JsonObject): boolean =>
  parts === undefined && textIn(info, 'id')?.startsWith('ses_') === true;

/** The id of a session whose head is missing or damaged; undefined for any other record. */
export const lostHead = ({ lost, damaged }: JsonObject): string | undefined =>
  textIn(lost, 'id') ?? /^ses_\w+$/.exec(textIn(damaged, 'id') ?? '')?.[0];

/** The type as `--type` matches it: `session`, `message/user`, `message/assistant`; `parts`, `damaged`, `lost`. */
export function typeOf(event: JsonObject): string | undefined {
  if (isHead(event)) return 'session';
  const role = textIn(event['info'], 'role');
  if (role !== undefined) return `message/${role}`;
  return ['damaged', 'lost', 'parts'].find((name) => name in event);
}

export const partsOf = (event: JsonObject): JsonObject[] => objectsIn(event, 'parts');

const isType =
  (type: string) =>
  (part: JsonObject): boolean =>
    part['type'] === type;

/** The tokens of an answer. The output includes reasoning if the total is its sum without it. */
export function tokensOf(tokens: JsonObject): Tokens {
  const cache = objectIn(tokens, 'cache');
  const [input, output, reasoning] = [
    countIn(tokens, 'input'),
    countIn(tokens, 'output'),
    countIn(tokens, 'reasoning'),
  ];
  const [cached, cache_write] = [countIn(cache, 'read'), countIn(cache, 'write')];
  const isApart = numberIn(tokens, 'total') === input + output + reasoning + cached + cache_write;
  return { input, cached, cache_write, output: isApart ? output + reasoning : output, reasoning };
}

/** The program wrote it, not the user. */
const isAdded = ({ synthetic, ignored }: JsonObject): boolean => synthetic === true || ignored === true;

/** `opencode run` stores its arguments in quotes. */
const unquoted = (text: string): string => /^"([\s\S]*)"\n?$/.exec(text)?.[1] ?? text;

/** Words of the user that are not text: a file, an agent, a task. */
function mentionOf(part: JsonObject): string {
  const { type } = part;
  if (type === 'agent') return `@${textIn(part, 'name') ?? 'agent'}`;
  if (type === 'subtask') return textIn(part, 'prompt') ?? textIn(part, 'description') ?? 'a task';
  const url = textIn(part, 'url') ?? '';
  return textIn(part, 'filename') ?? (url.startsWith('data:') ? 'a file' : url);
}

const MENTIONS: ReadonlySet<unknown> = new Set(['file', 'agent', 'subtask']);

function userOf(event: JsonObject): Said {
  const parts = partsOf(event);
  const texts = parts.filter(isType('text'));
  const typed = texts.filter((part) => !isAdded(part)).map((part) => unquoted(textIn(part, 'text') ?? ''));
  const mentions = parts.filter((part) => MENTIONS.has(part['type']) && !isAdded(part)).map(mentionOf);
  const added = texts.filter(isAdded).map((part) => textIn(part, 'text') ?? '');
  if (parts.some(isType('compaction'))) return { detail: 'compaction', status: 'open' };
  if (typed.length + mentions.length === 0) {
    const text = added.join('\n');
    return {
      status: 'open',
      ...(text === '' ? { detail: 'user' } : { detail: text, note: ['added by opencode', text] }),
    };
  }
  return { prompt: [...typed, ...mentions].filter((text) => text !== '').join('\n'), status: 'open' };
}

/** The end of an output, and the whole error, if the user aborted a call. An output may also print these words. */
const ABORTED = /User aborted the command[)\s]*(?:<\/\w+>\s*)?$|^(?:Error: )?Tool execution aborted/;

/** The beginning of an error if a rule did not allow a call. */
const BY_RULE = /^(?:Error: )?The user has specified a rule which prevents/;
/** The beginnings of errors if a person did not allow a call. */
const BY_PERSON = /^(?:Error: )?The user (?:rejected permission to use|dismissed this question)/;

function statusOfResult(text: string, hasFailed: boolean): ResultStatus {
  if (ABORTED.test(text)) return 'interrupted';
  if (!hasFailed) return 'ok';
  return BY_PERSON.test(text) || BY_RULE.test(text) ? 'denied' : 'error';
}

/** The whole file before and after a call that changed it. */
function filesIn(metadata: JsonObject): FileTexts[] {
  const { before, after } = objectIn(metadata, 'filediff');
  return typeof before === 'string' && typeof after === 'string' ? [{ before, after }] : [];
}

/** The result of a call; undefined while it is pending or running. */
function resultOf(id: string | undefined, part: JsonObject, path: JsonPath): SaidResult | undefined {
  const state = objectIn(part, 'state');
  const { status } = state;
  if (status !== 'completed' && status !== 'error') return undefined;
  const text = (status === 'error' ? textIn(state, 'error') : textIn(state, 'output')) ?? '';
  const exitCode = numberIn(objectIn(state, 'metadata'), 'exit');
  const hasFailed = status === 'error' || part['tool'] === 'invalid' || (exitCode ?? 0) !== 0;
  return {
    id,
    status: statusOfResult(text, hasFailed),
    ...(hasFailed && BY_PERSON.test(text) && { byPerson: true }),
    text: part['tool'] === 'invalid' ? (textIn(state['input'], 'error') ?? text) : text,
    ...(exitCode !== undefined && { exitCode }),
    time: timeOf(objectIn(state, 'time')['end']),
    path,
    files: filesIn(objectIn(state, 'metadata')),
  };
}

/** The calls of an answer, each with its part and its place. */
export function callsIn(
  event: JsonObject,
): (SaidCall & { readonly part: JsonObject; readonly path: JsonPath })[] {
  const ids = new Set<string>();
  return (Array.isArray(event['parts']) ? event['parts'] : []).flatMap((part, index) => {
    if (!isObject(part) || part['type'] !== 'tool') return [];
    const state = objectIn(part, 'state');
    const own = textIn(part, 'callID');
    // A second call under the same id is told apart by the id of its part; a check reports it.
    const id = own !== undefined && !ids.has(own) ? own : (textIn(part, 'id') ?? own);
    if (own !== undefined) ids.add(own);
    const time = timeOf(objectIn(state, 'time')['start']);
    const updated = timeOf(objectIn(event, 'updated')[textIn(part, 'id') ?? '']);
    return [
      {
        id,
        tool: textIn(part, 'tool') ?? 'tool',
        input: state['input'],
        time,
        ...(updated !== undefined && { until: updated }),
        path: ['parts', index, 'callID'],
        part,
      },
    ];
  });
}

/** The subagent of a call. */
function agentOf({ part, tool }: { readonly part: JsonObject; readonly tool: string }): SaidAgent[] {
  const state = objectIn(part, 'state');
  const id = textIn(objectIn(state, 'metadata'), 'sessionId');
  if (tool !== 'task' || id === undefined) return [];
  const input = objectIn(state, 'input');
  const [name, description] = [textIn(input, 'subagent_type'), textIn(input, 'description')];
  return [{ id, name, description, status: textIn(state, 'status'), isElsewhere: true }];
}

/** The latest time of an answer. If the program was killed, that is of a text or of a call that had begun. */
function endOf(event: JsonObject): string | undefined {
  const updates = Object.values(objectIn(event, 'updated'));
  const times = [objectIn(event['info'], 'time')['completed'], ...updates];
  for (const part of partsOf(event))
    for (const { start, end } of [objectIn(part, 'time'), objectIn(objectIn(part, 'state'), 'time')])
      times.push(start, end);
  const numbers = times.filter((time) => typeof time === 'number');
  return numbers.length === 0 ? undefined : timeOf(largest(numbers, -Infinity));
}

function statusOf(info: JsonObject, hasCalls: boolean): TurnStatus {
  const { error, finish } = info;
  if (isObject(error)) return error['name'] === 'MessageAbortedError' ? 'interrupted' : 'error';
  if (objectIn(info, 'time')['completed'] === undefined || finish === 'tool-calls') return 'open';
  return typeof finish === 'string' || hasCalls ? 'done' : 'open';
}

/** `cut`: why the answer is incomplete, if it has no error. */
function problemOf({ error }: JsonObject, cut: string | undefined): Said['problem'] {
  if (!isObject(error)) return cut === undefined ? undefined : ['interrupted', cut];
  const name = textIn(error, 'name') ?? 'error';
  return [name === 'MessageAbortedError' ? 'interrupted' : name, textIn(error['data'], 'message') ?? ''];
}

export const modelOf = (info: JsonObject): string | undefined => {
  const [provider, model] = [textIn(info, 'providerID'), textIn(info, 'modelID')];
  return model === undefined ? undefined : provider === undefined ? model : `${provider}/${model}`;
};

function answerOf(event: JsonObject): Said {
  const info = objectIn(event, 'info');
  const parts = partsOf(event);
  const textOf = (type: string) =>
    parts
      .filter(isType(type))
      .map((part) => textIn(part, 'text') ?? '')
      .filter((text) => text !== '')
      .join('\n');
  const calls = callsIn(event);
  const results = calls.flatMap(({ id, part, path }) => resultOf(id, part, path) ?? []);
  const { tokens } = info;
  const cut = calls.length === 0 ? whyIncomplete(info['finish']) : undefined;
  const problem = problemOf(info, cut);
  const isSummary = info['summary'] === true;
  const text = textOf('text');
  return {
    thinking: textOf('reasoning'),
    // The summary of a compaction answers no prompt.
    ...(isSummary ? { compaction: true, note: ['summary', text] as const, detail: text } : { answer: text }),
    calls,
    results,
    agents: calls.flatMap(agentOf),
    changed: parts
      .filter(isType('patch'))
      .flatMap(({ files }) => (Array.isArray(files) ? files : []))
      .filter((path) => typeof path === 'string'),
    usage: {
      model: modelOf(info),
      tokens: isObject(tokens) ? tokensOf(tokens) : NO_TOKENS,
      stated: isObject(tokens) ? numberIn(tokens, 'total') : undefined,
    },
    cost: numberIn(info, 'cost'),
    ended: endOf(event),
    status: problem?.[0] === 'interrupted' ? 'interrupted' : statusOf(info, calls.length > 0),
    ...(problem !== undefined && { problem }),
  };
}

/** A title that the program gives before it asks a model for one. */
const NO_TITLE = /^(?:New|Child) session - \d{4}-\d\d-\d\dT/;

/** What the program counted for the whole session. It is 0 in an imported session, and missing before version 1.15. */
function statedIn({ tokens, cost }: JsonObject): Readonly<Record<string, string | number | undefined>> {
  if (!isObject(tokens)) return {};
  const cache = objectIn(tokens, 'cache');
  const counts = {
    ...{ input: countIn(tokens, 'input'), output: countIn(tokens, 'output') },
    ...{ cached: countIn(cache, 'read'), cache_write: countIn(cache, 'write') },
    reasoning: countIn(tokens, 'reasoning'),
  };
  const text = tokensText(counts);
  return text === ''
    ? {}
    : { stated_tokens: text, stated_cost_usd: dollars(numberIn({ cost: cost ?? null }, 'cost')) };
}

function headOf(event: JsonObject): Said {
  const info = objectIn(event, 'info');
  const title = textIn(info, 'title');
  return {
    isHead: true,
    isStart: true,
    about: {
      id: textIn(info, 'id'),
      cwd: textIn(info, 'directory'),
      parent: textIn(info, 'parentID'),
      agent: textIn(info, 'agent'),
      reverted_to: textIn(info['revert'], 'messageID'),
      ...statedIn(info),
    },
    version: textIn(info, 'version'),
    title: [title === undefined || NO_TITLE.test(title) ? undefined : title, 0],
    began: timeOf(objectIn(info, 'time')['created']),
    takesBack: textIn(info['revert'], 'messageID'),
    detail: title,
  };
}

/** A head of which only the id is known. */
function beginning(event: JsonObject): Said {
  const id = lostHead(event);
  return id === undefined ? {} : { isHead: true, isStart: true, about: { id } };
}

/** Says that a message, or a part of it, is missing. */
const missingIn = (id: string | undefined, isPart: boolean): Said =>
  id === undefined ? {} : { missing: { id, isPart } };

/** The meaning of a record (opencode.md). */
function said(event: JsonObject): Said {
  switch (typeOf(event)) {
    case 'session':
      return headOf(event);
    case 'message/user':
      return userOf(event);
    case 'message/assistant':
      return answerOf(event);
    case 'parts':
      return {
        ...missingIn(textIn(partsOf(event)[0], 'messageID'), false),
        detail: `${partsOf(event).length} parts without their message`,
      };
    case 'lost':
      return { ...beginning(event), detail: 'the session without its head' };
    default: {
      const damaged = event['damaged'];
      const message = textIn(damaged, 'messageID');
      return {
        ...(lostHead(event) === undefined &&
          missingIn(message ?? textIn(damaged, 'id'), message !== undefined)),
        ...beginning(event),
        isUnread: true,
        detail: excerptOf(textIn(damaged, 'text') ?? ''),
      };
    }
  }
}

export const READING: SessionReading = {
  name: 'opencode',
  members: { id: 'info.id', time: 'info.time.created', session: 'info.sessionID' },
  said,
  writers: new Set(['write', 'edit', 'multiedit', 'apply_patch', 'patch']),
  isSelfContained: true,
  hasOrderedIds: true,
  copiesAreOlder: true,
};
