import { type Tokens, tokensText } from '../../kit/tokens.ts';

/** A request whose answer did not come yet. */
interface OpenRequest {
  readonly key: string;
  /** Its tokens. */
  readonly name: string;
  /** The id of its record. */
  readonly id: string | undefined;
}

/**
 * Finds the answer of each request in a log that has records of both. The request is the parent of its answer, or has the
 * same tokens. It is before its answer, or right after it.
 */
export class RequestPairs {
  /** The requests without an answer so far, by their tokens. */
  readonly #open = new Map<string, OpenRequest[]>();
  readonly #byId = new Map<string, OpenRequest>();
  /** The last answer, unless its request or any later one is there. */
  #last: Tokens | undefined;

  /** Adds a request. Returns whether its answer is already there. */
  request(tokens: Tokens, key: string, id: string | undefined): boolean {
    const name = tokensText(tokens);
    const isAnswered = this.#last !== undefined && tokensText(this.#last) === name;
    this.#last = undefined;
    if (isAnswered) return true;
    const request = { key, name, id };
    const open = this.#open.get(name);
    if (open) open.push(request);
    else this.#open.set(name, [request]);
    if (id !== undefined) this.#byId.set(id, request);
    return false;
  }

  /** Adds an answer. Returns the key of its request, if that is already there. */
  answer(tokens: Tokens, parent: string | undefined): string | undefined {
    const request = this.#open.size === 0 ? undefined : this.#take(tokens, parent);
    this.#last = request === undefined ? tokens : undefined;
    return request?.key;
  }

  #take(tokens: Tokens, parent: string | undefined): OpenRequest | undefined {
    const before = parent === undefined ? undefined : this.#byId.get(parent);
    const open = this.#open.get(before?.name ?? tokensText(tokens)) ?? [];
    // The last one, because an earlier request may have lost its answer.
    const request = before ?? open.at(-1);
    if (request === undefined) return undefined;
    open.splice(open.lastIndexOf(request), 1);
    if (open.length === 0) this.#open.delete(request.name);
    if (request.id !== undefined) this.#byId.delete(request.id);
    return request;
  }
}
