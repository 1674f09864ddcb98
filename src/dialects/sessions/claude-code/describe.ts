import type { JsonObject } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import { inputExcerpt } from '../../kit/call-input.ts';
import { firstLine } from '../../kit/excerpt.ts';
import { objectIn, textIn, textsOf } from '../../kit/members.ts';
import { describedResult } from '../kit/outcome.ts';
import {
  apiErrorIn,
  blocksOf,
  callBlocks,
  exitCodeIn,
  kindOf,
  resultBlocks,
  resultText,
  statusOfResult,
  textOfMessage,
  typeOf,
} from './records.ts';

/** Members that describe a record without a message, most important first. */
const MAIN_MEMBERS = [
  'content',
  'aiTitle',
  'customTitle',
  'agentName',
  'summary',
  'lastPrompt',
  'prUrl',
  'mode',
  'permissionMode',
  'operation',
  'trackingPath',
  'stopReason',
];

/** The tool of a call, or the model of an answer. */
export function toolOrModel(event: JsonObject): string {
  const [call] = callBlocks(event);
  return textIn(call, 'name') ?? textIn(event['message'], 'model') ?? '';
}

function inner(event: JsonObject): string | undefined {
  for (const part of [event, objectIn(event, 'attachment'), objectIn(event, 'data')]) {
    for (const key of MAIN_MEMBERS) {
      const text = textIn(part, key);
      if (text !== undefined) return firstLine(text);
    }
  }
  const { durationMs } = event;
  if (typeof durationMs === 'number') return `${durationMs} ms`;
  return (
    apiErrorIn(event) ??
    textIn(objectIn(event, 'error'), 'message') ??
    textIn(objectIn(event, 'attachment'), 'hookName')
  );
}

/** A short description of a record: a prompt, an answer, a call or a result. */
export function describeRecord(event: JsonObject): string {
  const kind = kindOf(event);
  if (kind === 'call')
    return callBlocks(event)
      .map((block) => inputExcerpt(block['input']))
      .join('; ');
  if (kind === 'result')
    return resultBlocks(event)
      .map((block) => {
        const text = resultText(block);
        return describedResult(statusOfResult(event, block), text, exitCodeIn(text));
      })
      .join('; ');
  if (kind === 'thinking') return firstLine(textsOf(blocksOf(event), 'thinking'));
  const type = typeOf(event) ?? '';
  const isSaid = type === 'user' || type === 'assistant';
  const text = isSaid ? firstLine(textOfMessage(event)) : '';
  if (text !== '') return text;
  const said = inner(event);
  if (!isSaid) return said === undefined ? type : `${type} ${said}`;
  return said ?? writeJson(event['message']);
}
