import type { RecordSource } from '../dialects/dialect.ts';
import type { LogRecord } from '../log/record.ts';
import { spanReader } from './filter.ts';

/** Which tool a result is of: its record only has the id of the call, which is on an earlier line. */
export class ResultTools {
  readonly #spanOf: ReturnType<typeof spanReader>;
  readonly #byLine = new Map<number, string>();

  constructor(source: RecordSource) {
    this.#spanOf = spanReader(source);
  }

  /** Of each record of a log, in their order. */
  add({ value, line }: LogRecord): void {
    const operation = this.#spanOf(value)?.operation;
    if (operation?.kind === 'tool') this.#byLine.set(line, operation.tool);
  }

  at(line: number): string | undefined {
    return this.#byLine.get(line);
  }
}
