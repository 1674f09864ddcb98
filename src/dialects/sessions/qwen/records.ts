import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { shownDiff, shownTexts } from '../../kit/file-change.ts';
import { numberIn, objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import { countIn, NO_TOKENS, tokensIn, totalTokens, withoutCache } from '../../kit/tokens.ts';
import { endOfCancelled } from '../kit/cancelled-call.ts';
import type { Said, SaidCall, SaidResult, SessionReading } from '../kit/format.ts';
import { wordsOfPerson } from '../kit/words-of-person.ts';
import { notifiedAgents, startedAgents } from './subagents.ts';

/** The type as `--type` matches it: `user`, `system/ui_telemetry`. */
export function typeOf(event: JsonObject): string | undefined {
  const [type, subtype] = [textIn(event, 'type'), textIn(event, 'subtype')];
  return subtype === undefined ? type : `${type}/${subtype}`;
}

/** The input includes cached tokens, and the output includes thoughts (qwen.md §3). */
const TOKENS = {
  input: 'promptTokenCount',
  cached: 'cachedContentTokenCount',
  output: 'candidatesTokenCount',
  reasoning: 'thoughtsTokenCount',
} as const;

/** The same counts in the record of a request. */
const TOKENS_OF_REQUEST = {
  input: 'input_token_count',
  cached: 'cached_content_token_count',
  output: 'output_token_count',
  reasoning: 'thoughts_token_count',
} as const;

/**
 * The id of a request whose answer is in the log: that of the session, and the number of the prompt, with `/automatic/3` if
 * the program went on by itself. Old logs have none.
 */
const OF_ANSWER = /#{8}\d+(?:\/.*)?$|^$/;

const partsOf = (event: JsonObject): JsonObject[] => objectsIn(event['message'], 'parts');

const textOf = (parts: readonly JsonObject[], isThought: boolean): string =>
  textsOf(
    parts.filter(({ thought }) => (thought === true) === isThought),
    'text',
  );

function answerOf(event: JsonObject): Said {
  const parts = partsOf(event);
  const calls = parts.flatMap((part, index): SaidCall[] => {
    const call = part['functionCall'];
    if (!isObject(call)) return [];
    const path = ['message', 'parts', index, 'functionCall', 'id'];
    return [{ id: textIn(call, 'id'), tool: textIn(call, 'name') ?? 'tool', input: call['args'], path }];
  });
  const usage = event['usageMetadata'];
  const model = textIn(event, 'model') ?? 'unknown';
  // An answer that was cut off has no counts.
  const isWhole = isObject(usage);
  const isCut = !isWhole && calls.length === 0;
  const tokens = isWhole ? withoutCache(tokensIn(usage, TOKENS)) : NO_TOKENS;
  const stated = isWhole ? numberIn(usage, 'totalTokenCount') : undefined;
  return {
    thinking: textOf(parts, true),
    answer: textOf(parts, false),
    calls,
    usage: {
      model,
      tokens,
      answers: 1,
      stated,
      prompt: numberIn(objectIn(event, 'usageMetadata'), 'promptTokenCount'),
    },
    ...(isCut && { problem: ['interrupted', 'the answer was cut off; the log does not say by what'] }),
    status: calls.length > 0 ? 'open' : isCut ? 'interrupted' : 'done',
  };
}

function resultsOf(event: JsonObject): Said {
  const stored = objectIn(event, 'toolCallResult');
  const isCancelled = stored['status'] === 'cancelled';
  const status = stored['status'] === 'success' ? 'ok' : 'error';
  const otherId = textIn(stored, 'callId');
  const diff = shownDiff(stored['resultDisplay']);
  const files = shownTexts(stored['resultDisplay']);
  const results = partsOf(event).flatMap((part, index): SaidResult[] => {
    const response = part['functionResponse'];
    if (!isObject(response)) return [];
    const [id, tool] = [textIn(response, 'id'), textIn(response, 'name')];
    const given = objectIn(response, 'response');
    const text = textIn(given, 'error') ?? textIn(given, 'output') ?? '';
    const path = ['message', 'parts', index, 'functionResponse', 'id'];
    const end = isCancelled ? endOfCancelled(text) : ({ status } as const);
    return [{ id, otherId, tool, ...end, text, diff, files, path }];
  });
  return { results, agents: startedAgents(event), status: isCancelled ? 'interrupted' : 'open' };
}

/** What the program recorded about a request or a call. */
function telemetryOf(event: JsonObject): Said {
  const name = textIn(event, 'event.name') ?? '';
  const [call, durationMs] = [textIn(event, 'call_id'), numberIn(event, 'duration_ms')];
  const took = call === undefined || durationMs === undefined ? undefined : { id: call, durationMs };
  const error = textIn(event, 'error_message') ?? 'no message';
  if (name.endsWith('.api_error')) {
    const model = textIn(event, 'model');
    return { status: 'error', problem: ['API error', error], detail: `${name} ${error}`, model };
  }
  const counts = { requests: 1, requested_tokens: countIn(event, 'total_token_count') };
  const detail = [name, textIn(event, 'function_name')].filter(Boolean).join(' ');
  if (!name.endsWith('.api_response')) return { took, detail };
  const id = textIn(event, 'prompt_id') ?? '';
  const tokens = withoutCache(tokensIn(event, TOKENS_OF_REQUEST));
  const model = textIn(event, 'model') ?? 'unknown';
  if (OF_ANSWER.test(id)) return { took, detail, counts, requested: { model, tokens } };
  const request = { isCompaction: id.startsWith('compress') };
  if (totalTokens(tokens) === 0) return { took, detail, counts, request };
  return { took, detail, counts, request, usage: { model, tokens, answers: 0 } };
}

function systemOf(event: JsonObject): Said {
  const { subtype } = event;
  const payload = objectIn(event, 'systemPayload');
  if (subtype === 'ui_telemetry') return telemetryOf(objectIn(payload, 'uiEvent'));
  if (subtype === 'chat_compression') return { compaction: true };
  const title = textIn(payload, 'customTitle') ?? textIn(payload, 'title');
  if (subtype === 'custom_title') return { title: [title, 1], detail: title };
  const command = textIn(payload, 'rawCommand');
  const isTyped = command !== undefined && payload['phase'] === 'invocation';
  return { detail: command, ...(isTyped && { note: ['command', command] }) };
}

/** What the user typed, or a message that the program sent in the user's name. */
function userOf(event: JsonObject): Said {
  const [{ subtype }, parts] = [event, partsOf(event)];
  const text = textOf(parts, false);
  if (subtype !== 'notification') {
    // The program puts its own texts before those of the user, each in a part.
    const isOfPerson = (part: JsonObject) => wordsOfPerson(textIn(part, 'text') ?? '') !== '';
    const [words, added] = [parts.filter(isOfPerson), parts.filter((part) => !isOfPerson(part))].map((some) =>
      textOf(some, false),
    );
    return {
      prompt: words || text,
      ...(words && added && { note: ['added by the program', added] }),
      isQueued: subtype === 'mid_turn_user_message',
      status: 'open',
    };
  }
  const detail = textIn(objectIn(event, 'systemPayload'), 'displayText') ?? text;
  return {
    note: ['notification', detail],
    detail,
    agents: notifiedAgents(text),
    isSent: true,
    status: 'open',
  };
}

/** The meaning of a record (qwen.md §3). */
function said(event: JsonObject): Said {
  const { type } = event;
  const about = {
    id: textIn(event, 'sessionId'),
    cwd: textIn(event, 'cwd'),
    branch: textIn(event, 'gitBranch'),
  };
  const own: Said =
    type === 'assistant'
      ? answerOf(event)
      : type === 'tool_result'
        ? resultsOf(event)
        : type === 'user'
          ? userOf(event)
          : systemOf(event);
  return { about, version: textIn(event, 'version'), ...own };
}

export const READING: SessionReading = {
  name: 'qwen',
  members: { id: 'uuid', time: 'timestamp', parent: 'parentUuid', session: 'sessionId' },
  said,
  writers: new Set(['write_file', 'edit']),
};
