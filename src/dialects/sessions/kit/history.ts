/** The messages that a record removes from the conversation. */
interface Removed {
  /** The ids of messages that are no longer in the conversation. */
  readonly ids: readonly string[];
  /** Whether new messages replace them, as after a compaction. */
  readonly isSummary: boolean;
}

/** The conversation of a format without parents: its messages in log order, without removed ones. */
export class SessionHistory {
  /** The line of each message so far. */
  readonly #lines = new Map<string, number>();
  #now = new Set<string>();

  /** Adds a message. A message with a known id keeps its place. */
  add(id: string, line: number): void {
    this.#now.add(id);
    this.#isNew(id, line);
  }

  /** Removes a message and all after it; if there is no such message, all of them. */
  rewind(to: string): Removed {
    const ids = [...this.#now];
    const left = ids.slice(Math.max(0, ids.indexOf(to)));
    for (const id of left) this.#now.delete(id);
    return { ids: left, isSummary: false };
  }

  /** Replaces all messages by others. */
  replace(messages: readonly string[], line: number): Removed {
    const added = messages.filter((id) => this.#isNew(id, line));
    const before = this.#now;
    this.#now = new Set(messages);
    const ids = [...before].filter((id) => !this.#now.has(id));
    return { ids, isSummary: added.length > 0 };
  }

  has(id: string): boolean {
    return this.#now.has(id);
  }

  /** The ids of the messages, last first. */
  backwards(): readonly string[] {
    return [...this.#now].reverse();
  }

  /** Whether messages were taken out of the conversation. */
  mayLack(): boolean {
    return this.#now.size < this.#lines.size;
  }

  #isNew(id: string, line: number): boolean {
    const isNew = !this.#lines.has(id);
    if (isNew) this.#lines.set(id, line);
    return isNew;
  }
}
