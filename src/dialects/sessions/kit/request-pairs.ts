import { type Tokens, tokensText } from '../../kit/tokens.ts';

/**
 * Finds the answer of each request in a log that has records of both. Neither names the other, but their tokens are the
 * same. The request is before its answer, or right after it.
 */
export class RequestPairs {
  /** The keys of the requests without an answer so far, by their tokens. */
  readonly #open = new Map<string, string[]>();
  /** The last answer, unless its request or any later one is there. */
  #last: Tokens | undefined;

  /** Adds a request. Returns whether its answer is already there. */
  request(tokens: Tokens, key: string): boolean {
    const name = tokensText(tokens);
    const isAnswered = this.#last !== undefined && tokensText(this.#last) === name;
    this.#last = undefined;
    if (isAnswered) return true;
    const open = this.#open.get(name);
    if (open) open.push(key);
    else this.#open.set(name, [key]);
    return false;
  }

  /** Adds an answer. Returns the key of its request, if that is already there. */
  answer(tokens: Tokens): string | undefined {
    const name = this.#open.size === 0 ? '' : tokensText(tokens);
    const open = this.#open.get(name) ?? [];
    // The last one, because an earlier request may have lost its answer.
    const request = open.pop();
    if (open.length === 0) this.#open.delete(name);
    this.#last = request === undefined ? tokens : undefined;
    return request;
  }
}
