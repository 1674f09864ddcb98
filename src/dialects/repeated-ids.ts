import { createHash } from 'node:crypto';
import type { EventReporter, LoggedEvent } from '../findings/check.ts';

/** Ids that stand twice in a log: the same record again is a warning, another one under its id an error. */
export class RepeatedIds {
  /** The lines of records whose id stood before: what else is said of them follows from that. */
  readonly lines = new Set<number>();
  readonly #report: EventReporter;
  readonly #seen = new Map<string, { readonly line: number; readonly digest: string }>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  /** Whether an id is among those seen. */
  has(id: string): boolean {
    return this.#seen.has(id);
  }

  /** Takes in the id of the record in hand, which stands at `path`; whether it is new. */
  add(logged: LoggedEvent, id: string, path: readonly string[]): boolean {
    const { record, line } = logged;
    const { bytes, valueStart, valueEnd } = record;
    const digest = createHash('sha1').update(bytes.subarray(valueStart, valueEnd)).digest('base64');
    const before = this.#seen.get(id);
    if (before === undefined) {
      this.#seen.set(id, { line, digest });
      return true;
    }
    this.lines.add(line);
    const isSame = before.digest === digest;
    this.#report.at(logged, {
      code: 'event/duplicate-id',
      severity: isSame ? 'warn' : 'error',
      message: isSame
        ? `the same record stands on line ${before.line} already`
        : `another record with this id stands on line ${before.line}`,
      path,
    });
    return false;
  }
}
