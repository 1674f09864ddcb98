import type { FindingCode } from '../../../findings/codes.ts';
import type { Document } from '../../../findings/document.ts';

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

/** A statement that says something. */
type Said = Statement & { readonly value: JsonValue };

const isSaid = (statement: Statement): statement is Said =>
  statement.value !== undefined && statement.value !== null;

/**
 * Builds statements, and compares them: the log sets the value, else what most of them say, and each that differs is
 * reported.
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

  /** What an event's payload says. */
  event(phase: string, fact: LogFacts['start'], key: string): this {
    if (fact === undefined) return this;
    const { line, id, payload } = fact;
    this.#statements.push({
      value: payload[key],
      where: () => `${phase} on line ${line}`,
      logged: true,
      report: (message, expected, actual) =>
        this.#view.log.onLine(line, id, { code: this.#code, message, expected, actual }),
    });
    return this;
  }

  /** What the name of the folder says, if the log says nothing. */
  folder(name: string): this {
    // It sets the value, and is never the one to blame.
    this.#statements.push({ value: name, where: () => 'the directory', logged: true, report: () => {} });
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
        document.at({ code: this.#code, message, path, expected, actual }),
    });
    return this;
  }

  settle(): void {
    const said = this.#statements.filter(isSaid);
    const truth = said.find(({ logged }) => logged) ?? this.#mostSaid(said);
    if (truth === undefined) return;
    const wanted = writeJson(truth.value);
    for (const { value, where, report } of said) {
      if (this.#equal(truth.value, value)) continue;
      const own = writeJson(value);
      report(`${where()} says ${own}, ${truth.where()} says ${wanted}`, wanted, own);
    }
  }

  /** The first statement that no other has more company than. */
  #mostSaid(said: readonly Said[]): Said | undefined {
    const company = ({ value: own }: Said) => said.filter(({ value }) => this.#equal(own, value)).length;
    return said.reduce<Said | undefined>(
      (best, one) => (best === undefined || company(one) > company(best) ? one : best),
      undefined,
    );
  }
}
