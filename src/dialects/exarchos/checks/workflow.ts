import type { JsonObject } from '../../../base/json/value.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { reportDoubts } from '../../kit/rules.ts';
import { SHARED_STREAMS } from '../names.ts';
import { COLUMN, type StreamEvent } from '../rows.ts';
import { RULES } from '../rules.ts';
import { type WorkflowEvent, WorkflowRun, workflowEvent } from '../run.ts';

/** An accepted record as an event. One object serves all records, so it is only valid until the next. */
class RowWorkflowEvent implements WorkflowEvent {
  event: JsonObject = {};
  type = '';
  task = -1;
  readonly #row: Row;
  readonly #empty: number;

  constructor(row: Row) {
    this.#row = row;
    this.#empty = row.texts.intern('');
  }

  /** Moves to the next record. */
  next(event: JsonObject, type: string): this {
    this.event = event;
    this.type = type;
    const task = this.#row.ordinal(COLUMN.taskId);
    this.task = task === this.#empty ? -1 : task;
    return this;
  }

  get agent(): string | undefined {
    return this.#row.text(COLUMN.claimant);
  }
}

/** Passes the events of each stream to the rules of its workflow. */
export class WorkflowCheck extends ReportingCheck {
  #accepted: RowWorkflowEvent | undefined;
  readonly #runs = new Map<string, WorkflowRun>();
  /** Doubts that missing events before may explain. */
  readonly #open = this.report.later();

  row(logged: StreamEvent): void {
    const { event: stored, line, stream, row } = logged;
    const { type } = stored;
    // Streams of the program have no workflow, but may have evaluations.
    if (typeof type !== 'string' || (SHARED_STREAMS.has(stream) && !type.startsWith('eval.'))) return;
    let run = this.#runs.get(stream);
    if (run === undefined) {
      run = new WorkflowRun(row.texts, stored);
      this.#runs.set(stream, run);
    }
    this.#accepted ??= new RowWorkflowEvent(row);
    const event = row.isAccepted ? this.#accepted.next(stored, type) : workflowEvent(stored, run);
    for (const { ifWhole, ...doubt } of RULES.doubts(type, event, run))
      reportDoubts(ifWhole ? this.#open : this.report, logged, [doubt]);
    run.take(event, line);
  }

  /** Reports the doubts that a gap could explain. Call it only if there is none. */
  settle(): void {
    this.report.confirm(this.#open);
  }
}
