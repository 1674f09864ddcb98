import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';
import { governanceContent } from '../content-ids/ids.ts';
import { COLUMN, PHASE } from '../rows.ts';

/** The payload of an event with its numbers as they are stored. */
function exactPayload({ exact }: LogRecord): JsonObject {
  const { payload } = exact;
  return isObject(payload) ? payload : {};
}

/** A decision that was seen before, by the same id. */
interface Decision {
  readonly line: number;
  readonly content: string;
}

/** Ids that the runtime derives from the content they name (noesis.md §13): an edit that keeps the id is seen. */
export class ContentIdCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #decisions = new Map<string, Decision>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  row(row: Row): void {
    if (row.type === PHASE.governance && row.kind(COLUMN.payload) === 'object') this.#checkDecision(row);
  }

  #checkDecision(logged: LoggedEvent): void {
    const payload = exactPayload(logged.record);
    const id = payload['governance_id'];
    if (typeof id !== 'string') return;
    const content = governanceContent(payload);
    const before = this.#decisions.get(id);
    if (before === undefined) this.#decisions.set(id, { line: logged.line, content });
    else if (before.content !== content) {
      const message = `another decision on line ${before.line} has this governance_id`;
      const path = ['payload', 'governance_id'];
      this.#report.at(logged, { code: 'governance/duplicate-id', message, path, actual: id });
    }
  }
}
