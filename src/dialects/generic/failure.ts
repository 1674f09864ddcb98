import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { firstLine, textIn } from '../excerpt.ts';

const BAD_LEVEL = /^(?:err|error|fatal|crit|critical|alert|emerg|emergency|panic)$/i;
const BAD_OUTCOME = /^(?:err|error|errored|failed|failure|fatal|crashed|timeout|timed_out|aborted)$/i;
/** A type that ends in such a word, or is about one: `on_tool_error`, `task.failed`, `error.raised`; not `error_rate`. */
const FAILED_TYPE =
  /(?:^|[^a-z])(?:errors?|errored|failed|failure|exception|fatal|panic|crash|crashed|aborted|timed?_?out)$|^(?:error|exception|failure)[.:/]/;
/** Of pino and bunyan: error and fatal. */
const ERROR_LEVELS: ReadonlySet<JsonValue | undefined> = new Set([50, 60]);
const SERVER_ERROR = 500;

/** What a member tells of a failure: what went wrong, an empty text where it only says that; undefined where it tells of none. */
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

/** Members of the usual names, as logs of many makes have them. */
const MEMBERS: ReadonlyMap<string, Reading> = new Map([
  ...['error', 'err', 'exception', 'error_message', 'errorMessage'].map((name) => [name, error] as const),
  ...['level', 'severity', 'levelname', 'log_level', 'lvl'].map((name) => [name, level] as const),
  ...['status', 'outcome', 'state'].map((name) => [name, outcome] as const),
  ...['exit_code', 'exitCode', 'returncode'].map((name) => [name, exit] as const),
  ...['status_code', 'statusCode'].map((name) => [name, http] as const),
  ...['success', 'ok'].map((name) => [name, success] as const),
  ['is_error', failed],
]);
/** Members in which an event may have such members too. */
const INSIDE: ReadonlySet<string> = new Set(['data', 'payload', 'result', 'response', 'res']);

/** The most that the members of an event tell. */
function toldBy(event: JsonObject, isInside = false): string | undefined {
  let told: string | undefined;
  // This is asked of every event of a log: most members have none of these names.
  for (const name of Object.keys(event)) {
    const value = event[name];
    let said = MEMBERS.get(name)?.(value);
    if (said === undefined && !isInside && INSIDE.has(name) && isObject(value)) said = toldBy(value, true);
    if (said !== undefined && (told === undefined || told === '')) told = said;
  }
  return told;
}

/** Words of a type in lower case: `toolError` is `tool_error`. */
const wordsOf = (type: string): string => type.replace(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase();

/**
 * What says that an event of an unknown format tells of a failure: what went wrong, or a code; an empty text where only
 * its type, its level or its outcome says so; undefined where nothing does.
 */
export function failureIn(event: JsonObject, type: string | undefined): string | undefined {
  const told = toldBy(event);
  return told === undefined && type !== undefined && FAILED_TYPE.test(wordsOf(type)) ? '' : told;
}
