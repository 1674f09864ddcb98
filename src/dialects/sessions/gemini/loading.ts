import { basename } from 'node:path';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import { messageText, objectIn, objectsIn, textIn } from '../../kit/members.ts';
import { contentOf, skippedLine } from '../kit/loading/lines.ts';
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

  /** Whether a message of the conversation says anything. */
  get hasContent(): boolean {
    return [...this.messages.values()].some((message) => geminiParts(message).length > 0);
  }

  /** Whether the program finds a session in the log. */
  get isUsable(): boolean {
    return this.header !== undefined && this.hasContent;
  }

  add(line: FileLine): void {
    const { values, fault, pieces } = contentOf(line, {});
    this.isEnded = line.isEnded;
    if (fault !== undefined) this.skipped.push(skippedLine(line, fault, looksSaid, pieces));
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

const looksSaid = (text: string): boolean => /"type"\s*:\s*"(?:user|gemini|qwen)"/.test(text);

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

/** Whether a log is that of a session, by its name. */
const isSessionName = (name: string): boolean => /^session-.*\.jsonl$/.test(name);

/** What is known of a log in the folder of a session. */
interface Beside {
  readonly isUsable: boolean;
  readonly isEmpty: boolean;
}

/** By what reads a log: many sessions of one folder ask about it. */
const known = new WeakMap<() => Iterable<FileLine>, Beside>();

function besideOf(lines: () => Iterable<FileLine>): Beside {
  const before = known.get(lines);
  if (before !== undefined) return before;
  const log = new History();
  for (const line of lines()) log.add(line);
  const found = { isUsable: log.isUsable, isEmpty: !log.hasContent };
  known.set(lines, found);
  return found;
}

/** The logs of the folder that any start of the program deletes, and why the session is one of them. */
interface Deletions {
  readonly danger: readonly string[];
  readonly deletes: readonly string[];
}

/** The program deletes a log that it cannot use, and logs with the same first characters of an id. */
function deletionsOf(log: History, { path, siblings }: Surroundings): Deletions {
  const [self, name] = [basename(path), nameIn(path)];
  const danger: string[] = [];
  const deletes = new Set<string>();
  const counts = new Map<string, number>(name === undefined ? [] : [[name, 1]]);
  const others: (readonly [other: string, name: string | undefined, beside: Beside])[] = [];
  if (!log.isUsable) {
    danger.push(
      'the next start of gemini (also gemini --list-sessions) deletes this log, because it cannot use it',
    );
    deletes.add(self);
  }
  for (const [other, lines] of siblings ?? []) {
    if (other === self || !isSessionName(other)) continue;
    const [its, beside] = [nameIn(other), besideOf(lines)];
    others.push([other, its, beside]);
    if (its === undefined) continue;
    counts.set(its, (counts.get(its) ?? 0) + 1);
    if (its !== name) continue;
    deletes.add(self);
    danger.push(
      log.hasContent || beside.isEmpty
        ? `the next start of gemini (also --list-sessions) deletes this session: ${other} has the same name part${beside.isEmpty ? ' and no content' : ''}`
        : `the next start of gemini (also --list-sessions) deletes ${other} because of this log, which has no content`,
    );
  }
  for (const [other, its, { isUsable }] of others)
    if (!isUsable || (its !== undefined && (counts.get(its) ?? 0) > 1)) deletes.add(other);
  return { danger, deletes: [...deletes] };
}

function load(lines: Iterable<FileLine>, surroundings: Surroundings, wanted: string): Loading {
  const log = new History();
  for (const line of lines) log.add(line);
  const entries = log.entries();
  const [session, name] = [log.header && textIn(log.header, 'sessionId'), nameIn(surroundings.path)];
  const isOther = session !== undefined && name !== undefined && !session.startsWith(name);
  const reason = !log.isUsable
    ? NONE
    : isOther
      ? `"Invalid session identifier": the records are of ${session}`
      : undefined;
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
    ...deletionsOf(log, surroundings),
  });
}

const NONE = '"No previous sessions found for this project"';

/** How Gemini CLI loads a session. */
export const geminiLoading: LoadingRules = { program: 'Gemini CLI', versions: ['0.61.0'], looksSaid, load };
