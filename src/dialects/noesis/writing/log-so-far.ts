import { severitiesOf } from '../../../findings/catalogue-severities.ts';
import { feed } from '../../../log/feed.ts';
import { AS_STORED } from '../../../log/log-form.ts';
import { LogParser } from '../../../log/parser.ts';
import type { LogRecord } from '../../../log/record.ts';
import { Row } from '../../../log/row.ts';
import { objections } from '../../kit/rules.ts';
import { NOESIS } from '../catalogue.ts';
import { Course } from '../course/course.ts';
import { LAYOUT } from '../event/rows.ts';
import { ruleDoubts, schemaDoubts } from '../rules.ts';
import { RunSoFar } from '../run-so-far.ts';

const SEVERITIES = severitiesOf(NOESIS);

/** A log as the rules of `verify` know it. Asks them about its next event. */
export class LogSoFar {
  readonly #row = new Row(LAYOUT, undefined);
  readonly #run = new RunSoFar(this.#row, new Course(), 0);
  /** Events that were asked about and not taken yet, as they are stored. */
  #asked: string[] = [];
  #line = 0;

  /** Whether an event that was asked about has not been appended. The run contains it, so the log must be read again. */
  get isStale(): boolean {
    return this.#asked.length > 0;
  }

  /** Adds the next record of the log. */
  take(record: LogRecord): void {
    this.#line = record.line;
    // The run contains an event that was asked about.
    if (this.#asked.shift() === undefined) this.#run.take(this.#row.take(record));
  }

  /** The messages of the errors and warnings that `verify` would report because of the next event, as it is stored. */
  objections(text: string): readonly string[] {
    this.#asked.push(text);
    let found: readonly string[] = [];
    const record = (judged: LogRecord) => {
      found = this.#judge(judged);
    };
    const parser = new LogParser(
      AS_STORED,
      { record },
      { lines: this.#line + this.#asked.length - 1, capacity: text.length * 3 + 2 },
    );
    feed(parser, Buffer.from(`${text}\n`));
    return found;
  }

  #judge(record: LogRecord): readonly string[] {
    const row = this.#row.take(record);
    const doubts = [...schemaDoubts(row), ...ruleDoubts(row, this.#run)];
    this.#run.take(row);
    return objections(doubts, SEVERITIES);
  }
}
