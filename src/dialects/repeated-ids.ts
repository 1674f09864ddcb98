import { createHash } from 'node:crypto';
import type { EventReporter, LoggedEvent } from '../findings/check.ts';
import { IdIndex } from '../log/id-index.ts';

/** Ids that stand twice in a log: the same record again is a warning, another one under its id an error. */
export class RepeatedIds {
  readonly #report: EventReporter;
  readonly #ids = new IdIndex();
  /** Of the records of the ids, by their ordinals. */
  readonly #digests: string[] = [];

  constructor(report: EventReporter) {
    this.#report = report;
  }

  /** Whether an id is among those seen. */
  has(id: string): boolean {
    return this.find(id) >= 0;
  }

  /** How many different ids came before an id first did; -1 for one that is not among those seen. */
  find(id: string): number {
    return this.#ids.find(id);
  }

  /** Takes in the id of the record in hand, which stands at `path`; whether it is new. */
  add(logged: LoggedEvent, id: string, path: readonly string[]): boolean {
    const { record, line } = logged;
    const { bytes, valueStart, valueEnd } = record;
    const digest = createHash('sha1').update(bytes.subarray(valueStart, valueEnd)).digest('base64');
    const before = this.#ids.add(id, line);
    if (before < 0) {
      this.#digests.push(digest);
      return true;
    }
    const isSame = this.#digests[before] === digest;
    const first = this.#ids.lineOf(before);
    this.#report.at(logged, {
      code: 'event/duplicate-id',
      severity: isSame ? 'warn' : 'error',
      message: isSame
        ? `the same record stands on line ${first} already`
        : `another record with this id stands on line ${first}`,
      path,
    });
    return false;
  }
}
