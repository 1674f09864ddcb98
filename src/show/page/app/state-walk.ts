import type { Episode } from './episode.ts';
import type { StatesInPage } from './states-in-page.ts';

/** In milliseconds: the maximum time without a pause, less than two frames. */
const SLICE = 24;
/** The number of states cached before the requested one, for steps back. */
const KEPT_BEFORE = 64;
/** In UTF-16 units: the total size of cached states; a larger one is not cached. */
const KEPT_UNITS = 32 * 1024 * 1024;
const KEPT_ON_THE_WAY = 256 * 1024;

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

/** The states of a run after each event, rebuilt on demand. */
export class StateWalk {
  readonly #episode: Episode;
  readonly #states: StatesInPage;
  /** The number of events in the fold; Infinity before it begins. */
  #added = Infinity;
  readonly #texts = new Map<number, string>();
  #units = 0;
  #lastLength = 0;
  #busy: Promise<unknown> = Promise.resolve();

  constructor(episode: Episode, states: StatesInPage) {
    this.#episode = episode;
    this.#states = states;
  }

  /** The state after a row as JSON; -1: before the first event. Undefined if another one was requested meanwhile. */
  after(row: number, isWanted: () => boolean): Promise<string | undefined> {
    const answer = this.#busy.then(() => (isWanted() ? this.#walkTo(row, isWanted) : undefined));
    this.#busy = answer;
    return answer;
  }

  /** The next row that changes the state, in either direction; undefined if there is none. */
  async nextChange(row: number, step: 1 | -1, isWanted: () => boolean): Promise<number | undefined> {
    const last = this.#episode.count - 1;
    for (let at = row + step; at >= 0 && at <= last; at += step) {
      const [now, before] = [await this.after(at, isWanted), await this.after(at - 1, isWanted)];
      if (!isWanted()) return undefined;
      if (now !== before) return at;
    }
    return undefined;
  }

  async #walkTo(row: number, isWanted: () => boolean): Promise<string | undefined> {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    if (this.#added > row + 1) {
      const { run, upcasts, story } = this.#episode.document;
      this.#states.begin(run, upcasts, story.copied);
      this.#added = 0;
    }
    let until = performance.now() + SLICE;
    while (this.#added <= row) {
      const next = this.#added;
      if (row - next < KEPT_BEFORE && this.#lastLength < KEPT_ON_THE_WAY) this.#keep(next - 1);
      this.#states.add(this.#episode.stored(next), this.#episode.table.line[next] ?? 0);
      this.#added += 1;
      if (performance.now() < until) continue;
      await pause();
      if (!isWanted()) return undefined;
      until = performance.now() + SLICE;
    }
    return this.#keep(row);
  }

  #keep(row: number): string {
    const known = this.#texts.get(row);
    if (known !== undefined) return known;
    const text = this.#states.snapshot();
    this.#lastLength = text.length;
    this.#texts.set(row, text);
    this.#units += text.length;
    for (const [oldest, { length }] of this.#texts) {
      if (this.#units <= KEPT_UNITS || oldest === row) break;
      this.#texts.delete(oldest);
      this.#units -= length;
    }
    return text;
  }
}
