import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../json/value.ts';
import { type Evidence, sourceOf } from '../../projection/evidence.ts';
import type { Projector } from '../../projection/projector.ts';
import type { ActRow } from './act-row.ts';
import { FINAL_FILE, MANIFEST_FILE, SUMMARY_FILE } from './artifacts/names.ts';
import { compareState, type NoesisComparison } from './comparison.ts';
import { isMirroredBy } from './mirrored-action.ts';
import { RowFold } from './row-fold.ts';
import { COLUMN } from './rows.ts';

/** Whether files are there that a run only writes after its last state. */
export const hasWrittenLastState = (isThere: (name: string) => boolean): boolean =>
  [SUMMARY_FILE, FINAL_FILE, MANIFEST_FILE].some(isThere);

/** Rebuilds the derivable parts of state.json from a log, and compares them with those of a stored one. */
export class NoesisProjector extends RowFold implements Projector {
  #stored: readonly JsonValue[] = [];
  #mirrored = 0;
  readonly #finished: boolean;

  /** `finished`: what is only written after the last state is there. */
  constructor(numbers: 'stored' | 'values' = 'stored', finished = false) {
    super(numbers);
    this.#finished = finished;
  }

  /**
   * Gives the actions that a state holds, before any event is added. As long as each action of the log is equal to the
   * one at its place there, nothing is kept of it, and {@link result} does not list it; a log may have a hundred
   * thousand.
   */
  mirrorIn(stored: readonly JsonValue[]): void {
    this.#stored = stored;
  }

  /** `finished`: the run is known to have written its last state, also where the log does not say so. */
  compare(stored: unknown, finished = this.#finished): NoesisComparison {
    return compareState(this.evidence(), stored, finished);
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
