import type { Gap } from './missing-parents.ts';
import type { SessionTurn } from './session.ts';

/** The records that are missing, and the turns that the program worked on then. Each may have been the result of a call. */
export class MissingResults {
  readonly #gaps: { readonly gap: Gap; readonly turn: SessionTurn | undefined }[] = [];

  /** How many records are missing so far. */
  get count(): number {
    return this.#gaps.length;
  }

  /** `turn`: that which the program works on. */
  add(gap: Gap, turn: SessionTurn | undefined): void {
    this.#gaps.push({ gap, turn });
  }

  /** Finds out whether the result of a call may be in a missing record. `gaps`: how many were missing when it had none. */
  askedOf(): (call: { readonly turn: SessionTurn | undefined; readonly gaps: number }) => boolean {
    let [last, lastOutside] = [0, 0];
    const lastOf = new Map<SessionTurn, number>();
    for (const [index, { gap, turn }] of this.#gaps.entries()) {
      if (gap.isFilled) continue;
      last = index + 1;
      if (turn === undefined) lastOutside = last;
      else lastOf.set(turn, last);
    }
    return ({ turn, gaps }) => (turn ? Math.max(lastOutside, lastOf.get(turn) ?? 0) : last) > gaps;
  }
}
