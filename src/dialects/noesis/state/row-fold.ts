import type { JsonObject } from '../../../base/json/value.ts';
import { sourceOf } from '../../../findings/projection/evidence.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';
import { ActRow } from '../act/act-row.ts';
import type { Course } from '../course/course.ts';
import { COLUMN, isIgnored, isRollUp, PHASE, PROJECTED_LAYOUT, projectedEvent } from '../event/rows.ts';
import { PHASES } from '../event/vocabulary.ts';
import { NoesisFold } from './state-fold.ts';

/** By the number of a phase: an event of it that says nothing else. */
const OF_PHASE = PHASES.map((phase) => ({ phase }));

/** Rebuilds the state from rows, so that most records are never parsed. */
export class RowFold extends NoesisFold {
  readonly layout = PROJECTED_LAYOUT;
  readonly #exact: boolean;
  readonly #read: (record: LogRecord) => JsonObject;
  #act: ActRow | undefined;

  /** `numbers`: as stored, for printing, or as doubles. `course`: see {@link NoesisFold}. */
  constructor(numbers: 'stored' | 'values' = 'stored', course?: Course) {
    super(course);
    this.#exact = numbers === 'stored';
    this.#read = this.#exact ? (record) => record.exact : (record) => record.comparable;
  }

  add(record: LogRecord): void {
    this.addEvent(this.#read(record), record.line);
  }

  /** Adds a row. Its layout may have more columns than {@link layout}. */
  addRow(row: Row): void {
    if (!this.knowsEpisode) return this.add(row.record);
    if (isIgnored(row) && (row.type !== PHASE.observe || this.hasObserved)) return this.#pass(row);
    if (row.type === PHASE.act && row.isAccepted) {
      this.#pass(row);
      return this.addActRow(this.#actAt(row));
    }
    this.addEvent(projectedEvent(row, this.#read), row.line);
  }

  #pass({ type, line }: Row): void {
    this.follow(OF_PHASE[type] ?? {}, line);
  }

  protected addActRow(act: ActRow): void {
    const { row } = act;
    const action = act.isNamed || this.keepsUnnamed ? act.action() : undefined;
    this.addAct(action, act.namedStep, isRollUp(row), sourceOf(row.text(COLUMN.id), row.line));
  }

  #actAt(row: Row): ActRow {
    if (this.#act?.row !== row) this.#act = new ActRow(row, this.#exact);
    return this.#act;
  }
}
