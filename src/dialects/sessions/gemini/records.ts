import type { JsonPath } from '../../../base/json/path.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { shownDiff, shownTexts } from '../../kit/file-change.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import { countIn, NO_TOKENS, tokensIn } from '../../kit/tokens.ts';
import { endOfCancelled } from '../kit/cancelled-call.ts';
import type { Said, SaidCall, SaidResult, SaidUsage, SessionReading } from '../kit/format.ts';
import type { ResultStatus } from '../kit/session.ts';

/** The types of answers. Old documents of Qwen Code have `qwen`. */
export const ANSWERS: ReadonlySet<unknown> = new Set(['gemini', 'qwen']);

/** The types of messages. */
export const TYPES: readonly unknown[] = ['user', ...ANSWERS, 'info', 'error', 'warning'];

/** The known keys of `$set` (gemini.md §3). */
export const KEYS = ['lastUpdated', 'summary', 'directories', 'memoryScratchpad', 'sessionId'];

/** Whether a record that is not a change is a header. */
export const isHeader = (event: JsonObject): boolean => !('type' in event || 'content' in event);

/** The type as `--type` matches it: `header`, `message/user`, `$set.messages`. */
export function typeOf(event: JsonObject): string | undefined {
  if ('$rewindTo' in event) return '$rewindTo';
  const { $set: set } = event;
  if (isObject(set)) {
    const key = Object.keys(set).find((key) => !KEYS.includes(key));
    return key === undefined ? '$set' : `$set.${key}`;
  }
  const type = textIn(event, 'type');
  return isHeader(event) ? 'header' : type && `message/${type}`;
}

const STATUSES: ReadonlyMap<unknown, ResultStatus> = new Map([
  ['success', 'ok'],
  ['error', 'error'],
  ['cancelled', 'interrupted'],
]);

/** The text of a `functionResponse`. */
function responseOf(response: JsonObject): string {
  const given = objectIn(response, 'response');
  return textIn(given, 'error') ?? textIn(given, 'output') ?? '';
}

