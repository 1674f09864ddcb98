import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { sourceOf } from '../../projection/evidence.ts';
import { ActRow } from './act-row.ts';
import { COLUMN, isRollUp, PHASE, PROJECTED_LAYOUT, projectedEvent, tellsNothing } from './rows.ts';
import { NoesisFold } from './state-fold.ts';

/** The fold of a log that is read as rows: most records are never made objects. */
export class RowFold extends NoesisFold {
  readonly layout = PROJECTED_LAYOUT;
  readonly #exact: boolean;
  readonly #read: (record: LogRecord) => JsonObject;
  #act: ActRow | undefined;

  /** `numbers` says whether they count as they are stored, for what is printed, or only by their values. */
  constructor(numbers: 'stored' | 'values' = 'stored') {
    super();
    this.#exact = numbers === 'stored';
    this.#read = this.#exact ? (record) => record.exact : (record) => record.comparable;
  }

  add(record: LogRecord): void {
    this.addEvent(this.#read(record), record.line);
  }

  /** The same for a row; its columns may be those of a wider layout. */
  addRow(row: Row): void {
    if (!this.knowsEpisode) return this.add(row.record);
    if (tellsNothing(row)) return this.passOver();
    if (row.type === PHASE.act && row.isAccepted) return this.addActRow(this.#actAt(row));
    this.addEvent(projectedEvent(row, this.#read), row.line);
  }

  /** Takes in an act by its row. */
  protected addActRow(act: ActRow): void {
    const { row } = act;
    this.addAct(act.action(), act.toldStep, isRollUp(row), sourceOf(row.text(COLUMN.id), row.line));
  }

  #actAt(row: Row): ActRow {
    if (this.#act?.row !== row) this.#act = new ActRow(row, this.#exact);
    return this.#act;
  }
}
