import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../json/value.ts';
import { type Evidence, sourceOf } from '../../projection/evidence.ts';
import type { Comparison, Projector } from '../../projection/projector.ts';
import type { ActRow } from './act-row.ts';
import { compareWithState } from './comparison.ts';
import { isMirroredBy } from './mirrored-action.ts';
import { RowFold } from './row-fold.ts';
import { COLUMN } from './rows.ts';

/** Rebuilds the derivable parts of state.json from a log, and compares them with those of a stored one. */
export class NoesisProjector extends RowFold implements Projector {
  #stored: readonly JsonValue[] = [];
  #mirrored = 0;

  /**
   * Gives the actions that a state holds, before any event is added. As long as each action of the log is equal to the
   * one at its place there, nothing is kept of it, and {@link result} does not list it; a log may have a hundred
   * thousand.
   */
  mirrorIn(stored: readonly JsonValue[]): void {
    this.#stored = stored;
  }

  compare(stored: unknown): Comparison {
    return compareWithState(this.evidence(), stored);
  }

  protected override get keptElsewhere(): number {
    return this.#mirrored;
  }

  protected override addActRow(act: ActRow): void {
    const next = this.#next;
    if (next === undefined || !isMirroredBy(act, next)) return super.addActRow(act);
    this.#mirrored += 1;
    // Nobody asks for more than the line, but where it tells of a step.
    const { row, toldStep: told } = act;
    this.noteAct('action', told, false, sourceOf(told && row.text(COLUMN.id), row.line));
  }

  protected override keep(action: JsonObject, source: Evidence): void {
    if (jsonEqual(action, this.#next)) this.#mirrored += 1;
    else {
      this.#stored = [];
      super.keep(action, source);
    }
  }

  /** The stored action at the place of the next; undefined where an earlier one differed. */
  get #next(): JsonObject | undefined {
    const next = this.#stored[this.#mirrored];
    return isObject(next) ? next : undefined;
  }
}
