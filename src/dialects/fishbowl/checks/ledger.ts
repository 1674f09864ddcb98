import { type EventReporter, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { RepeatedIds } from '../../kit/repeated-ids.ts';
import type { UpcastStep } from '../../kit/upcast-schema.ts';
import { type LedgerEvent, readEvent, SCHEMA_VERSION, upcastEvent } from '../read.ts';
import { COLUMN, RowEvent } from '../rows.ts';
import { coerceInteger } from '../schema/coerce.ts';
import { reportEnvelope, reportPayload } from './envelope.ts';
import { RunsCheck } from './runs.ts';

const LONG_LINE = 64 * 1024;
const ID_PATH = ['id'];

/**
 * Passes the events of a ledger to the checks of runs, in the known version. A store keeps only the first event of each
 * id, whatever its run (fishbowl.md §5), so repeats are reported and dropped.
 */
export class LedgerCheck extends ReportingCheck {
  /** The number of events in the verified run, or in all. */
  events = 0;
  readonly #upcasts: readonly UpcastStep[];
  readonly #run: string | undefined;
  readonly #ids: RepeatedIds;
  readonly #runs = new RunsCheck(this.report);
  #longest = 0;
  #plain: RowEvent | undefined;

  constructor(report: EventReporter, upcasts: readonly UpcastStep[], run: string | undefined) {
    super(report);
    this.#upcasts = upcasts;
    this.#run = run;
    this.#ids = new RepeatedIds(report, {
      showsId: true,
      severity: (isSame) => (isSame ? 'info' : 'error'),
      message: (isSame, line) =>
        isSame
          ? `the event repeats the one on line ${line}; a store keeps only one`
          : `another event with this id is on line ${line}; a store keeps that one and silently drops this one`,
    });
  }

  row(row: Row): void {
    if (!row.isAccepted || row.number(COLUMN.schema_version) !== SCHEMA_VERSION) {
      this.#take(row);
      return;
    }
    // Reads only the needed members of an accepted event in the known version.
    this.#plain ??= new RowEvent(row);
    const event = this.#plain.next();
    if (!this.#isMine(row, event.runId)) return;
    if (this.#isNew(row)) this.#keep(row, event, row.value(COLUMN.salvaged) === true);
  }

  end(log: Parameters<RepeatedIds['end']>[0]): void {
    this.#ids.end(log);
    this.#runs.end();
  }

  #take(row: Row): void {
    const stored = row.event;
    const event = upcastEvent(stored, this.#upcasts);
    const { record, line, id } = row;
    const logged = event === stored ? row : { record, line, id, event };
    if (!this.#isMine(row, event['run_id'])) return;
    // Accepted events have no fault. An upcast event is checked in its new form.
    const isSpared = row.isAccepted && event === stored;
    if (!isSpared) reportEnvelope(this.report, logged);
    this.#version(logged);
    const read = this.#isNew(row) ? readEvent(event) : undefined;
    if (read === undefined) return;
    if (!isSpared) reportPayload(this.report, logged, read);
    this.#keep(logged, read, read.payload['_raw_fallback'] === true);
  }

  /** Whether a record belongs to the verified run. Counts it if so. */
  #isMine(row: Row, run: unknown): boolean {
    const isMine = this.#run === undefined || run === this.#run;
    if (isMine) this.events += 1;
    // Keep the ids of other runs, but do not report repeats of them.
    else this.#ids.addOrdinal(row, row.ordinal(COLUMN.id), undefined);
    return isMine;
  }

  #isNew(row: Row): boolean {
    this.#length(row);
    return this.#ids.addOrdinal(row, row.ordinal(COLUMN.id), ID_PATH);
  }

  /** Notes lines that do not fit into a buffer of 64 KiB (fishbowl.md §6, §11). */
  #length(row: Row): void {
    const { byteStart, byteEnd } = row.record;
    if (byteEnd - byteStart <= LONG_LINE) return;
    this.#longest = Math.max(this.#longest, byteEnd - byteStart);
    this.report.once('long line', row, { code: 'event/long-line' }, (count) => {
      const lines = count === 1 ? 'a line is' : `${count} lines are`;
      return `${lines} longer than 64 KiB, the longest ${this.#longest} bytes; this is the first`;
    });
  }

  #version(logged: LoggedEvent): void {
    const version = coerceInteger(logged.event['schema_version']);
    if (version === undefined || version === SCHEMA_VERSION) return;
    const message = `schema_version is ${version}; the only known version is ${SCHEMA_VERSION}, so the event is read as that`;
    const remark = { code: 'event/schema-version', path: ['schema_version'], actual: `${version}` } as const;
    this.report.at(logged, { ...remark, message });
  }

  /** Checks an event that a store would keep. */
  #keep(logged: LoggedEvent, event: LedgerEvent, isSalvaged: boolean): void {
    this.#runs.row(logged, event);
    if (!isSalvaged) return;
    const remark = { code: 'event/salvaged', path: ['payload', '_raw_fallback'] } as const;
    this.report.once(`salvaged ${event.runId}`, logged, remark, (count) => {
      const one = 'the text of one event of this run was';
      const texts = count === 1 ? one : `the texts of ${count} events of this run were`;
      return `${texts} salvaged from answers without the expected form`;
    });
  }
}
