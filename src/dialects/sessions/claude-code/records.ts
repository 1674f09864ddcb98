import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { inputExcerpt } from '../../kit/call-input.ts';
import { listIn, messageText, numberIn, objectIn, textIn, textsOf } from '../../kit/members.ts';
import type { RecordKind } from '../kit/kinds.ts';
import { endOfResult, outcomeOfProblem } from '../kit/outcome.ts';
import type { CallRecords, LinkOf } from '../kit/reader.ts';
import { SeenRecords } from '../kit/seen-records.ts';
import type { ResultStatus } from '../kit/session.ts';
import { whyIncomplete } from '../kit/stop-reason.ts';
import { type TaskNotification, taskNotificationIn } from '../kit/task-notification.ts';
import { SaidTexts } from './said-texts.ts';
import { IS_CHAIN, KNOWN_TYPES } from './vocabulary.ts';

/** Texts that the program sends in the name of the user (claude-code.md §5). */
const NOT_TYPED =
  /^\s*(?:<(?:command-name|command-message|local-command-[\w-]*|bash-input|bash-stdout|task-notification|system-reminder|ci-monitor-event)>|Caveat:|\[Request interrupted)/;

const INTERRUPTED = /^\s*\[Request interrupted by user/;
/** Such a text if a call of a tool was refused or stopped. */
const DURING_CALL = /^\s*\[Request interrupted by user for tool use/;

/** Whether a record has the envelope of this format (claude-code.md §1). */
export function isTranscriptRecord(event: JsonObject): boolean {
  const { type, uuid, sessionId, message } = event;
  if (typeof uuid === 'string' && 'parentUuid' in event && typeof sessionId === 'string') {
    if (type === 'user' || type === 'assistant') return isObject(message) && 'content' in message;
    return typeof type === 'string' && 'isSidechain' in event;
  }
  if (type === 'summary')
    return typeof event['summary'] === 'string' && typeof event['leafUuid'] === 'string';
  if (type === 'file-history-snapshot')
    return typeof event['messageId'] === 'string' && isObject(event['snapshot']);
  return (
    type === 'queue-operation' && typeof event['operation'] === 'string' && typeof sessionId === 'string'
  );
}

/** Whether a record may be the first of a session. Includes types that are too common to identify the format. */
export function mayBeTranscript(event: JsonObject): boolean {
  const { type, sessionId } = event;
  return isTranscriptRecord(event) || (KNOWN_TYPES.has(type) && typeof sessionId === 'string');
}

/** The type as `--type` matches it: `user`, `system/turn_duration`, `attachment/hook_success`. */
export function typeOf(event: JsonObject): string | undefined {
  const { type } = event;
  if (typeof type !== 'string') return undefined;
  const detail =
    type === 'system'
      ? textIn(event, 'subtype')
      : type === 'attachment'
        ? textIn(objectIn(event, 'attachment'), 'type')
        : type === 'progress'
          ? textIn(objectIn(event, 'data'), 'type')
          : undefined;
  return detail === undefined ? type : `${type}/${detail}`;
}

/** The blocks of a message; none for a plain text. */
export function blocksOf(event: JsonObject): readonly JsonObject[] {
  const list = listIn(event['message'], 'content');
  if (list !== lastList) {
    lastList = list;
    lastBlocks = list.filter(isObject);
  }
  return lastBlocks;
}

/** The blocks of the last record, because most functions here ask for them. */
let lastList: readonly JsonValue[] = [];
let lastBlocks: readonly JsonObject[] = [];

/** The text of a message. */
export function textOfMessage(event: JsonObject): string {
  const { content } = objectIn(event, 'message');
  if (typeof content === 'string') return content;
  const list = blocksOf(event);
  if (list !== lastSaid) [lastSaid, lastText] = [list, messageText(content)];
  return lastText;
}

let lastSaid: readonly JsonObject[] = [];
let lastText = '';

/** The model's thinking, unless it is encrypted. */
export const thinkingIn = (event: JsonObject): string => textsOf(ofKind(event, 'thinking'), 'thinking');

const NO_BLOCKS: readonly JsonObject[] = [];

function ofKind(event: JsonObject, kind: string): readonly JsonObject[] {
  const blocks = blocksOf(event);
  const [first] = blocks;
  // Nearly every message has one block.
  if (blocks.length <= 1) return first?.['type'] === kind ? blocks : NO_BLOCKS;
  return blocks.filter(({ type }) => type === kind);
}

/** The blocks that call tools, and those that are their results, by the type of their records. */
export const TOOL_BLOCK = { assistant: 'tool_use', user: 'tool_result' } as const;

const toolBlocks = (event: JsonObject, type: keyof typeof TOOL_BLOCK): readonly JsonObject[] =>
  event['type'] === type ? ofKind(event, TOOL_BLOCK[type]) : NO_BLOCKS;

/** The blocks of a record that call tools. */
export const callBlocks = (event: JsonObject): readonly JsonObject[] => toolBlocks(event, 'assistant');

/** The blocks of a record that are results of tools. */
export const resultBlocks = (event: JsonObject): readonly JsonObject[] => toolBlocks(event, 'user');

/** A name for a record without an id, which is not the id of another record. */
function afterParent(event: JsonObject): string | undefined {
  const parent = textIn(event, 'parentUuid');
  return parent === undefined ? undefined : `after ${parent}`;
}

/** An id that a record has again if it is written again. A shortened result has only the id of its parent. */
export const seenAs = (event: JsonObject): string | undefined =>
  textIn(event, 'uuid') ?? (IS_CHAIN.has(event['type']) ? afterParent(event) : undefined);

/** What a shortened copy of a result is seen as. */
export const seenShortenedAs = (event: JsonObject): string | undefined =>
  resultBlocks(event).length > 0 ? afterParent(event) : undefined;

/** Whether the user interrupted the answer with this record. */
export const isInterruption = (event: JsonObject): boolean =>
  event['type'] === 'user' && resultBlocks(event).length === 0 && INTERRUPTED.test(textOfMessage(event));

/** Whether the user typed this. Results, and texts that the program sends in the user's name, are not prompts. */
export function isPrompt(event: JsonObject): boolean {
  const { type, isMeta, isCompactSummary } = event;
  if (type !== 'user' || isMeta === true || isCompactSummary === true) return false;
  if (resultBlocks(event).length > 0) return false;
  const text = textOfMessage(event);
  return text.trim() === '' ? ofKind(event, 'image').length > 0 : !NOT_TYPED.test(text);
}

/** The model of answers that the program makes up. */
export const NO_MODEL = '<synthetic>';

/** Whether the program made up this answer because there was none, for example after it was killed. */
export const isStopgap = (event: JsonObject): boolean =>
  event['type'] === 'assistant' &&
  event['isApiErrorMessage'] !== true &&
  objectIn(event, 'message')['model'] === NO_MODEL;

/**
 * The notification in a record: a message of the user, an entry of the queue, or text next to a prompt (claude-code.md
 * §6).
 */
export function notificationIn(event: JsonObject): TaskNotification | undefined {
  const { type } = event;
  return taskNotificationIn(
    type === 'user'
      ? textOfMessage(event)
      : (textIn(event, 'content') ?? textIn(objectIn(event, 'attachment'), 'prompt') ?? ''),
  );
}

export function kindOf(event: JsonObject): RecordKind {
  const { type } = event;
  if (type === 'assistant') {
    const blocks = blocksOf(event);
    if (blocks.some(({ type }) => type === 'tool_use' || type === 'server_tool_use')) return 'call';
    const isThought = ({ type }: JsonObject) => type === 'thinking' || type === 'redacted_thinking';
    return blocks.length > 0 && blocks.every(isThought) ? 'thinking' : 'answer';
  }
  if (type === 'user') return resultBlocks(event).length > 0 ? 'result' : isPrompt(event) ? 'prompt' : 'meta';
  return /hook/.test(typeOf(event) ?? '') ? 'hook' : 'meta';
}

/** The text of a result without the marks that the program puts around its own errors. */
export const withoutMarks = (text: string): string =>
  text.replace(/^\s*<tool_use_error>([\s\S]*)<\/tool_use_error>\s*$/, '$1');

export const resultText = (block: JsonObject): string => withoutMarks(messageText(block['content']));

/** The beginnings of results of refused calls in versions that do not store the kind of denial. */
const NOT_ALLOWED =
  /^(?:The user doesn't want to proceed|This command requires approval|Claude requested permissions|Permission to use )/;

/** The beginning of such a result if the user refused. */
const REFUSED = /^The user doesn't want to proceed/;

/** The status of a call, from its result. */
export function statusOfResult(event: JsonObject, block: JsonObject): ResultStatus {
  if (block['is_error'] === true) {
    const denial = textIn(event, 'toolDenialKind');
    if (denial === 'interrupted') return 'interrupted';
    return denial !== undefined || NOT_ALLOWED.test(resultText(block)) ? 'denied' : 'error';
  }
  return objectIn(event, 'toolUseResult')['interrupted'] === true ? 'interrupted' : 'ok';
}

/** Whether the user refused a call. A rule refuses without waiting. */
export function wasRefused(event: JsonObject, block: JsonObject): boolean {
  const denial = textIn(event, 'toolDenialKind');
  return denial === undefined ? REFUSED.test(resultText(block)) : denial === 'user-rejected';
}

/** The message of a failed request; undefined for other records. */
export function apiErrorIn(event: JsonObject): string | undefined {
  if (event['isApiErrorMessage'] === true) return textOfMessage(event);
  if (event['type'] !== 'system' || event['subtype'] !== 'api_error') return undefined;
  const error = objectIn(event, 'error');
  return textIn(error, 'formatted') ?? textIn(error, 'message') ?? 'no message';
}

/** The exit code in an error text. It is not stored elsewhere (claude-code.md §5). */
export function exitCodeIn(text: string): number | undefined {
  const [, code] = /^(?:Error: )?Exit code (\d{1,3})\b/m.exec(text.slice(0, 10_000)) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** Reads the ids that `--resume` follows (claude-code.md §3). */
export const linkOf: LinkOf = (event) => {
  const { type, isSidechain } = event;
  const id = textIn(event, 'uuid');
  if (id === undefined || !IS_CHAIN.has(type)) return undefined;
  return {
    id,
    parent: textIn(event, 'parentUuid'),
    isPrompt: isPrompt(event),
    isAside: type === 'progress' || isSidechain === true,
    isNewStart: type === 'system',
  };
};

/** Why the answer that a record belongs to is incomplete; undefined if it is complete or goes on with calls. */
export const incompleteIn = (event: JsonObject): string | undefined =>
  event['type'] === 'assistant' && callBlocks(event).length === 0
    ? whyIncomplete(objectIn(event, 'message')['stop_reason'])
    : undefined;

const timeOf = (event: JsonObject): string | undefined => textIn(event, 'timestamp');

/** Returns the session from which a record was copied; undefined if it was not. */
export type OriginOf = (event: JsonObject) => string | undefined;

/** The session from which a record says that it was copied. `/branch` and the SDK write it into each copy. */
export const markedOrigin: OriginOf = (event) => textIn(objectIn(event, 'forkedFrom'), 'sessionId');

/** The records that start and end calls. */
export const callRecords = (originOf: OriginOf = markedOrigin): CallRecords => ({
  again: () => {
    const seen = new SeenRecords();
    return (event) => seen.isAgain(seenAs(event), timeOf(event));
  },
  copies: () => (event) => (originOf(event) === undefined ? undefined : 'original'),
  time: timeOf,
  callsIn: (event) =>
    callBlocks(event).flatMap((block) => {
      const [id, tool] = [textIn(block, 'id'), textIn(block, 'name')];
      return id === undefined
        ? []
        : [{ id, tool: tool ?? 'tool', input: () => inputExcerpt(block['input']) }];
    }),
  resultsIn: (event) =>
    resultBlocks(event).flatMap((block) => {
      const id = textIn(block, 'tool_use_id');
      if (id === undefined) return [];
      const text = resultText(block);
      return [{ id, ...endOfResult(statusOfResult(event, block), text, exitCodeIn(text)) }];
    }),
  others: () => {
    const said = new SaidTexts();
    return (event) => {
      const start = timeOf(event);
      const error = apiErrorIn(event);
      const reason = error ?? (isInterruption(event) ? textOfMessage(event) : incompleteIn(event));
      if (reason === undefined) {
        const took = numberIn(objectIn(event, 'attachment'), 'durationMs');
        return took === undefined ? undefined : { name: typeOf(event) ?? '', end: start, durationMs: took };
      }
      const name = error === undefined ? 'interrupted' : 'API error';
      if (said.isAgain(name, reason, start)) return undefined;
      if (error !== undefined) return { name, start, status: 'error', reason };
      // The result of the call already says so.
      const isEcho = DURING_CALL.test(reason) && { isEcho: true as const };
      return { name, start, status: outcomeOfProblem('interrupted'), reason, ...isEcho };
    };
  },
});
