import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import type { Comparison, Projector } from '../../projection/projector.ts';
import { compareWithState } from './comparison.ts';
import { isMirroredBy } from './mirrored-action.ts';
import { COLUMN, LAYOUT, PHASE, projectedEvent, tellsNothing } from './rows.ts';
import { NoesisFold } from './state-fold.ts';

/** Rebuilds the derivable parts of state.json from a log, by its rows where it is read as such, and compares them. */
export class NoesisProjector extends NoesisFold implements Projector {
  readonly layout = LAYOUT;
  readonly #read: (record: LogRecord) => JsonObject;

  /** `read` says how a record is read where its numbers count: as they are stored unless said otherwise. */
  constructor(read: (record: LogRecord) => JsonObject = (record) => record.exact) {
    super();
    this.#read = read;
  }

  add(record: LogRecord): void {
    this.addEvent(this.#read(record), record.line);
  }

  /** The same for a row. */
  addRow(row: Row): void {
    if (this.knowsEpisode && tellsNothing(row)) return this.passOver();
    const mirror = this.knowsEpisode && row.type === PHASE.act ? this.nextMirror : undefined;
    if (mirror !== undefined && isMirroredBy(row, mirror)) return this.#addMirroredRow(row, mirror);
    const event = this.knowsEpisode ? projectedEvent(row, this.#read) : this.#read(row.record);
    this.addEvent(event, row.line);
  }

  /** Of an action that is stored as it is nobody asks for more than the line, but where it tells of a step. */
  #addMirroredRow(row: Row, mirror: JsonObject): void {
    const [id, status] = [row.text(COLUMN.step), row.text(COLUMN.stepStatus)];
    const told = id && status ? { id, status } : undefined;
    const eventId = told && row.text(COLUMN.id);
    this.addMirrored(mirror, told, eventId === undefined ? { line: row.line } : { eventId, line: row.line });
  }

  compare(stored: unknown): Comparison {
    return compareWithState(this.evidence(), stored);
  }
}