/** What the report of a shell command says about it. Without a code, the command succeeded. */
const EXIT_CODE =
  /\nExit Code: (\d{1,10})(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*(?:\n<\/untrusted_context>)?\s*$/;

function exitCodeIn(call: JsonObject, text: string): number | undefined {
  const [, code] = (call['name'] === 'run_shell_command' && EXIT_CODE.exec(text.slice(-500))) || [];
  return code === undefined ? undefined : Number(code);
}

const isCancelled = (call: JsonObject): boolean => call['status'] === 'cancelled';

/** A cancelled call is first written when it is cancelled, so nothing says when it began. `began`: the time of the answer. */
const isLate = (call: JsonObject, began: string | undefined): boolean =>
  isCancelled(call) && textIn(call, 'timestamp') === began;

/** `began`: the time of the answer. */
function resultOf(call: JsonObject, began: string | undefined, path: JsonPath): SaidResult[] {
  const status = STATUSES.get(call['status']);
  const texts = objectsIn(call, 'result').map((part) => responseOf(objectIn(part, 'functionResponse')));
  const [id, ended, text] = [textIn(call, 'id'), textIn(call, 'timestamp'), texts.join('\n')];
  const time = isLate(call, began) ? undefined : ended;
  if (status === undefined) return [];
  const exitCode = exitCodeIn(call, text);
  // The program stores that its tool succeeded, also if the command that it ran failed.
  const hasFailed = status === 'ok' && (exitCode ?? 0) !== 0;
  const end = isCancelled(call) ? endOfCancelled(text) : { status: hasFailed ? 'error' : status };
  const diff = shownDiff(call['resultDisplay']);
  const files = shownTexts(call['resultDisplay']);
  return [{ id, ...end, text, time, path, exitCode, diff, files }];
}

/** The input includes cached tokens, and the output excludes thoughts (gemini.md §3). */
function usageOf(event: JsonObject): SaidUsage {
  const { tokens } = event;
  const model = textIn(event, 'model');
  if (!isObject(tokens)) return { model, tokens: NO_TOKENS };
  const counts = tokensIn(tokens, { reasoning: 'thoughts' });
  const input = Math.max(0, counts.input + countIn(tokens, 'tool') - counts.cached);
  const output = counts.output + counts.reasoning;
  const [stated, prompt] = [numberIn(tokens, 'total'), numberIn(tokens, 'input')];
  return { model, tokens: { ...counts, input, output }, stated, prompt };
}

const callOf = (call: JsonObject, path: JsonPath): SaidCall => ({
  id: textIn(call, 'id'),
  tool: textIn(call, 'name') ?? 'tool',
  input: call['args'],
  path,
});

/** The calls of an answer: with their results, and those that are parts of its content, whose results are in the next message. */
function callsOf(event: JsonObject): SaidCall[] {
  const calls = objectsIn(event, 'toolCalls').map((call, index) => ({
    ...callOf(call, ['toolCalls', index, 'id']),
    isLate: isLate(call, textIn(event, 'timestamp')),
  }));
  const known = new Set(calls.map(({ id }) => id));
  const asked = objectsIn(event, 'content').flatMap((part, index) => {
    const call = part['functionCall'];
    return isObject(call) ? callOf(call, ['content', index, 'functionCall', 'id']) : [];
  });
  return [...calls, ...asked.filter(({ id }) => id === undefined || !known.has(id))];
}

function answerOf(event: JsonObject): Said {
  const toolCalls = objectsIn(event, 'toolCalls');
  const calls = callsOf(event);
  const results = toolCalls.flatMap((call, index) =>
    resultOf(call, textIn(event, 'timestamp'), ['toolCalls', index, 'id']),
  );
  return {
    thinking: textsOf(objectsIn(event, 'thoughts'), 'description'),
    answer: messageText(event['content']),
    calls,
    results,
    agents: toolCalls.map((call) => ({ id: textIn(call, 'agentId'), name: textIn(call, 'name') })),
    usage: usageOf(event),
    status: toolCalls.some(isCancelled) ? 'interrupted' : calls.length > 0 ? 'open' : 'done',
  };
}

/** Commands, and texts that the program added. They are not prompts. */
export const NO_PROMPT = /^(?:[/?]|<(?:session|hook)_context>)/;

function userOf(event: JsonObject): Said {
  const results = objectsIn(event, 'content').flatMap((part, index): SaidResult[] => {
    const response = part['functionResponse'];
    if (!isObject(response)) return [];
    const [id, tool] = [textIn(response, 'id'), textIn(response, 'name')];
    const path = ['content', index, 'functionResponse', 'id'];
    const status = 'error' in objectIn(response, 'response') ? 'error' : 'ok';
    const text = responseOf(response);
    const exitCode = exitCodeIn(response, text);
    const hasFailed = status === 'ok' && (exitCode ?? 0) !== 0;
    return [{ id, tool, status: hasFailed ? 'error' : status, text, exitCode, mayRepeat: true, path }];
  });
  const text = messageText(event['content']);
  if (results.length > 0) return { results };
  return NO_PROMPT.test(text) ? { detail: text } : { prompt: text, status: 'open' };
}

function remarkOf(event: JsonObject): Said {
  const [type, text] = [event['type'], messageText(event['content'])];
  if (type === 'error') return { problem: [type, text], status: 'error' };
  if (text === 'Request cancelled.') return { problem: ['interrupted', text], status: 'interrupted' };
  return { detail: text, ...(text !== '' && { note: [textIn(event, 'type') ?? 'message', text] }) };
}

/** Facts about the session, in its header or in a change. */
function factsOf(facts: JsonObject): Said {
  const summary = textIn(facts, 'summary');
  const about = { id: textIn(facts, 'sessionId'), kind: textIn(facts, 'kind') };
  return { about, title: [summary, 0], detail: summary };
}

/** The meaning of a record (gemini.md §3). */
function said(event: JsonObject): Said {
  const { type, $set: set, $rewindTo: to } = event;
  if (typeof to === 'string') return { rewindsTo: to, detail: to };
  if (isObject(set)) {
    if (!Array.isArray(set['messages'])) return factsOf(set);
    const replaces = objectsIn(set, 'messages').flatMap((message) => textIn(message, 'id') ?? []);
    return { ...factsOf(set), replaces, detail: `${replaces.length} messages` };
  }
  if (isHeader(event))
    return { ...factsOf(event), isHead: true, isStart: true, began: textIn(event, 'startTime') };
  if (ANSWERS.has(type)) return answerOf(event);
  return type === 'user' ? userOf(event) : remarkOf(event);
}

export const READING: SessionReading = {
  name: 'gemini',
  members: { id: 'id', time: 'timestamp', session: 'sessionId' },
  said,
  writers: new Set(['write_file', 'replace']),
  isEdited: true,
};
