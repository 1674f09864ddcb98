import { basename } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { messageText, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { bytesText, contentOf } from '../kit/loading/lines.ts';
import type {
  Entry,
  FileLine,
  Loading,
  LoadingRemark,
  LoadingRules,
  Part,
  Skipped,
  Surroundings,
} from '../kit/loading/model.ts';
import { partOf, textPart } from '../kit/loading/parts.ts';
import { loadingOf } from '../kit/loading/result.ts';
import { rulesFor } from '../kit/loading/versions.ts';
import { ANSWERS, isHeader, NO_PROMPT } from './records.ts';

/** A message of the conversation as it is in the end, with the line that says so. */
export interface Message {
  readonly event: JsonObject;
  readonly line: number;
}

/** The parts of a message, in the order in which the program sends them. */
export function geminiParts({ event, line }: Message): readonly Part[] {
  const { type, content } = event;
  if (type === 'user') {
    const blocks = typeof content === 'string' ? [{ text: content }] : objectsIn(event, 'content');
    const isAdded = NO_PROMPT.test(messageText(content));
    return blocks.flatMap((block) => {
      const response = block['functionResponse'];
      if (isObject(response)) return partOf('result', line, '', { call: textIn(response, 'id') });
      if (isAdded) return [];
      return 'text' in block
        ? textPart('prompt', line, textIn(block, 'text') ?? '')
        : partOf('other', line, JSON.stringify(block));
    });
  }
  if (!ANSWERS.has(type)) return [];
  const blocks = typeof content === 'string' ? [{ text: content }] : objectsIn(event, 'content');
  const said = blocks.map((block) => {
    const call = objectIn(block, 'functionCall');
    return 'functionCall' in block
      ? partOf('call', line, '', { call: textIn(call, 'id'), words: textIn(call, 'name') ?? '' })
      : textPart('text', line, textIn(block, 'text') ?? '');
  });
  const calls = objectsIn(event, 'toolCalls');
  return [
    ...said,
    ...calls.map((call) =>
      partOf('call', line, '', { call: textIn(call, 'id'), words: textIn(call, 'name') ?? '' }),
    ),
    ...calls.flatMap((call) =>
      objectsIn(call, 'result').map((result) => {
        const response = objectIn(result, 'functionResponse');
        return partOf('result', line, '', { call: textIn(response, 'id') ?? textIn(call, 'id') });
      }),
    ),
  ];
}

/** The state of a session: its header, and its messages after all changes. */
export class History {
  readonly skipped: Skipped[] = [];
  readonly messages = new Map<string, Message>();
  /** The first header that the log has. */
  header: JsonObject | undefined;
  /** Where a message is removed that is not in the log. */
  lostRewind: LoadingRemark | undefined;
  isEnded = true;

  add(line: FileLine): void {
    const { values, fault } = contentOf(line, {});
    this.isEnded = line.isEnded;
    if (fault !== undefined) this.skipped.push({ line: line.line, message: fault, isPart: looksSaid(line) });
    for (const event of values) this.#record(event, line.line);
  }

  #record(event: JsonObject, line: number): void {
    const { $set: set, $rewindTo: to } = event;
    if (typeof to === 'string') this.#rewind(to, line);
    else if (isObject(set)) {
      if (!Array.isArray(set['messages'])) return;
      this.messages.clear();
      for (const message of objectsIn(set, 'messages')) this.#put(message, line);
    } else if (isHeader(event)) this.header ??= textIn(event, 'sessionId') === undefined ? undefined : event;
    else this.#put(event, line);
  }

  #put(event: JsonObject, line: number): void {
    this.messages.set(textIn(event, 'id') ?? `line ${line}`, { event, line });
  }

  #rewind(to: string, line: number): void {
    const ids = [...this.messages.keys()];
    const at = ids.indexOf(to);
    if (at < 0) this.lostRewind = { line, message: `$rewindTo names ${to}, which is not in the log` };
    for (const id of ids.slice(Math.max(0, at))) this.messages.delete(id);
  }

  entries(): Entry[] {
    return [...this.messages.values()].map((message) => ({
      line: message.line,
      id: textIn(message.event, 'id'),
      time: Date.parse(textIn(message.event, 'timestamp') ?? ''),
      speaker: ANSWERS.has(message.event['type']) ? ('model' as const) : ('user' as const),
      parts: geminiParts(message),
    }));
  }
}

