import { parseExactJson } from '../../../base/json/parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { textOf, writeJson } from '../../../base/json/write.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { inputText } from '../../kit/call-input.ts';
import { excerptOf } from '../../kit/excerpt.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import type { RecordKind } from '../kit/kinds.ts';
import { endOfResult } from '../kit/outcome.ts';
import type { CallRecords } from '../kit/reader.ts';
import type { ResultStatus } from '../kit/session.ts';
import { filesOfPatch } from './patches.ts';
import { CALLS, HOSTED, IS_LINE_TYPE, OUTPUTS, TURN_ENDS, TURN_STARTS } from './vocabulary.ts';

const ENVELOPE: ReadonlySet<string> = new Set(['timestamp', 'type', 'payload', 'ordinal', 'metadata']);
const BARE_HEAD: ReadonlySet<string> = new Set(['id', 'timestamp', 'instructions', 'git']);

const hasOnly = (event: JsonObject, keys: ReadonlySet<string>): boolean =>
  Object.keys(event).every((key) => keys.has(key));

/** Whether a record has the envelope of this format (codex.md §1). */
export function isRolloutLine(event: JsonObject): boolean {
  const { type, payload, timestamp } = event;
  if (!IS_LINE_TYPE.has(type) || !isObject(payload) || !hasOnly(event, ENVELOPE)) return false;
  if (typeof timestamp !== 'string' || parseInstant(timestamp) === undefined) return false;
  return (type !== 'event_msg' && type !== 'response_item') || typeof payload['type'] === 'string';
}

/** Whether a record is the first of a rollout in the old form, which has no envelope. */
export const isBareHead = (event: JsonObject): boolean =>
  typeof event['id'] === 'string' &&
  typeof event['timestamp'] === 'string' &&
  'instructions' in event &&
  hasOnly(event, BARE_HEAD);

/** A record of either form. */
export interface Item {
  /** `response_item`, `event_msg` and so on; `head` and `state` for records without an envelope. */
  readonly type: string;
  /** The kind of item or event. */
  readonly kind: string | undefined;
  readonly payload: JsonObject;
}

/** The content of a record (codex.md §2, §3). */
export function itemOf(event: JsonObject): Item {
  const { type, payload } = event;
  if (isObject(payload))
    return { type: typeof type === 'string' ? type : '', kind: textIn(payload, 'type'), payload };
  if ('record_type' in event)
    return { type: textIn(event, 'record_type') ?? '', kind: undefined, payload: event };
  if (typeof type === 'string') return { type: 'response_item', kind: type, payload: event };
  return { type: isBareHead(event) ? 'head' : '', kind: undefined, payload: event };
}

/** The type as `--type` matches it: `response_item/function_call`, `session_meta`. */
export function typeOf(event: JsonObject): string | undefined {
  const { type, kind } = itemOf(event);
  if (type === '') return undefined;
  return kind === undefined || (type !== 'response_item' && type !== 'event_msg') ? type : `${type}/${kind}`;
}

/** The turn of a record, if it names one. */
export function turnOf({ payload }: Item): string | undefined {
  return (
    textIn(payload, 'turn_id') ??
    textIn(objectIn(payload, 'internal_chat_message_metadata_passthrough'), 'turn_id')
  );
}

export const isCall = ({ type, kind }: Item): boolean => type === 'response_item' && CALLS.has(kind);
export const isHosted = ({ type, kind }: Item): boolean => type === 'response_item' && HOSTED.has(kind);
export const isOutput = ({ type, kind }: Item): boolean => type === 'response_item' && OUTPUTS.has(kind);
export const isTurnStart = ({ type, kind }: Item): boolean => type === 'event_msg' && TURN_STARTS.has(kind);
export const isTurnEnd = ({ type, kind }: Item): boolean => type === 'event_msg' && TURN_ENDS.has(kind);

/** The thread of the subagent that a call started, in the output of the call. */
export const startedIn = (item: Item): string | undefined =>
  isOutput(item) ? textIn(parsedText(outputText(item)), 'agent_id') : undefined;

/** Whether it says that a request of the agent failed, or the program itself. */
export const isError = ({ type, kind }: Item): boolean => type === 'event_msg' && kind === 'error';

/** Why a turn failed, if its end says so. */
export const errorOfTurn = ({ payload }: Item): string | undefined =>
  textIn(objectIn(payload, 'error'), 'message');

/** What is known of a failed turn whose end does not say why. */
export const NO_ANSWER = 'the turn ended without an answer';

/** Whether the model made it. Older versions write the events first. */
export const isOutputOfModel = (item: Item): boolean =>
  isCall(item) ||
  isHosted(item) ||
  (item.type === 'event_msg'
    ? item.kind === 'agent_message' || item.kind === 'agent_reasoning'
    : item.type === 'response_item' &&
      (item.kind === 'reasoning' || (item.kind === 'message' && item.payload['role'] === 'assistant')));

/** The id that links a call and its result. */
export const callIdOf = ({ payload }: Item): string | undefined => textIn(payload, 'call_id');

