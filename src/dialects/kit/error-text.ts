import { isObject, type JsonValue } from '../../base/json/value.ts';

/** How deep an error may be inside other errors. */
const DEEPEST = 10;

/** The message of an error in JSON: `{"error":{"message":"…"}}`, `{"error":"…"}`, `[{"error":…}]`, `{"detail":"…"}`. */
function messageIn(value: JsonValue | undefined, depth = 0): string | undefined {
  if (depth > DEEPEST) return undefined;
  if (typeof value === 'string') return value === '' ? undefined : errorText(value, depth + 1);
  if (Array.isArray(value)) return messageIn(value[0], depth + 1);
  if (!isObject(value)) return undefined;
  for (const name of ['error', 'message', 'detail', 'error_description']) {
    const message = messageIn(value[name], depth + 1);
    if (message !== undefined) return message;
  }
  return undefined;
}

/** Finds the message in JSON that was cut off. */
const CUT = /"(?:message|detail)"\s*:\s*"((?:[^"\\]|\\.){1,2000})(?:"|$)/;

function messageInText(json: string, depth: number): string | undefined {
  try {
    return messageIn(JSON.parse(json) as JsonValue, depth);
  } catch {
    const [, text] = CUT.exec(json) ?? [];
    return text?.replaceAll(/\\(?:n|t)/g, ' ').replaceAll(/\\(["\\/])/g, '$1');
  }
}

/** How Gemini CLI and Qwen Code report a shell command that ended, with or without the command before its output. */
const SHELL_REPORT = /^\s*(?:<untrusted_context>|Command: |Output: )/;
const OUTPUT = 'Output: ';
const EXIT = '\nExit Code: ';

/** What a command that failed wrote, of the report about it; undefined if the text is no such report. */
function outputInReport(text: string): string | undefined {
  if (!SHELL_REPORT.test(text)) return undefined;
  const [start, end] = [text.indexOf(OUTPUT), text.lastIndexOf(EXIT)];
  if (start === -1 || end < start) return undefined;
  const said = text
    .slice(start + OUTPUT.length, end)
    .replace(/\nError: \(none\)$/, '')
    .replace(/^\(empty\)/, '')
    .replace(/^\s*Error: /, '')
    .trim();
  const [, code] = /^(\d{1,10})/.exec(text.slice(end + EXIT.length)) ?? [];
  return said === '' && code !== undefined ? `exit code ${code}` : said;
}

/** The first line that Claude Code writes of a command that failed. What the command wrote says more. */
const EXIT_LINE = /^(?:Error: )?Exit code \d{1,3}\s*\n\s*(?=\S)/;

/** What Gemini CLI and Qwen Code write before the reason why a call was cancelled. */
const CANCELLED = /^\[Operation Cancelled\] Reason: (?=\S)/;

/** How Codex reports a command that was not allowed. The reason is last, and may itself begin with the command. */
const NOT_ALLOWED = /^exec_command failed\b/;
const REJECTED = 'Rejected(';
const OF_COMMAND = '` rejected: ';
/** The reason, without the quotes and brackets around it. */
const REASON = /^[\\"]{0,4}(\w[^\n]{1,500}?)[\\"]{0,4}\)" \}/;

/** Why a command was not allowed; undefined if the text is no such report. */
function rejectionIn(text: string): string | undefined {
  const at = NOT_ALLOWED.test(text) ? text.lastIndexOf(REJECTED) : -1;
  if (at === -1) return undefined;
  const said = text.slice(at + REJECTED.length);
  const start = said.lastIndexOf(OF_COMMAND);
  const [, reason] = REASON.exec(start === -1 ? said : said.slice(start + OF_COMMAND.length)) ?? [];
  return reason;
}

/** How Claude Code reports that the usage of an account is at its limit, with the time in seconds when it may go on. */
const LIMIT = /^(.{0,200}\blimit reached)\|(\d{10})$/;

/** The report of a limit with its time in words; undefined for other texts. */
export function limitReport(text: string): string | undefined {
  const [, said, seconds] = LIMIT.exec(text.trim()) ?? [];
  if (said === undefined) return undefined;
  const until = new Date(Number(seconds) * 1000).toISOString();
  return `${said} until ${until.slice(0, 10)} ${until.slice(11, 16)} UTC`;
}

/** A failed call's output, without what the agent's program writes around it. */
export const outputIn = (text: string): string =>
  outputInReport(text) ?? rejectionIn(text) ?? text.replace(EXIT_LINE, '').replace(CANCELLED, '');

/**
 * The message of an error for people. Programs write the JSON answer of a service after a few words, such as
 * `API Error: 400 {"type":"error","error":{"message":"prompt is too long"}}`: the message comes first then, and a number
 * before the JSON stays.
 */
export function errorText(text: string, depth = 0): string {
  const said = limitReport(text) ?? outputInReport(text);
  if (said !== undefined) return said;
  const output = outputIn(text);
  if (output !== text) return errorText(output, depth);
  const start = text.search(/[{[]\s*["{[]/);
  if (start === -1) return text;
  const json = text.slice(start).trim();
  const end = Math.max(json.lastIndexOf('}'), json.lastIndexOf(']')) + 1;
  const message = messageInText(json, depth) ?? messageInText(json.slice(0, end), depth);
  if (message === undefined) return text;
  const [code] = /\b[1-5]\d\d\b/.exec(text.slice(0, start)) ?? [];
  return code === undefined || message.includes(code) ? message : `${message} (${code})`;
}

/** The message of an error without the name of its kind, which is shown before it: `API error: API Error: Overloaded`. */
export function messageOfKind(kind: string, text: string): string {
  const message = errorText(text);
  const name = message.slice(0, kind.length).toLowerCase();
  return name === kind.toLowerCase() && /^: \S/.test(message.slice(kind.length))
    ? message.slice(kind.length + 2)
    : message;
}

/** Whether the end of a turn or a session only repeats the error before it, or does not say why it failed. */
export const repeatsError = (why: string | undefined, error: string | undefined): boolean =>
  error !== undefined && (why === undefined || why.trim() === error.trim());
