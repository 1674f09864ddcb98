import { named } from '../../base/json/write.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { type EventReporter, type LogEnd, type LoggedEvent, ReportingCheck } from '../../findings/check.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import type { Row } from '../../log/row.ts';
import { RepeatedIds } from '../kit/repeated-ids.ts';
import { reportDoubts } from '../kit/rules.ts';
import { type UpcastStep, upcastsIn } from '../kit/upcast-schema.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { FISHBOWL } from './catalogue.ts';
import { envelopeDoubts, payloadDoubts, versionDoubts } from './envelope.ts';
import { type LedgerEvent, readEvent, SCHEMA_VERSION, upcastEvent } from './read.ts';
import { COLUMN, LAYOUT, RowEvent } from './rows.ts';
import { RULES } from './rules.ts';
import { Runs } from './run.ts';

const SEVERITIES = severitiesOf(FISHBOWL);
const LONG_LINE = 64 * 1024;
const ID_PATH = ['id'];

/**
 * Verifies an exported ledger, or one run of it. Ids are always checked over the whole ledger (fishbowl.md §11). Throws
 * `unreadable` for a database, and the file system's error if the ledger cannot be read.
 */
export async function verifyFishbowl(
  target: VerifyTarget,
  options: LogVerifyOptions,
): Promise<EpisodeReport> {
  const upcasts = upcastsIn('fishbowl', options.settings?.['fishbowl']);
  let check: LedgerCheck | undefined;
  return verifyLog(target, options, {
    dialect: 'fishbowl',
    severities: SEVERITIES,
    layout: LAYOUT,
    names: ['log', 'events', 'consistency'],
    missing: 'there is no ledger',
    checks: (report) => {
      check = new LedgerCheck(report, upcasts, target.run);
      return [check];
    },
    events: () => check?.events ?? 0,
  });
}

/**
 * Passes the events of a ledger to the rules of their runs, in the known version. A store keeps only the first event of
 * each id, whatever its run (fishbowl.md §5), so repeats are reported and dropped.
 */
class LedgerCheck extends ReportingCheck {
  /** The number of events in the verified run, or in all. */
  events = 0;
  readonly #upcasts: readonly UpcastStep[];
  readonly #only: string | undefined;
  readonly #ids: RepeatedIds;
  readonly #runs = new Runs();
  /** The id of the first event of each run. */
  readonly #firstIds = new Map<string, string | undefined>();
  #longest = 0;
  #plain: RowEvent | undefined;

  constructor(report: EventReporter, upcasts: readonly UpcastStep[], only: string | undefined) {
    super(report);
    this.#upcasts = upcasts;
    this.#only = only;
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
      this.#other(row);
      return;
    }
    // Reads only the needed members of an accepted event in the known version.
    this.#plain ??= new RowEvent(row);
    const event = this.#plain.next();
    if (!this.#isMine(row, event.runId)) return;
    if (this.#isNew(row)) this.#keep(row, event, row.value(COLUMN.salvaged) === true);
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
    for (const { id, isOver, firstLine } of this.#runs.values()) {
      if (isOver) continue;
      const message = `the run ${named(id)} has no run.finished: it is still running, was abandoned, or died`;
      const remark = { code: 'order/terminate-missing', severity: 'info', message } as const;
      this.report.ifWhole.onLine(firstLine, this.#firstIds.get(id), remark);
    }
  }

  /** Checks an event that has a fault or another version. */
  #other(row: Row): void {
    const stored = row.event;
    const event = upcastEvent(stored, this.#upcasts);
    const { record, line, id } = row;
    const logged = event === stored ? row : { record, line, id, event };
    if (!this.#isMine(row, event['run_id'])) return;
    // Accepted events have no fault. An upcast event is checked in its new form.
    const isSpared = row.isAccepted && event === stored;
    if (!isSpared) reportDoubts(this.report, logged, envelopeDoubts(event));
    reportDoubts(this.report, logged, versionDoubts(event));
    const read = this.#isNew(row) ? readEvent(event) : undefined;
    if (read === undefined) return;
    const { kind, payload } = read;
    if (!isSpared) reportDoubts(this.report, logged, payloadDoubts(kind, payload));
    this.#keep(logged, read, payload['_raw_fallback'] === true);
  }

  /** Whether a record belongs to the verified run. Counts it if so. */
  #isMine(row: Row, run: unknown): boolean {
    const isMine = this.#only === undefined || run === this.#only;
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

  /** Checks an event that a store would keep. */
  #keep(logged: LoggedEvent, event: LedgerEvent, isSalvaged: boolean): void {
    const { runId, kind } = event;
    const run = this.#runs.of(runId);
    if (run.firstLine === 0) this.#firstIds.set(runId, logged.id);
    reportDoubts(this.report, logged, RULES.doubts(kind, event, run));
    run.take(event, logged.line);
    if (!isSalvaged) return;
    const remark = { code: 'event/salvaged', path: ['payload', '_raw_fallback'] } as const;
    this.report.once(`salvaged ${runId}`, logged, remark, (count) => {
      const one = 'the text of one event of this run was';
      const texts = count === 1 ? one : `the texts of ${count} events of this run were`;
      return `${texts} salvaged from answers without the expected form`;
    });
  }
}
