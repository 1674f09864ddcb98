import type { JsonObject } from '../../../base/json/value.ts';
import { textOf } from '../../../base/json/write.ts';
import { firstLine } from '../../kit/excerpt.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import { lineOfResult } from '../kit/outcome.ts';
import { callStatusInWords } from '../kit/session.ts';
import {
  type Item,
  inputOf,
  isCall,
  isHosted,
  isOutput,
  itemOf,
  outcomeOf,
  toolOf,
  typeOf,
  withoutFrame,
} from './records.ts';

/** The tool of a call, or the model of a turn. */
export function toolOrModel(event: JsonObject): string {
  const item = itemOf(event);
  if (isCall(item) || isHosted(item)) return toolOf(item);
  return item.type === 'turn_context' ? (textIn(item.payload, 'model') ?? '') : '';
}

function resultOf(item: Item): string {
  const { exitCode, status, text } = outcomeOf(item);
  const state =
    exitCode !== undefined ? `exit ${exitCode}` : status === 'ok' ? '' : callStatusInWords(status);
  return `${state} ${lineOfResult(status, withoutFrame(text))}`.trim();
}

function eventText({ kind, payload }: Item): string | undefined {
  if (kind === 'token_count') {
    const sum = numberIn(objectIn(objectIn(payload, 'info'), 'total_token_usage'), 'total_tokens');
    return sum === undefined ? undefined : `${sum} tokens in total`;
  }
  if (kind === 'item_completed') {
    const item = objectIn(payload, 'item');
    const { command } = item;
    const words = Array.isArray(command) ? textOf(command.at(-1)) : messageText(item['content']);
    return `${textIn(item, 'type') ?? 'item'} ${firstLine(words)}`.trimEnd();
  }
  const error = textIn(objectIn(payload, 'error'), 'message');
  return (
    error ??
    textIn(payload, 'last_agent_message') ??
    textIn(payload, 'message') ??
    textIn(payload, 'text') ??
    textIn(payload, 'reason')
  );
}

/** A short description of a record: a prompt, an answer, a call or a result. */
export function describeLine(event: JsonObject): string {
  const item = itemOf(event);
  const { type, kind, payload } = item;
  if (isCall(item) || isHosted(item)) return firstLine(inputOf(item));
  if (isOutput(item)) return resultOf(item);
  if (kind === 'message') return firstLine(messageText(payload['content']));
  if (kind === 'reasoning') return firstLine(textsOf(objectsIn(payload, 'summary'), 'text'));
  if (type === 'event_msg') return `${kind ?? ''} ${firstLine(eventText(item) ?? '')}`.trim();
  if (type === 'token_usage_record') {
    const sum = numberIn(objectIn(payload, 'thread_token_usage'), 'total_tokens');
    return sum === undefined ? type : `${sum} tokens in total`;
  }
  if (type === 'session_meta')
    return [typeOf(event), textIn(payload, 'cli_version'), textIn(payload, 'cwd')].join(' ');
  return typeOf(event) ?? '';
}
