import { formatPath, type JsonPath } from '../../../base/json/path.ts';
import { type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { writeJson } from '../../../base/json/write.ts';
import type { FindingCode } from '../../../findings/codes.ts';
import type { Document } from '../../../findings/document.ts';
import type { Stated } from './log-statements.ts';
import type { EpisodeView } from './view.ts';

/** One of several statements of the same value. */
interface Statement {
  readonly value: JsonValue | undefined;
  /** The place for messages: `start on line 1`, `state.json goal.task`. */
  readonly where: () => string;
  /** Whether it comes from the log, which was recorded as things happened. */
  readonly logged: boolean;
  readonly report: (message: string, expected: string, actual: string) => void;
}

/** A statement with a value. */
type ValuedStatement = Statement & { readonly value: JsonValue };

const isSaid = (statement: Statement): statement is ValuedStatement =>
  statement.value !== undefined && statement.value !== null;

/**
 * Collects statements about one value and reports those that differ. The value of the log counts as right; without one,
 * the most frequent value.
 */
export class Agreement {
  readonly #code: FindingCode;
  readonly #view: EpisodeView;
  readonly #equal: (a: JsonValue, b: JsonValue) => boolean;
  readonly #statements: Statement[] = [];

  constructor(
    view: EpisodeView,
    code: FindingCode,
    equal: (a: JsonValue, b: JsonValue) => boolean = jsonEqual,
  ) {
    this.#view = view;
    this.#code = code;
    this.#equal = equal;
  }

  /** Adds a value from an event's payload. */
  event(phase: string, stated: Stated | undefined, key: string): this {
    if (stated === undefined) return this;
    const { line, id, payload } = stated;
    this.#statements.push({
      value: payload[key],
      where: () => `${phase} on line ${line}`,
      logged: true,
      report: (message, expected, actual) =>
        this.#view.log.onLine(line, id, { code: this.#code, message, expected, actual }),
    });
    return this;
  }

  /** Adds the id in the folder's name, for a log without ids. */
  folder(name: string): this {
    // Sets the value and is never reported as wrong.
    this.#statements.push({ value: name, where: () => 'the folder', logged: true, report: () => {} });
    return this;
  }

  /** Adds a value from an artifact; `read` may convert it. */
  document(
    document: Document | undefined,
    path: JsonPath,
    read?: (value: JsonValue) => JsonValue | undefined,
  ): this {
    if (document === undefined) return this;
    const { state, differing } = this.#view;
    if (document === state && differing.size > 0 && differing.has(formatPath(path))) return this;
    const stored = document.comparableAt(path);
    this.#statements.push({
      value: stored === undefined || read === undefined ? stored : read(stored),
      where: () => `${document.name} ${formatPath(path)}`,
      logged: false,
      report: (message, expected, actual) =>
        document.at({ code: this.#code, message, path, expected, actual }),
    });
    return this;
  }

  settle(): void {
    const said = this.#statements.filter(isSaid);
    const truth = said.find(({ logged }) => logged) ?? this.#mostFrequent(said);
    if (truth === undefined) return;
    for (const { value, where, report } of said) {
      if (this.#equal(truth.value, value)) continue;
      const [wanted, own] = [writeJson(truth.value), writeJson(value)];
      report(`${where()} says ${own}, but ${truth.where()} says ${wanted}`, wanted, own);
    }
  }

  /** The most frequent statement, or the first of several. */
  #mostFrequent(said: readonly ValuedStatement[]): ValuedStatement | undefined {
    const countOf = ({ value: own }: ValuedStatement) =>
      said.filter(({ value }) => this.#equal(own, value)).length;
    return said.reduce<ValuedStatement | undefined>(
      (best, one) => (best === undefined || countOf(one) > countOf(best) ? one : best),
      undefined,
    );
  }
}
