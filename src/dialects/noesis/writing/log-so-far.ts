import { severitiesOf } from '../../../findings/catalogue-severities.ts';
import { EventReporter } from '../../../findings/check.ts';
import { type FindingDraft, Findings } from '../../../findings/findings.ts';
import { DEFAULT_POLICY } from '../../../findings/policy.ts';
import { feed } from '../../../log/feed.ts';
import { LogParser } from '../../../log/parser.ts';
import type { LogRecord } from '../../../log/record.ts';
import { Row } from '../../../log/row.ts';
import { objections } from '../../kit/rules.ts';
import { NOESIS } from '../catalogue.ts';
import { LAYOUT } from '../event/rows.ts';
import { eventRules } from '../event-checks.ts';
import { LOG_FILE } from '../files/names.ts';

const SEVERITIES = severitiesOf(NOESIS);

type Found = Parameters<Findings['reportAt']>;

/** Keeps the findings about one event, and forgets those about the events before it. */
class FoundHere extends Findings {
  readonly #into: FindingDraft[];

  constructor(into: FindingDraft[]) {
    super({ ...DEFAULT_POLICY, maxFindings: 0 });
    this.#into = into;
  }

  override report(draft: FindingDraft): void {
    this.#into.push(draft);
  }

  override reportAt({ severity }: Found[0], rest: Found[1]): void {
    this.report({ ...(severity && { severity }), ...rest() });
  }

  override once(_key: string, first: () => FindingDraft, words: (count: number) => string | undefined): void {
    const message = words(1);
    if (message !== undefined) this.report({ ...first(), message });
  }

  /** An event is only appended to an intact log. */
  override get ifWhole(): Findings {
    return this;
  }

  override later(): Findings {
    return new FoundHere(this.undecided);
  }

  /** Findings that only count if the log's ids are hashes of their content. */
  readonly undecided: FindingDraft[] = [];
}

/** A log as the rules of `verify` know it. Asks them about its next event. */
export class LogSoFar {
  readonly #found: FindingDraft[] = [];
  readonly #findings = new FoundHere(this.#found);
  readonly #rules = eventRules(new EventReporter(this.#findings, LOG_FILE), false);
  readonly #row = new Row(LAYOUT, undefined);
  readonly #rows = this.#rules.checks.flatMap((check) =>
    check.row ? [{ see: check.row.bind(check), types: check.types }] : [],
  );
  /** Events that were asked about and not taken yet, as they are stored. */
  #asked: string[] = [];
  #line = 0;

  /** Whether an event that was asked about has not been appended. The rules know it, so the log must be read again. */
  get isStale(): boolean {
    return this.#asked.length > 0;
  }

  /** Adds the next record of the log. */
  take(record: LogRecord): void {
    this.#line = record.line;
    // The rules know an event that they have been asked about.
    if (this.#asked.shift() !== undefined) return;
    this.#see(record);
    this.#forget();
  }

  /** The messages of the errors and warnings that `verify` would report because of the next event, as it is stored. */
  objections(text: string): string[] {
    this.#asked.push(text);
    const line = this.#line + this.#asked.length;
    const parser = new LogParser(
      { record: (record) => this.#judge(record), corrupt: () => {} },
      { lines: line - 1, capacity: text.length * 3 + 2 },
    );
    feed(parser, Buffer.from(`${text}\n`));
    const { lineage, references, contentIds } = this.#rules;
    const later = contentIds.foreign === undefined ? this.#findings.undecided : [];
    const all = [...this.#found, ...later, ...lineage.pendingAt(line), ...references.pendingAt(line)];
    this.#forget();
    return objections(all, SEVERITIES);
  }

  #judge(record: LogRecord): void {
    this.#row.take(record);
    for (const check of this.#rules.checks) check.refused?.(this.#row);
    this.#see(record);
  }

  #see(record: LogRecord): void {
    const row = this.#row.take(record);
    for (const { see, types } of this.#rows) if (types?.has(row.type) !== false) see(row);
  }

  #forget(): void {
    this.#found.length = 0;
    this.#findings.undecided.length = 0;
  }
}
