import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import { reportDoubts } from '../../kit/rules.ts';
import { contentDoubts } from '../content.ts';
import { type PlanEvent, planEvent } from '../plan-event.ts';
import { detailOf, readEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { RULES } from '../rules.ts';
import { CoordinatorRun } from '../run.ts';
import { RevisionReader } from '../upcasters.ts';
import { NamelessCheck } from './nameless.ts';

/**
 * An accepted record as an event: its type is known, and its members are where the documents put them. One object serves
 * all records, so it is only valid until the next.
 */
class RowPlanEvent implements PlanEvent {
  readonly stored: JsonObject;
  readonly typeKey = 'event_type';
  readonly older = false;
  type = '';
  sessionId: string | undefined;
  agent = -1;
  task = -1;
  readonly #row: Row;
  readonly #empty: number;

  constructor(row: Row) {
    this.#row = row;
    this.stored = eventBehind(row);
    this.#empty = row.texts.intern('');
  }

  /** Moves to the next record. */
  next(): this {
    // The tables only accept known types.
    this.type = this.#row.text(COLUMN.event_type) as string;
    this.sessionId = this.#row.text(COLUMN.session_id);
    this.agent = this.#idIn(COLUMN.agent_id);
    this.task = this.#idIn(COLUMN.task_id);
    return this;
  }

  readonly detail = (name: string): JsonValue | undefined => detailOf(this.stored, name);

  /** The ordinal of an id; -1 for an empty text. */
  #idIn(column: number): number {
    const ordinal = this.#row.ordinal(column);
    return ordinal === this.#empty ? -1 : ordinal;
  }
}

/** Passes the events of a log, in the current form, to the rules of a plan. */
export class PlanCheck extends ReportingCheck {
  readonly #revisions = new RevisionReader();
  readonly #nameless = new NamelessCheck(this.report);
  #run: CoordinatorRun | undefined;
  #accepted: RowPlanEvent | undefined;

  row(row: Row): void {
    this.#run ??= new CoordinatorRun(row.texts);
    if (row.isAccepted) this.#takeAccepted(row, this.#run);
    else this.#take(row, this.#run);
  }

  #takeAccepted(row: Row, run: CoordinatorRun): void {
    this.#accepted ??= new RowPlanEvent(row);
    const event = this.#accepted.next();
    // Accepted events name a session, so later events are not of older revisions.
    this.#revisions.read(event.stored);
    const doubts = RULES.doubts(event.type, event, run);
    if (doubts.length > 0) {
      const { record, line } = row;
      // The tables only accept members of the envelope, and none of them is an event id.
      reportDoubts(this.report, { record, line, id: undefined, event: event.stored }, doubts);
    }
    run.take(event, row.line);
    this.#nameless.named();
  }

  #take(row: Row, run: CoordinatorRun): void {
    const stored = row.event;
    const current = this.#revisions.read(stored);
    const read = readEvent(current);
    if (read === undefined) return;
    const older = current !== stored;
    const event = planEvent(read, run, older);
    this.#nameless.add(row, event);
    reportDoubts(this.report, row, contentDoubts(read, older));
    reportDoubts(this.report, row, RULES.doubts(event.type, event, run));
    run.take(event, row.line);
  }

  end(): void {
    this.#nameless.end();
  }
}
