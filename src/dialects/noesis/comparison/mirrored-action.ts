import { type JsonObject, type JsonValue, jsonEqual } from '../../../json/value.ts';
import type { ActRow } from '../model/act-row.ts';
import { type ActionMembers, writeAction } from '../model/action.ts';

/** Compares the members of two actions. */
class Comparison implements ActionMembers<number> {
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

/**
 * Whether the action of an act equals one in a state. Compares the stored text without building an object.
 */
export function isMirroredBy(act: ActRow, stored: JsonObject): boolean {
  const comparison = new Comparison(act, stored);
  return (
    writeAction(act, comparison) && comparison.isSame && Object.keys(stored).length === comparison.members
  );
}
