import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { writeJson } from '../../base/json/write.ts';
import { firstLine } from '../kit/excerpt.ts';
import { textIn } from '../kit/members.ts';

const BAD_LEVEL = /^(?:err|error|fatal|crit|critical|alert|emerg|emergency|panic)$/i;
const BAD_OUTCOME = /^(?:err|error|errored|failed|failure|fatal|crashed|timeout|timed_out|aborted)$/i;
/**
 * Types that end in such a word or begin with one: `on_tool_error`, `task.failed`, `error.raised`, but not `error_rate`.
 */
const FAILED_TYPE =
  /(?:^|[^a-z])(?:errors?|errored|failed|failure|exception|fatal|panic|crash|crashed|aborted|timed?_?out)$|^(?:error|exception|failure)[.:/]/;
/** The levels `error` and `fatal` in pino and bunyan. */
const ERROR_LEVELS: ReadonlySet<JsonValue | undefined> = new Set([50, 60]);
const SERVER_ERROR = 500;

/** Reads a member: the message of a failure, empty if the failure has no message, undefined if there is none. */
type Reading = (value: JsonValue | undefined) => string | undefined;

const error: Reading = (value) => {
  if (value === true) return '';
  if (typeof value === 'string') return value.trim() === '' ? undefined : firstLine(value);
  if (!isObject(value)) return undefined;
  const said = textIn(value, 'message') ?? textIn(value, 'text') ?? textIn(value, 'type');
  if (said !== undefined) return firstLine(said);
  return Object.keys(value).length === 0 ? undefined : firstLine(writeJson(value));
};
const level: Reading = (value) => {
  const isBad = typeof value === 'string' ? BAD_LEVEL.test(value) : ERROR_LEVELS.has(value);
  return isBad ? '' : undefined;
};
const http: Reading = (value) =>
  typeof value === 'number' && value >= SERVER_ERROR && value < SERVER_ERROR + 100
    ? `status ${value}`
    : undefined;
const outcome: Reading = (value) => (typeof value === 'string' && BAD_OUTCOME.test(value) ? '' : http(value));
const exit: Reading = (value) =>
  typeof value === 'number' && value !== 0 ? `exit code ${value}` : undefined;
const success: Reading = (value) => (value === false ? '' : undefined);
const failed: Reading = (value) => (value === true ? '' : undefined);

/** Members that commonly show failures. */
const MEMBERS: ReadonlyMap<string, Reading> = new Map([
  ...['error', 'err', 'exception', 'error_message', 'errorMessage'].map((name) => [name, error] as const),
  ...['level', 'severity', 'levelname', 'log_level', 'lvl'].map((name) => [name, level] as const),
  ...['status', 'outcome', 'state'].map((name) => [name, outcome] as const),
  ...['exit_code', 'exitCode', 'returncode'].map((name) => [name, exit] as const),
  ...['status_code', 'statusCode'].map((name) => [name, http] as const),
  ...['success', 'ok'].map((name) => [name, success] as const),
  ['is_error', failed],
]);
/** Members that may contain the members above. */
const INSIDE: ReadonlySet<string> = new Set(['data', 'payload', 'result', 'response', 'res']);

/** The most informative message among the members of an event. */
function reasonIn(event: JsonObject, isInside = false): string | undefined {
  let reason: string | undefined;
  // Runs for every event, so it looks up the names that are present.
  for (const name of Object.keys(event)) {
    const value = event[name];
    let said = MEMBERS.get(name)?.(value);
    if (said === undefined && !isInside && INSIDE.has(name) && isObject(value)) said = reasonIn(value, true);
    if (said !== undefined && (reason === undefined || reason === '')) reason = said;
  }
  return reason;
}

/** The words of a type in lower case: `toolError` becomes `tool_error`. */
const wordsOf = (type: string): string => type.replace(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase();

/**
 * The failure in an event of unknown format: a message or code; empty if only the type, level or outcome shows it;
 * undefined if nothing does.
 */
export function failureIn(event: JsonObject, type: string | undefined): string | undefined {
  const reason = reasonIn(event);
  return reason === undefined && type !== undefined && FAILED_TYPE.test(wordsOf(type)) ? '' : reason;
}
