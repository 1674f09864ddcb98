import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { WrittenObjects } from '../../../base/json/written-objects.ts';
import type { RecordFold } from '../../../findings/projection/projector.ts';
import type { ActRow } from '../act/act-row.ts';
import { type ActionMembers, writeAction } from '../act/action.ts';
import { RowFold } from './row-fold.ts';

/** How deep actions are nested in a state. */
const DEPTH = 2;

/** Writes the members of an action, if possible with the bytes of the log. */
class WrittenAction implements ActionMembers<number> {
  readonly #act: ActRow;
  readonly #into: WrittenObjects;

  constructor(act: ActRow, into: WrittenObjects) {
    this.#act = act;
    this.#into = into;
  }

  put(key: string, column: number): void {
    const { row } = this.#act;
    const isText = this.#act.isText(column);
    const isCopied = isText
      ? this.#into.copy(key, row, column)
      : this.#into.copyJson(key, row.storedBytes(column));
    if (!isCopied) this.#into.member(key, this.#act.value(column));
  }

  extend(key: string, value: JsonValue): void {
    this.#into.member(key, value);
  }
}

/** A projection for printing: it keeps actions as text, which takes less memory. */
export class WrittenProjection extends RowFold implements RecordFold {
  readonly #actions: WrittenObjects;

  /** `indent`: spaces per level. */
  constructor(indent: number) {
    super('stored');
    this.#actions = new WrittenObjects(indent, DEPTH);
  }

  protected override get keptElsewhere(): number {
    return this.#actions.length;
  }

  protected override get listed(): WrittenObjects | undefined {
    return this.#actions.length > 0 ? this.#actions : undefined;
  }

  protected override addActRow(act: ActRow): void {
    if (!act.isNamed || !writeAction(act, new WrittenAction(act, this.#actions))) return super.addActRow(act);
    this.#actions.end();
    // Printed output needs no evidence.
    this.noteAct('action', act.namedStep, false, { line: act.row.line });
  }

  protected override keep(action: JsonObject): void {
    for (const [key, value] of Object.entries(action)) this.#actions.member(key, value);
    this.#actions.end();
  }
}
