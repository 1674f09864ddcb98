import type { SessionHistory } from './history.ts';
import type { TurnStatus } from './session.ts';

/** What a record contributes to the status of the session. */
interface StatusPart {
  readonly status: TurnStatus | undefined;
  readonly isStop: boolean | undefined;
}

/** The status of a session by the records of the branch that its last record is on. */
export class BranchStatus {
  /** The messages so far, if the format can take them back. */
  readonly #history: SessionHistory | undefined;
  /** By the id of a record, or by its line. */
  readonly #parts = new Map<string, StatusPart & { readonly parent: string | undefined }>();
  /** The status of the last record that has one, even if its message was removed. */
  #latest: TurnStatus = 'open';
  #last: string | undefined;

  constructor(history: SessionHistory | undefined) {
    this.#history = history;
  }

  /** The next record. `link`: its parent, if the record names one or says that it has none; else it follows the last record. */
  add(id: string, link: { readonly parent: string | undefined } | undefined, { status, isStop }: StatusPart) {
    const { parent } = link ?? { parent: this.#last };
    this.#last = id;
    if (this.#history || !this.#parts.has(id)) this.#parts.set(id, { status, isStop, parent });
    this.#latest = status ?? this.#latest;
  }

  /** The status of the last record on the path back to the first that has one. */
  get status(): TurnStatus {
    let isStopped = false;
    for (const { status, isStop } of this.#back()) {
      isStopped ||= isStop === true;
      if (status !== undefined) return isStopped && status === 'open' ? 'interrupted' : status;
    }
    return this.#latest;
  }

  #back(): StatusPart[] {
    if (this.#history) return this.#history.backwards().flatMap((id) => this.#parts.get(id) ?? []);
    const back: StatusPart[] = [];
    const parts = new Map(this.#parts);
    for (let at = this.#last; at !== undefined; ) {
      const part = parts.get(at);
      if (part === undefined) break;
      parts.delete(at);
      back.push(part);
      at = part.parent;
    }
    return back;
  }
}
