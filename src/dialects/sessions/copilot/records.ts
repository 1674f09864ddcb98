import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { inputExcerpt } from '../../kit/call-input.ts';
import { firstLine } from '../../kit/excerpt.ts';
import { numberIn, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { type CopyReader, olderCopies } from '../kit/copies-in.ts';
import { type RecordKind, roleOfKind } from '../kit/kinds.ts';
import { endOfResult, lineOfResult, outcomeOfProblem } from '../kit/outcome.ts';
import type { CallRecords } from '../kit/reader.ts';
import { SeenRecords } from '../kit/seen-records.ts';
import { callStatusInWords, type ResultStatus } from '../kit/session.ts';

/** Whether a record has the envelope of this format (copilot.md §1). */
export function isSessionEvent(event: JsonObject): boolean {
  const { type, data, id, timestamp, parentId } = event;
  return (
    typeof type === 'string' &&
    (type.includes('.') || type === 'abort') &&
    isObject(data) &&
    typeof id === 'string' &&
    typeof timestamp === 'string' &&
    (typeof parentId === 'string' || parentId === null)
  );
}

export const dataOf = (event: JsonObject): JsonObject => objectIn(event, 'data');

/** Whether the user typed this. The program sends messages too. */
export function isPrompt(event: JsonObject): boolean {
  return (
    event['type'] === 'user.message' &&
    textIn(event, 'agentId') === undefined &&
    dataOf(event)['source'] === undefined
  );
}

const KIND_OF: ReadonlyMap<string, RecordKind> = new Map([
  ['assistant.message', 'answer'],
  ['assistant.reasoning', 'thinking'],
  ['tool.execution_start', 'call'],
  ['tool.execution_complete', 'result'],
  ['assistant.turn_start', 'turn'],
  ['assistant.turn_end', 'turn'],
  ['session.usage_record', 'usage'],
  ['session.usage_checkpoint', 'usage'],
  ['hook.start', 'hook'],
  ['hook.end', 'hook'],
]);

/** The kind of a record. An answer may only request calls; the calls have records of their own. */
export function kindOf(event: JsonObject): RecordKind {
  // The prompt of a subagent is from another agent.
  if (event['type'] === 'user.message') return dataOf(event)['source'] === undefined ? 'prompt' : 'meta';
  return KIND_OF.get(textIn(event, 'type') ?? '') ?? 'meta';
}

/** The calls in an answer. */
export const requestsOf = (event: JsonObject): JsonObject[] =>
  event['type'] === 'assistant.message' ? objectsIn(dataOf(event), 'toolRequests') : [];

/** The id of a request for a call, which causes the call. Without the suffix it is the id of the call itself. */
export const requestName = (callId: string): string => `${callId}/requested`;

const REFUSED: ReadonlySet<unknown> = new Set(['denied', 'rejected']);

/** The status of a call. It says whether the tool worked, not whether its command did (copilot.md §4). */
export function statusOf(data: JsonObject): ResultStatus {
  if (data['success'] !== false) return 'ok';
  const { code } = objectIn(data, 'error');
  return REFUSED.has(code) ? 'denied' : code === 'interrupted' ? 'interrupted' : 'error';
}

/** The status of a call as it is shown: a call whose command failed has failed. */
export function outcomeOf(data: JsonObject): ResultStatus {
  const status = statusOf(data);
  return status === 'ok' && (exitCodeOf(data) ?? 0) !== 0 ? 'error' : status;
}

/** The last line of a command's output, which the program adds. */
const EXIT_FRAME = /\n?<(?:shellId: \d+ completed|exited) with exit code (-?\d{1,10})>\s*$/;

/** The exit code of a call's command. In older versions it is only in the text. */
export function exitCodeOf(data: JsonObject): number | undefined {
  return numberIn(objectIn(data, 'shellExecution'), 'exitCode') ?? exitCodeInText(data);
}

/** The exit code in the last line of a command's output. */
export function exitCodeInText(data: JsonObject): number | undefined {
  const text = textIn(objectIn(data, 'result'), 'content') ?? '';
  const [, code] = EXIT_FRAME.exec(text) ?? [];
  return code === undefined ? undefined : Number(code);
}

/** The error of a call, else its output without the line that the program adds. */
export function resultText(data: JsonObject): string {
  const output = textIn(objectIn(data, 'result'), 'content') ?? '';
  return textIn(objectIn(data, 'error'), 'message') ?? output.replace(EXIT_FRAME, '');
}

/** The tool of a call, or the model of an answer. */
export function toolOrModel(event: JsonObject): string {
  const data = dataOf(event);
  return (
    textIn(data, 'toolName') ??
    (event['type'] === 'assistant.message' ? textIn(data, 'model') : undefined) ??
    ''
  );
}

const MAIN_MEMBERS = [
  'content',
  'message',
  'summary',
  'reason',
  'newModel',
  'hookType',
  'agentDisplayName',
  'name',
  'shutdownType',
];

/** A short description of a record, with the type of one that is not part of the conversation. */
export function describeEvent(event: JsonObject): string {
  const type = roleOfKind(kindOf(event)) ? '' : (textIn(event, 'type') ?? '');
  return `${type} ${contentOf(event)}`.trim();
}

/** The first line of what a record says. */
function contentOf(event: JsonObject): string {
  const data = dataOf(event);
  const { type } = event;
  if (type === 'tool.execution_start' || type === 'external_tool.requested')
    return firstLine(inputExcerpt(data['arguments']));
  if (type === 'tool.execution_complete') {
    const exitCode = exitCodeOf(data);
    const status = statusOf(data);
    const hasFailed = status === 'ok' && exitCode !== undefined && exitCode !== 0;
    return `${hasFailed ? `exit ${exitCode}` : callStatusInWords(status)} ${lineOfResult(outcomeOf(data), resultText(data))}`.trimEnd();
  }
  if (type === 'assistant.message') {
    const text = firstLine(textIn(data, 'content') ?? '');
    const calls = requestsOf(event).map((request) => textIn(request, 'name') ?? 'tool');
    return text === '' && calls.length > 0 ? `calls ${calls.join(', ')}` : text;
  }
  if (type === 'permission.requested') {
    const request = objectIn(data, 'permissionRequest');
    return `${textIn(request, 'kind') ?? ''} ${firstLine(textIn(request, 'fullCommandText') ?? textIn(request, 'path') ?? '')}`.trim();
  }
  if (type === 'permission.completed') return textIn(objectIn(data, 'result'), 'kind') ?? '';
  if (type === 'session.start')
    return [textIn(data, 'copilotVersion'), textIn(objectIn(data, 'context'), 'cwd')].join(' ');
  for (const key of MAIN_MEMBERS) {
    const text = textIn(data, key);
    if (text !== undefined) return firstLine(text);
  }
  return '';
}

const timeOf = (event: JsonObject): string | undefined => textIn(event, 'timestamp');

/** Recognises events that are in the log again. */
export function againIn(): (event: JsonObject) => boolean {
  const seen = new SeenRecords();
  return (event) => {
    const [id, call] = [textIn(event, 'id'), textIn(dataOf(event), 'toolCallId')];
    return seen.isAgain(id === undefined || call === undefined ? id : `${id} ${call}`, timeOf(event));
  };
}

/** Recognises events that a fork copied: they are older than its start. */
export const copiesIn = (): CopyReader =>
  olderCopies((event) => ({
    isHead: event['type'] === 'session.start',
    began: timeOf(event),
    time: timeOf(event),
  }));

/** The records that start and end calls. */
export const CALL_RECORDS: CallRecords = {
  again: againIn,
  copies: copiesIn,
  time: timeOf,
  callsIn: (event) => {
    if (event['type'] !== 'tool.execution_start') return [];
    const data = dataOf(event);
    const id = textIn(data, 'toolCallId');
    if (id === undefined) return [];
    const input = () => inputExcerpt(data['arguments']);
    return [{ id, tool: toolOrModel(event) || 'tool', input }];
  },
  resultsIn: (event) => {
    if (event['type'] !== 'tool.execution_complete') return [];
    const data = dataOf(event);
    const id = textIn(data, 'toolCallId');
    if (id === undefined) return [];
    return [{ id, ...endOfResult(outcomeOf(data), resultText(data), exitCodeOf(data)) }];
  },
  others: () => (event) => {
    const data = dataOf(event);
    if (event['type'] === 'session.error')
      return {
        name: 'session.error',
        start: timeOf(event),
        status: 'error',
        reason: textIn(data, 'message'),
      };
    if (event['type'] === 'abort')
      return {
        name: 'abort',
        start: timeOf(event),
        status: outcomeOfProblem('interrupted'),
        reason: textIn(data, 'reason'),
      };
    if (event['type'] !== 'session.usage_record') return undefined;
    const usage = objectIn(data, 'usage');
    const took = numberIn(usage, 'duration');
    if (took === undefined) return undefined;
    return {
      name: textIn(usage, 'model') ?? 'model',
      end: timeOf(event),
      durationMs: took,
    };
  },
};
