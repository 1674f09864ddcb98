import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { writeJson } from '../../json/write.ts';
import { firstLine, numberIn, objectIn, textIn } from '../excerpt.ts';

/** Members under which logs of many makes keep what went wrong. */
const ERRORS = ['error', 'err', 'exception', 'error_message', 'errorMessage'];
/** Members in which an event may have them too. */
const INSIDE = ['data', 'payload', 'result', 'response'];
const LEVELS = ['level', 'severity', 'levelname', 'log_level', 'lvl'];
const OUTCOMES = ['status', 'outcome', 'result', 'state'];
const EXIT_CODES = ['exit_code', 'exitCode', 'returncode'];
const HTTP_CODES = ['status', 'status_code', 'statusCode'];

/** A type that ends in such a word, or is about one: `on_tool_error`, `task.failed`, `error.raised`; not `error_rate`. */
const FAILED_TYPE =
  /(?:^|[^a-z])(?:errors?|errored|failed|failure|exception|fatal|panic|crash|crashed|aborted|timed?_?out)$|^(?:error|exception|failure)[.:/]/;
const BAD_LEVEL = /^(?:err|error|fatal|crit|critical|alert|emerg|emergency|panic)$/i;
const BAD_OUTCOME = /^(?:err|error|errored|failed|failure|fatal|crashed|timeout|timed_out|aborted)$/i;
/** Of pino and bunyan: 50 is error, and 60 fatal. */
const ERROR_LEVEL = 50;
const SERVER_ERROR = 500;

function messageOf(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : firstLine(value);
  if (!isObject(value)) return undefined;
  const said = textIn(value, 'message') ?? textIn(value, 'text') ?? textIn(value, 'type');
  if (said !== undefined) return firstLine(said);
  return Object.keys(value).length === 0 ? undefined : firstLine(writeJson(value));
}

/** What an event says went wrong, in a member for that. */
export function errorIn(event: JsonObject): string | undefined {
  const holders = [event, ...INSIDE.map((name) => objectIn(event, name))];
  for (const holder of holders)
    for (const name of ERRORS) {
      const said = messageOf(holder[name]);
      if (said !== undefined) return said;
    }
  return undefined;
}

function hasBadLevel(event: JsonObject): boolean {
  return (
    LEVELS.some((name) => BAD_LEVEL.test(textIn(event, name) ?? '')) ||
    (numberIn(event, 'level') ?? 0) >= ERROR_LEVEL
  );
}

function hasBadOutcome(event: JsonObject): boolean {
  return (
    OUTCOMES.some((name) => BAD_OUTCOME.test(textIn(event, name) ?? '')) ||
    event['success'] === false ||
    event['ok'] === false ||
    event['is_error'] === true ||
    event['error'] === true
  );
}

/** A code by which a command or a server says that it failed. */
function badCode(event: JsonObject): string | undefined {
  const exit = EXIT_CODES.map((name) => numberIn(event, name)).find(
    (code) => code !== undefined && code !== 0,
  );
  if (exit !== undefined) return `exit code ${exit}`;
  const holders = [event, objectIn(event, 'res'), objectIn(event, 'response')];
  const http = holders
    .flatMap((holder) => HTTP_CODES.map((name) => numberIn(holder, name)))
    .find((code) => code !== undefined && code >= SERVER_ERROR && code < SERVER_ERROR + 100);
  return http === undefined ? undefined : `status ${http}`;
}

/** Words of a type in lower case: `toolError` is `tool_error`. */
const wordsOf = (type: string): string => type.replace(/([a-z])(?=[A-Z])/g, '$1_').toLowerCase();

/**
 * What says that an event of an unknown format tells of a failure: what went wrong, or a code; an empty text where only
 * its type, its level or its outcome says so; undefined where nothing does.
 */
export function failureIn(event: JsonObject, type: string | undefined): string | undefined {
  const said = errorIn(event) ?? badCode(event);
  if (said !== undefined) return said;
  const isBad = hasBadLevel(event) || hasBadOutcome(event) || FAILED_TYPE.test(wordsOf(type ?? ''));
  return isBad ? '' : undefined;
}
