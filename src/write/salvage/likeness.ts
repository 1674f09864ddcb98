import { parseJson } from '../../base/json/parse.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { LogRecord } from '../../log/record.ts';
import type { LooksLikeRecord } from './whole-records.ts';

/** The number of records that show what the records of a log have in common. */
const SAMPLE = 50;

/** Learns from intact records which members every record of a log has. */
export class Likeness {
  readonly #dialect: Dialect;
  readonly #fileName: string;
  #common: Set<string> | undefined;
  #seen = 0;

  constructor(dialect: Dialect, fileName: string) {
    this.#dialect = dialect;
    this.#fileName = fileName;
  }

  /** Whether it has seen enough records. */
  get isSure(): boolean {
    return this.#seen >= SAMPLE;
  }

  learn(record: LogRecord): void {
    if (this.isSure) return;
    this.#seen += 1;
    const keys = Object.keys(record.value);
    this.#common = new Set(this.#common ? keys.filter((key) => this.#common?.has(key)) : keys);
  }

  readonly test: LooksLikeRecord = (text, strictly) => {
    const value = parseJson(text) as JsonObject;
    const common = [...(this.#common ?? [])];
    const shared = common.filter((key) => Object.hasOwn(value, key)).length;
    // One record alone may have members that others lack.
    const mustHave = strictly && this.#seen > 1 ? common.length : common.length / 2;
    if (shared < mustHave) return false;
    return this.#isOfDialect(value) || (this.#takesGlued && common.length > 0 && shared === common.length);
  };

  /** Readers of such a log take every whole record of a damaged line, also of a kind that says little by itself. */
  get #takesGlued(): boolean {
    return this.#dialect.form.takesGlued;
  }

  #isOfDialect(value: JsonObject): boolean {
    const { detect } = this.#dialect;
    return (
      detect({ fileName: '', records: [value] }) || detect({ fileName: this.#fileName, records: [value] })
    );
  }
}
