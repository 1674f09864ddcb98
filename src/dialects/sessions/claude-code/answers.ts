import type { JsonObject } from '../../../base/json/value.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { NO_TOKENS, type Tokens, totalTokens } from '../../kit/tokens.ts';
import { isPrompt, resultBlocks } from './records.ts';

/** The ids of requests to Anthropic. Relays have others, and may give several answers the same. */
export const OF_ANTHROPIC = /^req_/;

/** An answer of the model, which may be in several records. */
export class Answer {
  /** Equal in a fork of the session, which copies the records of the answer. */
  readonly key: string;
  readonly request: string | undefined;
  /** The id of its message. */
  readonly id: string | undefined;
  /** A record of it was copied from another session, where its tokens count. */
  isCopied = false;
  #tokens: Tokens | undefined;
  readonly #calls = new Set<string>();

  constructor(key: string, request?: string, id?: string) {
    this.key = key;
    this.request = request;
    this.id = id;
  }

  /** Takes a call of the answer. Returns false if the log has it again, in a copy of the record. */
  takesCall(id: string | undefined): boolean {
    if (id === undefined || this.request === undefined || !OF_ANTHROPIC.test(this.request)) return true;
    const isNew = !this.#calls.has(id);
    this.#calls.add(id);
    return isNew;
  }

  /** Takes the tokens in a record of the answer if they are the most so far. Some records only have zeros. */
  takes(tokens: Tokens): boolean {
    const isMost = totalTokens(tokens) >= totalTokens(this.#tokens ?? NO_TOKENS);
    if (isMost) this.#tokens = tokens;
    return isMost;
  }
}

/** The answers on a branch, by their ids: since the last prompt, and since the last result. */
interface Branch {
  /** By request and id. A request has one answer, even if results of its calls come between its records. */
  readonly inTurn: Map<string, Answer>;
  readonly inStep: Answer[];
}

/**
 * Finds the answer that a record belongs to (claude-code.md §7). The id of the message is not enough, because some relays
 * give all answers the same one.
 */
export class Answers {
  readonly #branches = new Map<string, Branch>();
  #last: Branch = { inTurn: new Map(), inStep: [] };
  /** The answers to requests to Anthropic, wherever a record of them is: it may have been copied with another id. */
  readonly #ofAnthropic = new Map<string, Answer>();

  /** Adds a record, and returns its answer if it is part of one. */
  add(event: JsonObject, line: number): Answer | undefined {
    const { type } = event;
    const uuid = textIn(event, 'uuid');
    const branch = this.#branchOf(event);
    this.#last = branch;
    if (uuid !== undefined) this.#branches.set(uuid, branch);
    return type === 'assistant' ? this.#answer(event, branch, uuid ?? `line ${line}`) : undefined;
  }

  #branchOf(event: JsonObject): Branch {
    const parent = textIn(event, 'parentUuid');
    const above = parent === undefined ? this.#last : this.#branches.get(parent);
    if (above !== undefined && event['type'] !== 'user') return above;
    // After a record that is not in the log, only the request shows that the answer is the same.
    const { inTurn } = above ?? this.#last;
    if (event['type'] !== 'user') return { inTurn, inStep: [] };
    const isNew = resultBlocks(event).length === 0 && isPrompt(event);
    return { inTurn: isNew ? new Map() : inTurn, inStep: [] };
  }

  #answer(event: JsonObject, { inTurn, inStep }: Branch, own: string): Answer {
    const id = textIn(objectIn(event, 'message'), 'id');
    const request = textIn(event, 'requestId');
    if (id === undefined) return new Answer(own, request);
    const before = inStep.findLast((one) => one.id === id);
    const isSame = before !== undefined && (before.request ?? request) === (request ?? before.request);
    const answers = OF_ANTHROPIC.test(request ?? '') ? this.#ofAnthropic : inTurn;
    const known = isSame ? before : request === undefined ? undefined : answers.get(`${request} ${id}`);
    const answer = known ?? new Answer(`${id} ${own}`, request, id);
    if (answer !== before) inStep.push(answer);
    if (request !== undefined) answers.set(`${request} ${id}`, answer);
    return answer;
  }
}
