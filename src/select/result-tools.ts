import type { RecordSource } from '../dialects/dialect.ts';
import type { LogRecord } from '../log/record.ts';
import { spanReader } from './filter.ts';

/** What is said of the call that a result is of: the record of the result only has its id. */
interface CallOfResult {
  readonly tool: string;
  /** What it was given, if it failed. */
  readonly input?: string | undefined;
}

/** Which call a result is of: it is on an earlier line. */
export class ResultTools {
  readonly #spanOf: ReturnType<typeof spanReader>;
  readonly #byLine = new Map<number, CallOfResult>();

  constructor(source: RecordSource) {
    this.#spanOf = spanReader(source);
  }

  /** Call it for each record in log order. */
  add({ value, line }: LogRecord): void {
    const operation = this.#spanOf(value)?.operation;
    if (operation?.kind === 'tool') this.#byLine.set(line, operation);
  }

  at(line: number): CallOfResult | undefined {
    return this.#byLine.get(line);
  }
}