/** The tool of a call. */
export function toolOf({ kind, payload }: Item): string {
  return textIn(payload, 'name') ?? `${kind}`.replace(/_call$/, '');
}

/** Parses a text that may be JSON. */
export function parsedText(text: string | undefined): JsonValue | undefined {
  if (text === undefined || !/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** The whole arguments of a call, as stored. Unlike {@link inputOf}, keeps the digits of long numbers. */
export function givenOf({ payload }: Item): JsonValue | undefined {
  const given = textIn(payload, 'arguments') ?? textIn(payload, 'input');
  if (parsedText(given) === undefined) return given ?? payload['action'] ?? payload['arguments'];
  return parseExactJson(given ?? '');
}

/** A patch with the files that it changes in its first line, because commands show the first line of an input. */
function patchText(patch: string): string {
  const files = filesOfPatch(patch.slice(0, 100_000));
  return files.length === 0 ? patch : `${[...new Set(files)].join(', ')}\n${patch}`;
}

/** The arguments of a call. They are JSON in a string (codex.md §4). */
export function inputOf({ payload }: Item): string {
  const given = textIn(payload, 'arguments') ?? textIn(payload, 'input');
  const input = parsedText(given) ?? given ?? payload['action'] ?? payload['arguments'];
  if (!isObject(input)) {
    const text = inputText(input);
    return text.startsWith('*** Begin Patch') ? patchText(text) : text;
  }
  const { command, cmd } = input;
  const words = Array.isArray(command) ? command : Array.isArray(cmd) ? cmd : undefined;
  // For a shell that runs a script, show only the script.
  if (words !== undefined && words.length === 3 && /^-\w*c$/.test(textOf(words[1]))) return textOf(words[2]);
  return inputText(input);
}

/** The text of a call's output. */
function outputText({ payload }: Item): string {
  const { output } = payload;
  const text = messageText(isObject(output) ? output['content'] : output);
  if (text !== '') return text;
  return output === undefined || output === '' || Array.isArray(output) ? '' : writeJson(output);
}

/** The beginnings of an output if the program did not run the call. */
const NOT_RUN =
  /^(?:unsupported (?:custom tool )?call: |failed to parse function arguments: |exec_command failed\b|apply_patch verification failed: )/;

/** What the output of a call is if a person did not allow it. */
const BY_PERSON = /^(?:exec command|patch) rejected by user\s*$/;
/** The beginning of an output if a person, a rule or a reviewing model did not allow the call. */
const REJECTED = /^(?:exec_command failed\b[\s\S]{0,4000}?Rejected\(|This action was rejected\b)/;
/** The end of such an output if it was a person. */
const REJECTED_BY_PERSON = /rejected by user\b.{0,20}$/;

/** Whether the record of the end of a call says that the call was not allowed. */
export const isDeclined = (end: JsonObject): boolean => end['status'] === 'declined';

export interface Outcome {
  readonly exitCode?: number;
  readonly status: ResultStatus;
  readonly text: string;
  /** A person refused the call, so the program waited for that. */
  readonly byPerson?: true;
}

/** The status of a call, as far as its output shows (codex.md §4). */
export function outcomeOf(item: Item): Outcome {
  const text = outputText(item);
  if (lastOutcome === undefined || text !== lastOutput)
    [lastOutput, lastOutcome] = [text, outcomeOfText(text)];
  return lastOutcome;
}

/** The last output, because a session and its spans both ask for the outcome. */
let lastOutput = '';
let lastOutcome: Outcome | undefined;

/** Like {@link outcomeOf}, from the text of an output. */
export function outcomeOfText(text: string): Outcome {
  const output = parsedText(text);
  const inJson = numberIn(objectIn(output, 'metadata'), 'exit_code');
  const [, inText] =
    /^(?:Process exited with code|Exit code:) (-?\d{1,10})\b/m.exec(text.slice(0, 2000)) ?? [];
  const exitCode = inJson ?? (inText === undefined ? undefined : Number(inText));
  const said = inJson === undefined ? text : (textIn(output, 'output') ?? '');
  const status = statusOf(said, text, exitCode);
  const byPerson = status === 'denied' && REJECTED_BY_PERSON.test(said.trimEnd());
  return {
    ...(exitCode !== undefined && { exitCode }),
    status,
    text: said,
    ...(byPerson && { byPerson }),
  };
}

function statusOf(said: string, text: string, exitCode: number | undefined): ResultStatus {
  if (BY_PERSON.test(said)) return 'denied';
  if (/^(?:Wall time: [^\n]*\n)?aborted by user/.test(text)) return 'interrupted';
  if (REJECTED.test(text)) return 'denied';
  return (exitCode ?? 0) !== 0 || NOT_RUN.test(text) ? 'error' : 'ok';
}

const FRAME_END = 'Output:\n';
/** What the program writes before `Output:`, which is missing if the user stopped the command. */
const FRAME_LINES =
  /^(?:(?:(?:Chunk ID|Wall time|Exit code|Original token count|Total output lines): [^\n]*|Process (?:exited with code|running with session ID) [^\n]*)(?:\n+|$))+/;
/** What it writes before an output that it shortened. */
const SHORTENED = /^Total output lines: \d+\n+/;

/** The output of a shell without the lines that the program adds before it. */
export function withoutFrame(text: string): string {
  const at = `\n${text}`.indexOf(`\n${FRAME_END}`);
  return at === -1 ? text.replace(FRAME_LINES, '') : text.slice(at + FRAME_END.length).replace(SHORTENED, '');
}

/** The model's thinking, unless it is encrypted. */
export const thinkingOf = ({ payload }: Item): string =>
  textsOf([...objectsIn(payload, 'summary'), ...objectsIn(payload, 'content')], 'text');

/** Texts that the program sends in the name of the user (codex.md §4). */
const NOT_TYPED =
  /^\s*(?:<environment_context|<user_instructions|# AGENTS\.md|<turn_aborted|<subagent_notification|<recommended_plugins|<INSTRUCTIONS|<skill|<permissions)/;

/** Whether the program sends this text in the name of the user. */
export const isContext = (text: string): boolean => NOT_TYPED.test(text);

/** The user's prompt in a conversation item; undefined for other items. */
export function promptInItem({ type, kind, payload }: Item): string | undefined {
  if (type !== 'response_item' || kind !== 'message' || payload['role'] !== 'user') return undefined;
  const kinds = objectIn(payload, 'internal_chat_message_metadata_passthrough')['content_item_kinds'];
  if (Array.isArray(kinds) && kinds.length > 0 && !kinds.includes('user.text')) return undefined;
  const text = messageText(payload['content']);
  return text === '' || isContext(text) ? undefined : text;
}

/** The user's prompt in an event that repeats an item. */
export function promptInEvent({ type, kind, payload }: Item): string | undefined {
  if (type !== 'event_msg') return undefined;
  if (kind === 'user_message') return textIn(payload, 'message');
  const item = objectIn(payload, 'item');
  return kind === 'item_completed' && item['type'] === 'UserMessage'
    ? messageText(item['content'])
    : undefined;
}

export function kindOf(event: JsonObject): RecordKind {
  const item = itemOf(event);
  const { type, kind, payload } = item;
  if (isCall(item) || isHosted(item)) return 'call';
  if (isOutput(item)) return 'result';
  if (isTurnStart(item) || isTurnEnd(item)) return 'turn';
  if (type === 'token_usage_record' || kind === 'token_count') return 'usage';
  if (type === 'response_item') {
    if (kind === 'reasoning') return 'thinking';
    if (kind !== 'message') return kind === 'agent_message' ? 'answer' : 'meta';
    if (payload['role'] === 'assistant') return 'answer';
    return promptInItem(item) === undefined ? 'meta' : 'prompt';
  }
  const isDouble = /^(?:user_message|agent_message|agent_reasoning|item_completed|exec_command_end)$/.test(
    kind ?? '',
  );
  return type === 'event_msg' && isDouble ? 'double' : 'meta';
}

/**
 * The duration of a command in milliseconds, from the record of its end. Newer versions write the few microseconds that
 * they needed for the record. No process ends in less than a millisecond, so such a duration is ignored.
 */
export function durationIn(output: JsonObject): number | undefined {
  const [secs, nanos = 0] = [numberIn(output['duration'], 'secs'), numberIn(output['duration'], 'nanos')];
  const ms = secs === undefined ? 0 : secs * 1000 + nanos / 1e6;
  return ms < 1 ? undefined : ms;
}

/** A finished command and its duration. */
function endedIn({ kind, payload }: Item): ReturnType<NonNullable<CallRecords['endedIn']>> {
  const output = kind === 'item_completed' ? objectIn(payload, 'item') : payload;
  const isCommand = kind === 'exec_command_end' || output['type'] === 'CommandExecution';
  const [id, durationMs] = [textIn(output, kind === 'item_completed' ? 'id' : 'call_id'), durationIn(output)];
  return isCommand && id !== undefined && durationMs !== undefined ? { id, durationMs } : undefined;
}

const timeOf = (event: JsonObject): string | undefined => textIn(event, 'timestamp');

/** The records that start and end calls. */
export const CALL_RECORDS: CallRecords = {
  time: timeOf,
  callsIn: (event) => {
    const item = itemOf(event);
    const id = callIdOf(item);
    return isCall(item) && id !== undefined
      ? [{ id, tool: toolOf(item), input: () => excerptOf(inputOf(item)) }]
      : [];
  },
  resultsIn: (event) => {
    const item = itemOf(event);
    const id = callIdOf(item);
    if (!isOutput(item) || id === undefined) return [];
    const { status, text, exitCode } = outcomeOf(item);
    return [{ id, ...endOfResult(status, withoutFrame(text), exitCode) }];
  },
  endedIn: (event) => endedIn(itemOf(event)),
};
