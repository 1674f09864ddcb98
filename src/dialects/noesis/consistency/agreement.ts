import type { FindingCode } from '../../../findings/codes.ts';
import type { Document } from '../../../findings/document.ts';
import type { Severity } from '../../../findings/finding.ts';
import { formatPath, type JsonPath } from '../../../json/path.ts';
import { type JsonValue, jsonEqual } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import type { LogFacts } from '../facts.ts';
import type { EpisodeView } from './view.ts';

/** One statement of a value that several places repeat. */
interface Statement {
  readonly value: JsonValue | undefined;
  /** Where it stands, for the message: `start on line 1`, `state.json goal.task`. */
  readonly where: () => string;
  /** It stands in the log, which is what was recorded as it happened. */
  readonly logged: boolean;
  readonly report: (message: string, expected: string, actual: string) => void;
}

/** A value as a message quotes it. */
export const show = (value: JsonValue | undefined): string =>
  value === undefined ? 'nothing' : writeJson(value);

/**
 * Builds statements, and compares them: the log sets the value, else what most of them say, and each that differs is
 * reported.
 */
export class Agreement {
  readonly #code: FindingCode;
  readonly #view: EpisodeView;
  readonly #severity: Severity | undefined;
  readonly #equal: (a: JsonValue, b: JsonValue) => boolean;
  readonly #statements: Statement[] = [];

  constructor(
    view: EpisodeView,
    code: FindingCode,
    equal: (a: JsonValue, b: JsonValue) => boolean = jsonEqual,
    severity?: Severity,
  ) {
    this.#view = view;
    this.#code = code;
    this.#equal = equal;
    this.#severity = severity;
  }

  /** What an event's payload says. */
  event(phase: string, fact: LogFacts['start'], key: string): this {
    if (fact === undefined) return this;
    const { line, id, payload } = fact;
    this.#statements.push({
      value: payload[key],
      where: () => `${phase} on line ${line}`,
      logged: true,
      report: (message, expected, actual) =>
        this.#view.log.onLine(line, id, { code: this.#code, message, expected, actual, ...this.#weight() }),
    });
    return this;
  }

  /** What an artifact says at a path; `read` may translate it. */
  document(
    document: Document | undefined,
    path: JsonPath,
    read?: (value: JsonValue) => JsonValue | undefined,
  ): this {
    if (document === undefined) return this;
    if (document === this.#view.state && this.#view.told.has(formatPath(path))) return this;
    const stored = document.comparableAt(path);
    this.#statements.push({
      value: stored === undefined || read === undefined ? stored : read(stored),
      where: () => `${document.name} ${formatPath(path)}`,
      logged: false,
      report: (message, expected, actual) =>
        document.at({ code: this.#code, message, path, expected, actual, ...this.#weight() }),
    });
    return this;
  }

  settle(): void {
    const said = this.#statements.filter(({ value }) => value !== undefined && value !== null);
    const truth = said.find(({ logged }) => logged) ?? this.#mostSaid(said);
    if (truth?.value === undefined) return;
    for (const statement of said) {
      const { value, where, report } = statement;
      if (statement === truth || value === undefined || this.#equal(truth.value, value)) continue;
      report(
        `${where()} says ${show(value)}, ${truth.where()} says ${show(truth.value)}`,
        show(truth.value),
        show(value),
      );
    }
  }

  /** The first statement that no other has more company than. */
  #mostSaid(said: readonly Statement[]): Statement | undefined {
    const company = ({ value: own }: Statement) =>
      said.filter(({ value }) => own !== undefined && value !== undefined && this.#equal(own, value)).length;
    return said.reduce<Statement | undefined>(
      (best, one) => (best === undefined || company(one) > company(best) ? one : best),
      undefined,
    );
  }

  #weight(): { severity?: Severity } {
    return this.#severity === undefined ? {} : { severity: this.#severity };
  }
}