const looksSaid = (line: FileLine): boolean => /"type":"(?:user|gemini|qwen)"/.test(bytesText(line));

/** Calls and responses must be equal in number. */
function* counts(parts: readonly Part[]): Generator<LoadingRemark, void, void> {
  let [calls, responses, line] = [0, 0, 0];
  let isAfterCall = false;
  for (const part of [...parts, undefined]) {
    if (part?.kind === 'result') {
      responses += 1;
      if (!isAfterCall && calls === 0 && responses === 1)
        yield { line: part.line, message: 'a function response does not follow a function call' };
      continue;
    }
    if (responses > 0) {
      if (calls > 0 && calls !== responses)
        yield {
          line,
          message: `${responses} function responses for ${calls} ${calls === 1 ? 'call' : 'calls'}`,
        };
      [calls, responses] = [0, 0];
    }
    if (part?.kind === 'call') {
      calls += 1;
      line = part.line;
    }
    isAfterCall = part?.kind === 'call';
  }
}

/** The first characters of a session's id, which are in the name of its log. */
const nameIn = (path: string): string | undefined => /-([0-9a-f]{8})\.jsonl$/i.exec(basename(path))?.[1];

/** A log that the next start of the program deletes. */
interface Deletion {
  readonly name: string;
  readonly message: string;
}

/** The logs of which the next start of the program deletes one or both. */
function* deletions(
  log: History,
  isUsable: boolean,
  { path, siblings }: Surroundings,
): Generator<Deletion, void, void> {
  const self = basename(path);
  if (!isUsable)
    yield {
      name: self,
      message:
        'the next start of gemini (also gemini --list-sessions) deletes this log, because it cannot use it',
    };
  const name = nameIn(path);
  for (const [other, lines] of siblings ?? []) {
    if (name === undefined || nameIn(other) !== name || basename(other) === basename(path)) continue;
    const content = new History();
    for (const line of lines()) content.add(line);
    const isEmpty = content.entries().every(({ parts }) => parts.length === 0);
    const own = log.entries().every(({ parts }) => parts.length === 0);
    yield own && !isEmpty
      ? {
          name: basename(other),
          message: `the next start of gemini (also --list-sessions) deletes ${basename(other)} because of this log, which has no content`,
        }
      : {
          name: self,
          message: `the next start of gemini (also --list-sessions) deletes this session: ${basename(other)} has the same name part${isEmpty ? ' and no content' : ''}`,
        };
  }
}

function load(lines: Iterable<FileLine>, surroundings: Surroundings, wanted: string): Loading {
  const log = new History();
  for (const line of lines) log.add(line);
  const entries = log.entries();
  const [session, name] = [log.header && textIn(log.header, 'sessionId'), nameIn(surroundings.path)];
  const hasContent = entries.some(({ parts }) => parts.length > 0);
  const isOther = session !== undefined && name !== undefined && !session.startsWith(name);
  const reason =
    !hasContent || log.header === undefined
      ? NONE
      : isOther
        ? `"Invalid session identifier": the records are of ${session}`
        : undefined;
  const deleted = [...deletions(log, log.header !== undefined && hasContent, surroundings)];
  return loadingOf({
    session,
    rules: rulesFor(geminiLoading.versions, wanted),
    refusal:
      reason === undefined
        ? undefined
        : {
            ...(log.lostRewind ?? { line: 1 }),
            message: log.lostRewind ? `${reason}: ${log.lostRewind.message}` : reason,
          },
    leaf: entries.at(-1)?.line,
    reached: entries,
    whole: entries,
    all: entries,
    skipped: log.skipped,
    pairs: { open: 'send', orphan: 'send', repeated: 'send', second: 'send' },
    refuses: counts,
    danger: deleted.map(({ message }) => message),
    deletes: [...new Set(deleted.map(({ name: file }) => file))],
  });
}

const NONE = '"No previous sessions found for this project"';

/** How Gemini CLI loads a session. */
export const geminiLoading: LoadingRules = { program: 'Gemini CLI', versions: ['0.61.0'], load };
