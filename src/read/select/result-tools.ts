import type { RecordSource } from '../../dialects/dialect.ts';
import type { AccountBuilder, SpanReader } from '../../dialects/kit/account.ts';
import type { LogRecord } from '../../log/record.ts';
import { spanReader } from './filter.ts';
import { lostIn } from './lost-calls.ts';

/** The call of a result, whose record has only the id of the call. */
interface CallOfResult {
  readonly tool: string;
  /** Its input, if it failed. */
  readonly input?: string | undefined;
}

/** Finds the calls of results. A call may also come after its result, so ask after the last record. */
export class ResultTools {
  readonly #spans: SpanReader | undefined;
  readonly #spanOf: ReturnType<typeof spanReader>;
  readonly #byLine = new Map<number, CallOfResult>();

  readonly #account: AccountBuilder | undefined;
  #lost: ReadonlySet<number> | undefined;

  /** With `account`, also finds calls that will get no result. */
  constructor(source: RecordSource, account?: AccountBuilder) {
    this.#spans = source.spans?.();
    this.#spanOf = spanReader(source, this.#spans);
    this.#account = account;
  }

  /** Call it for each record in log order. */
  add(record: LogRecord): void {
    const { value, line } = record;
    this.#account?.add(record);
    const span = this.#spanOf(value, line);
    if (span?.operation?.kind === 'tool') this.#byLine.set(line, span.operation);
    for (const { line: earlier, ...call } of span?.early ?? []) this.#byLine.set(earlier, call);
  }

  lost(line: number): void {
    this.#account?.lost?.(line);
  }

  /** Whether a result came whose call may follow. */
  get isWaiting(): boolean {
    return this.#spans?.isWaiting ?? false;
  }

  /** Whether the call on a line will get no result. Ask after the last record. */
  isLost(line: number): boolean {
    this.#lost ??= this.#account ? lostIn(this.#account) : new Set();
    return this.#lost.has(line);
  }

  at(line: number): CallOfResult | undefined {
    return this.#byLine.get(line);
  }
}
