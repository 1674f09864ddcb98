import type { Account, EndingReason } from './account.ts';

/** Of the troubles that are over, the last ones are kept. */
const MOST_OVER = 20;
/** Of the troubles that are not over, an account has the last ones. */
const MOST_OPEN = 3;

/** What went wrong in a run, by a key that says what it is about, and what of it is over. */
export class Troubles {
  readonly #open: Map<string, EndingReason>;
  #over: readonly EndingReason[];

  constructor(open: Iterable<readonly [string, EndingReason]> = [], over: readonly EndingReason[] = []) {
    this.#open = new Map(open);
    this.#over = over;
  }

  copy(): Troubles {
    return new Troubles(this.#open, this.#over);
  }

  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The end of the run, then everything that is still wrong, in log order. */
  reasons(end: EndingReason | undefined): readonly EndingReason[] {
    return [...(end === undefined ? [] : [end]), ...this.#open.values()];
  }

  /** Something went wrong. Trouble with the same key is over. */
  add(key: string, reason: EndingReason): void {
    this.end(key);
    this.#open.set(key, reason);
  }

  /** The trouble with this key is over, if there is any. */
  end(key: string): void {
    const trouble = this.#open.get(key);
    if (trouble === undefined) return;
    this.#open.delete(key);
    this.#over = [...this.#over, trouble].slice(-MOST_OVER);
  }

  /** Why a run ended, and what else went wrong before. */
  account(end: EndingReason | undefined): Pick<Account, 'why' | 'onTheWay'> {
    const open = [...this.#open.values()].slice(-MOST_OPEN);
    // What failed before an end with success was no reason for it.
    const isGood = end?.tone === 'good';
    const onTheWay = [...this.#over, ...(isGood ? open : [])].sort((a, b) => a.line - b.line);
    return {
      why: [...(end === undefined ? [] : [end]), ...(isGood ? [] : open)],
      ...(onTheWay.length > 0 && { onTheWay }),
    };
  }
}
