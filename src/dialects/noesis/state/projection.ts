import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { type Evidence, sourceOf } from '../../../findings/projection/evidence.ts';
import type { Comparison, Projector } from '../../../findings/projection/projector.ts';
import type { ActRow } from '../act/act-row.ts';
import { type ActionMembers, writeAction } from '../act/action.ts';
import type { Course } from '../course/course.ts';
import { COLUMN } from '../event/rows.ts';
import { FINAL_FILE, MANIFEST_FILE, SUMMARY_FILE } from '../files/names.ts';
import { compareState } from './comparison.ts';
import { RowFold } from './row-fold.ts';

/** Whether a file exists that is only written after the last state. */
export const hasWrittenLastState = (isThere: (name: string) => boolean): boolean =>
  [SUMMARY_FILE, FINAL_FILE, MANIFEST_FILE].some(isThere);

/** Compares the members of an act's action with a stored action. */
class ActionMatch implements ActionMembers<number> {
  isSame = true;
  members = 0;
  readonly #act: ActRow;
  readonly #other: JsonObject;

  constructor(act: ActRow, other: JsonObject) {
    this.#act = act;
    this.#other = other;
  }

  put(key: string, column: number): void {
    if (!this.isSame) return;
    const other = this.#other[key];
    this.members += 1;
    this.isSame =
      typeof other === 'string'
        ? this.#act.row.isText(column, other)
        : other !== undefined && jsonEqual(this.#act.value(column), other);
  }

  extend(key: string, value: JsonValue): void {
    this.members += 1;
    this.isSame &&= Object.hasOwn(this.#other, key) && jsonEqual(value, this.#other[key]);
  }
}

/** Whether the action of an act equals an action in a state. Compares columns without building an object. */
export function isMirroredBy(act: ActRow, stored: JsonObject): boolean {
  const comparison = new ActionMatch(act, stored);
  return (
    act.isNamed &&
    writeAction(act, comparison) &&
    comparison.isSame &&
    Object.keys(stored).length === comparison.members
  );
}

/** Rebuilds the derivable parts of state.json from a log, and compares them with a stored one. */
export class NoesisProjector extends RowFold implements Projector {
  #stored: readonly JsonValue[] = [];
  #mirrored = 0;
  /** Whether the stored state lists actions. */
  #listsActions = true;
  readonly #finished: boolean;

  /** `finished`: whether the run has written its last state. `course`: see {@link NoesisFold}. */
  constructor(numbers: 'stored' | 'values' = 'stored', finished = false, course?: Course) {
    super(numbers, course);
    this.#finished = finished;
  }

  /**
   * Sets the actions of a stored state; call it before adding events. As long as actions of the log equal them, they are
   * only counted, and {@link result} does not list them: a log may have a hundred thousand.
   */
  mirrorIn(stored: readonly JsonValue[]): void {
    this.#stored = stored;
    this.#listsActions = stored.length > 0;
  }

  compare(stored: unknown): Comparison {
    return compareState(this.evidence(), stored, this.#finished);
  }

  protected override get keepsUnnamed(): boolean {
    return this.#listsActions;
  }

  protected override get keptElsewhere(): number {
    return this.#mirrored;
  }

  protected override addActRow(act: ActRow): void {
    const next = this.#next;
    if (next === undefined || !isMirroredBy(act, next)) return super.addActRow(act);
    this.#mirrored += 1;
    // Keep only the line, except for acts that name a step.
    const { row, namedStep: named } = act;
    this.noteAct('action', named, false, sourceOf(named && row.text(COLUMN.id), row.line));
  }

  protected override keep(action: JsonObject, source: Evidence): void {
    if (jsonEqual(action, this.#next)) this.#mirrored += 1;
    else {
      this.#stored = [];
      super.keep(action, source);
    }
  }

  /** The stored action to compare next; undefined after a difference. */
  get #next(): JsonObject | undefined {
    const next = this.#stored[this.#mirrored];
    return isObject(next) ? next : undefined;
  }
}
