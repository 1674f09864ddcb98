import { hash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import { parseJson } from '../../base/json/parse.ts';
import { jsonEqual } from '../../base/json/value.ts';
import type { EventReporter, LogEnd, LoggedEvent } from '../../findings/check.ts';
import type { FindingCode } from '../../findings/codes.ts';
import type { FindingDraft } from '../../findings/findings.ts';
import type { Severity } from '../../findings/severity.ts';
import { GrowingNumbers } from '../../log/growing-numbers.ts';
import { IdIndex } from '../../log/id-index.ts';

/** How a repeated id is reported: the same record again, or another record under its id. */
interface RepeatRule {
  /** `event/duplicate-id` if absent. */
  readonly code?: FindingCode;
  /** The finding quotes the id. */
  readonly showsId?: true;
  readonly severity: (isSame: boolean) => Severity;
  readonly message: (isSame: boolean, firstLine: number) => string;
}

const USUAL: RepeatRule = {
  severity: (isSame) => (isSame ? 'warn' : 'error'),
  message: (isSame, firstLine) =>
    isSame
      ? `the same record is already on line ${firstLine}`
      : `a different record with this id is on line ${firstLine}`,
};

const RECORDS: RepeatRule = { ...USUAL, code: 'event/repeated-record' };

interface ByteRange {
  readonly start: number;
  readonly length: number;
}

interface Repeat {
  readonly draft: FindingDraft;
  readonly line: number;
  readonly firstLine: number;
  /** The number of ids so far: equal for repeats without a new record between them. */
  readonly known: number;
  readonly first: ByteRange;
  readonly again: ByteRange;
}

/**
 * Reports ids that occur more than once. It keeps only the places of the records, and reads them again at the
 * end of the log to compare them.
 */
export class RepeatedIds {
  readonly #report: EventReporter;
  readonly #rule: RepeatRule;
  readonly #ids = new IdIndex();
  /** By the ordinal of an id: line, start and length of its first record. */
  readonly #lines = new GrowingNumbers(Int32Array);
  readonly #starts = new GrowingNumbers(Float64Array);
  readonly #lengths = new GrowingNumbers(Int32Array);
  readonly #repeats: Repeat[] = [];
  #known = 0;

  constructor(report: EventReporter, rule: RepeatRule = USUAL) {
    this.#report = report;
    this.#rule = rule;
  }

  has(id: string): boolean {
    return this.find(id) >= 0;
  }

  /** Whether the id with this ordinal of another index was added. */
  hasOrdinal(ordinal: number): boolean {
    return this.lineOfOrdinal(ordinal) > 0;
  }

  /** The line of the first record with this ordinal of another index; 0 without one. */
  lineOfOrdinal(ordinal: number): number {
    return this.#lines.get(ordinal);
  }

  /** The ordinal of an id: how many other ids came before it. -1 if it was not added. */
  find(id: string): number {
    return this.#ids.find(id);
  }

  /** Adds the id of a record, which is at `path` in it. Returns whether the id is new. */
  add(logged: LoggedEvent, id: string, path: readonly string[]): boolean {
    const before = this.#ids.add(id, logged.line);
    return this.addOrdinal(logged, before < 0 ? this.#ids.size - 1 : before, path);
  }

  /**
   * Adds an id by its ordinal in another index. -1 means a record without an id, which counts as new. Without
   * a path a repeated id is not reported.
   */
  addOrdinal(logged: LoggedEvent, ordinal: number, path: readonly string[] | undefined): boolean {
    if (ordinal < 0) return true;
    const { line, record } = logged;
    const firstLine = this.#lines.get(ordinal);
    const { from, to } = record.json;
    const again = { start: from, length: to - from };
    if (firstLine === 0) {
      this.#lines.set(ordinal, line);
      this.#starts.set(ordinal, again.start);
      this.#lengths.set(ordinal, again.length);
      this.#known += 1;
      return true;
    }
    if (path === undefined) return false;
    const { code = 'event/duplicate-id', showsId } = this.#rule;
    const actual = showsId && { actual: logged.id as string };
    const draft = this.#report.draft(logged, { code, message: '', path, ...actual });
    const first = { start: this.#starts.get(ordinal), length: this.#lengths.get(ordinal) };
    this.#repeats.push({ draft, line, firstLine, known: this.#known, first, again });
    return false;
  }

  /**
   * Reports the repeats: one finding for records that follow each other again. `isExplained`: whether the program itself
   * repeats records up to this line.
   */
  end({ path }: LogEnd, isExplained: (lastLine: number) => boolean = () => false): void {
    if (this.#repeats.length === 0) return;
    const file = openToRead(path);
    const read = ({ start, length }: ByteRange) => {
      const bytes = Buffer.alloc(length);
      return parseJson(bytes.toString('utf8', 0, readSync(file, bytes, 0, length, start)));
    };
    try {
      let run: Repeat[] = [];
      for (const repeat of this.#repeats) {
        const isSame = jsonEqual(read(repeat.first), read(repeat.again));
        const before = run.at(-1);
        const follows = before?.known === repeat.known && before.firstLine < repeat.firstLine;
        if (!isSame || !follows) {
          this.#reportRun(run, isExplained);
          run = [];
        }
        if (isSame) run.push(repeat);
        else this.#reportOne(repeat, false);
      }
      this.#reportRun(run, isExplained);
    } finally {
      closeSync(file);
    }
  }

  #reportOne({ draft, firstLine }: Repeat, isSame: boolean): void {
    const { severity, message } = this.#rule;
    this.#report.report({ ...draft, severity: severity(isSame), message: message(isSame, firstLine) });
  }

  #reportRun(run: readonly Repeat[], isExplained: (lastLine: number) => boolean): void {
    const [first, last] = [run[0], run.at(-1)];
    if (first === undefined || last === undefined) return;
    const isInfo = isExplained(last.line);
    if (first === last && !isInfo) return this.#reportOne(first, true);
    const what =
      run.length === 1 ? 'this record is' : `${run.length} records from here to line ${last.line} are`;
    const where =
      run.length === 1 ? `line ${first.firstLine}` : `lines ${first.firstLine} to ${last.firstLine}`;
    const why = isInfo ? ': the program writes them again when it compacts a session' : '';
    const message = `${what} in the log already, on ${where}${why}`;
    this.#report.report({ ...first.draft, severity: isInfo ? 'info' : this.#rule.severity(true), message });
  }
}

/** Reports records without an id that are in the log again, byte for byte. */
export class RepeatedRecords {
  readonly #digests: RepeatedIds;

  constructor(report: EventReporter) {
    this.#digests = new RepeatedIds(report, RECORDS);
  }

  /** Returns whether the record is new. */
  add(logged: LoggedEvent): boolean {
    return this.#digests.add(logged, hash('sha1', logged.record.printedBytes, 'base64'), []);
  }

  end(log: LogEnd): void {
    this.#digests.end(log);
  }
}
