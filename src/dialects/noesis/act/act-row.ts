import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import type { Row } from '../../../log/row.ts';
import { isTruthy } from '../event/kinds.ts';
import { COLUMN } from '../event/rows.ts';
import { isExtension } from '../event/vocabulary.ts';
import type { NamedStep } from '../plan/plan-fold.ts';
import { type Act, type ActMember, isNamed, writeAction } from './action.ts';

const COLUMN_OF: Readonly<Record<ActMember, number>> = {
  synthetic: COLUMN.synthetic,
  action_id: COLUMN.action,
  kind: COLUMN.kind,
  tool: COLUMN.tool,
  input_excerpt: COLUMN.input,
  result_status: COLUMN.result,
  outcome: COLUMN.outcome,
  step_id: COLUMN.step,
  provenance: COLUMN.provenance,
  result_artifacts: COLUMN.artifacts,
};

const NONE: readonly (readonly [string, JsonValue])[] = [];

/** The current act of a log that is read as rows. A value is represented by its column. */
export class ActRow implements Act<number> {
  readonly row: Row;
  /** Whether values have numbers as stored, instead of doubles. */
  readonly #exact: boolean;

  constructor(row: Row, exact: boolean) {
    this.row = row;
    this.#exact = exact;
  }

  get(member: ActMember): number | undefined {
    const column = COLUMN_OF[member];
    const kind = this.row.kind(column);
    return kind === undefined || kind === 'null' ? undefined : column;
  }

  get time(): number | undefined {
    if (this.isText(COLUMN.timestamp)) return COLUMN.timestamp;
    return this.isText(COLUMN.completed) ? COLUMN.completed : undefined;
  }

  isText(column: number): boolean {
    return this.row.kind(column) === 'string';
  }

  isTruthy(column: number): boolean {
    const kind = this.row.kind(column);
    if (kind === 'string') return !this.row.isText(column, '');
    return kind === 'object' || kind === 'array' ? this.row.isFilled(column) : isTruthy(this.value(column));
  }

  extensions(): Iterable<readonly [string, JsonValue]> {
    const { row } = this;
    if (!row.hasOthers(COLUMN.others))
      return row.kind(COLUMN.governedBy) === undefined
        ? NONE
        : [['x-action_candidate_id', this.value(COLUMN.governedBy)]];
    const payload = this.value(COLUMN.payload);
    return isObject(payload) ? Object.entries(payload).filter(([key]) => isExtension(key)) : NONE;
  }

  /** The value of a column, which must exist. */
  value(column: number): JsonValue {
    const { row } = this;
    const isExact = this.#exact || row.record.mayRound;
    return row.text(column) ?? ((isExact ? row.exact(column) : row.value(column)) as JsonValue);
  }

  /** The step that the act names; see `stepOf`. */
  get namedStep(): NamedStep | undefined {
    const id = this.row.text(COLUMN.step);
    return id ? { id, status: this.row.text(COLUMN.stepStatus) || undefined } : undefined;
  }

  /** Whether the action has an id. */
  get isNamed(): boolean {
    return isNamed(this);
  }

  /** The action as an object; undefined for a roll-up. */
  action(): JsonObject | undefined {
    const action: JsonObject = {};
    const isAction = writeAction(this, {
      put: (key, column) => {
        action[key] = this.value(column);
      },
      extend: (key, value) => {
        action[key] = value;
      },
    });
    return isAction ? action : undefined;
  }
}
