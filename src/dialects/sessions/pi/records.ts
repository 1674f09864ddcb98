import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { messageText, numberIn, objectIn, objectsIn, textIn, textsOf } from '../../kit/members.ts';
import { tokensIn } from '../../kit/tokens.ts';
import type { Said, SaidCall, SessionReading } from '../kit/format.ts';
import type { TurnStatus } from '../kit/session.ts';
import { whyIncomplete } from '../kit/stop-reason.ts';

/** The id in `<time>_<id>.jsonl` (pi.md §1). */
export const sessionIn = (fileName: string): string | undefined =>
  /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z_([\w.-]+)\.jsonl$/.exec(fileName)?.[1];

/** The type as `--type` matches it: `message/user`, `compaction`. */
export function typeOf(event: JsonObject): string | undefined {
  const type = textIn(event, 'type');
  const role = type === 'message' ? textIn(event['message'], 'role') : undefined;
  return role === undefined ? type : `${type}/${role}`;
}

/** The input excludes cached tokens (pi.md §3). */
const TOKENS = { cached: 'cacheRead', cache_write: 'cacheWrite' } as const;

/** The tokens of an answer, a result or a compaction. */
function usageOf(object: JsonObject, model?: string): Pick<Said, 'usage' | 'cost'> {
  const { usage } = object;
  if (!isObject(usage)) return {};
  const [tokens, stated] = [tokensIn(usage, TOKENS), numberIn(usage, 'totalTokens')];
  const cost = numberIn(objectIn(usage, 'cost'), 'total');
  return { usage: { model, tokens, answers: model === undefined ? 0 : 1, stated }, cost };
}

const ENDS: ReadonlyMap<unknown, TurnStatus> = new Map([
  ['stop', 'done'],
  ['error', 'error'],
  ['aborted', 'interrupted'],
]);

function answerOf(message: JsonObject): Said {
  const error = textIn(message, 'errorMessage') ?? '';
  const blocks = objectsIn(message, 'content');
  const calls = blocks.flatMap((block, index): SaidCall[] => {
    if (block['type'] !== 'toolCall') return [];
    const [id, tool = 'tool'] = [textIn(block, 'id'), textIn(block, 'name')];
    return [{ id, tool, input: block['arguments'], path: ['message', 'content', index, 'id'] }];
  });
  const cut = calls.length === 0 ? whyIncomplete(message['stopReason']) : undefined;
  const end = ENDS.get(message['stopReason']) ?? 'open';
  const isStopped = cut !== undefined || (end === 'error' && /abort/i.test(error));
  const status = isStopped ? 'interrupted' : end;
  return {
    thinking: textsOf(blocks, 'thinking'),
    answer: messageText(message['content']),
    calls,
    status,
    ...usageOf(message, `${textIn(message, 'provider') ?? ''}/${textIn(message, 'model') ?? ''}`),
    ...((status === 'interrupted' || status === 'error') && { problem: [status, cut ?? error] }),
  };
}

/** The end of an error if the user aborted the call. What a command had printed is before it. */
const ABORTED = /(?:^|\n)(?:Command|Operation) aborted\s*$/;

function messageOf(message: JsonObject): Said {
  const text = messageText(message['content']);
  const { role } = message;
  if (role === 'user') return { prompt: text, status: 'open' };
  if (role === 'assistant') return answerOf(message);
  if (role === 'toolResult') {
    const status = message['isError'] !== true ? 'ok' : ABORTED.test(text) ? 'interrupted' : 'error';
    const [id, tool] = [textIn(message, 'toolCallId'), textIn(message, 'toolName')];
    const path = ['message', 'toolCallId'];
    return { results: [{ id, tool, status, text, path }], status: 'open', ...usageOf(message) };
  }
  if (role !== 'bashExecution') return { detail: text };
  const command = `! ${textIn(message, 'command')}`;
  const exit = `command of the user, exit ${numberIn(message, 'exitCode') ?? 'unknown'}`;
  return { note: [exit, `${command}\n${textIn(message, 'output') ?? ''}`], detail: command };
}

function headerOf(event: JsonObject): Said {
  const origin = textIn(event, 'parentSession') ?? textIn(event, 'branchedFrom');
  const about = {
    id: textIn(event, 'id'),
    cwd: textIn(event, 'cwd'),
    format: numberIn(event, 'version') ?? 1,
    forked_from: origin && (sessionIn(origin.replace(/^.*[/\\]/, '')) ?? origin),
  };
  // A fork began with its header. What is older was copied.
  const began = origin === undefined ? undefined : textIn(event, 'timestamp');
  return { isHead: true, isStart: true, about, began, detail: about.cwd };
}

/** The meaning of an entry (pi.md §3, §4). */
function said(event: JsonObject): Said {
  const { type, customType } = event;
  if (type === 'message') return messageOf(objectIn(event, 'message'));
  if (type === 'session') return headerOf(event);
  const name = textIn(event, 'title') ?? textIn(event, 'name');
  if (type === 'title') return { isHead: true, title: [name, 0], detail: name };
  if (type === 'session_info' || type === 'title_change') return { title: [name, 1], detail: name };
  const detail = ['summary', 'customType', 'modelId', 'model', 'thinkingLevel', 'label', 'kind']
    .map((member) => textIn(event, member))
    .find((text) => text !== undefined);
  return {
    detail,
    isSent: type === 'custom_message',
    ...usageOf(event),
    ...(type === 'compaction' && { compaction: true }),
    ...(type === 'branch_summary' && { note: ['branch', detail ?? ''] }),
    isStop: customType === 'session_exit' && objectIn(event, 'data')['kind'] === 'signal',
  };
}

export const READING: SessionReading = {
  name: 'pi',
  members: { id: 'id', time: 'timestamp', parent: 'parentId' },
  said,
  writers: new Set(['write', 'edit']),
  copiesAreOlder: true,
};
