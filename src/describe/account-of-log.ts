import type { Account, AccountBuilder, EndingReason, EventSpan } from '../dialects/account.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { firstLine } from '../dialects/excerpt.ts';
import { runOfRecord } from '../dialects/record-filters.ts';
import type { JsonObject } from '../json/value.ts';
import { CorruptLines, type SkippedLines } from '../log/corrupt-lines.ts';
import type { Corruption } from '../log/corruption.ts';
import { explainDocuments } from '../log/json-documents.ts';
import { readLog, requireUnchanged } from '../log/read.ts';
import type { LogRecord } from '../log/record.ts';
import { byText } from '../text/order.ts';
import { RunTime, spansInOrder } from './span.ts';

/** How many events took longest and are named. */
const SLOWEST = 3;

/** How many events that failed are added to an account that does not name them: the last ones. */
const MOST_FAILED = 20;

/** An event that took long. */
export interface SlowEvent {
  readonly line: number;
  readonly name: string;
  readonly durationMs: number;
}

/** A run as one reads it first, with what any log tells beside its dialect's account. */
export interface LogAccount {
  readonly account: Account | undefined;
  readonly events: number;
  readonly bytes: number;
  /** How many events of each phase, or of each type where there are no phases; the most frequent first. */
  readonly counts: readonly (readonly [name: string, count: number])[];
  readonly slowest: readonly SlowEvent[];
  /** How many events failed or were refused that the account does not name. */
  readonly moreFailed: number;
  /** The last event: where a run that has not ended stands. */
  readonly last: { readonly line: number; readonly name: string } | undefined;
  /** Milliseconds since 1970: of the first event that has a time, and the last moment that one was at or lasted to. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** The corrupt lines, which it leaves out. */
  readonly skipped?: SkippedLines;
  /** The first of them. */
  readonly corruption?: Corruption;
}

/** What events without a type are counted under. */
const NO_TYPE = 'no type';

function count(names: Map<string, number>, name: string): void {
  names.set(name, (names.get(name) ?? 0) + 1);
}

/** What is said of a log, whatever runs are in it. */
type WholeLog = Pick<LogAccount, 'bytes' | 'skipped' | 'corruption'>;

/** The events that failed or were refused, in their order: all are counted, the last are kept. */
class Failures {
  #last: EndingReason[] = [];
  readonly #lines: number[] = [];

  /** Events that only follow from a veto or a failure give no reason, and do not count. */
  add({ status = 'ok', reason, name }: EventSpan, line: number): void {
    if (reason === undefined || (status !== 'error' && status !== 'veto')) return;
    this.#lines.push(line);
    const isVeto = status === 'veto';
    this.#last.push({
      kind: isVeto ? 'refused' : 'failed',
      text: reason.startsWith(name) ? firstLine(reason) : `${name}: ${firstLine(reason)}`,
      tone: isVeto ? 'doubtful' : 'bad',
      line,
    });
    if (this.#last.length > 2 * MOST_FAILED) this.#last = this.#last.slice(-MOST_FAILED);
  }

  /** An account with those that it does not name, and how many more there are. */
  addTo(account: Account): { readonly account: Account; readonly moreFailed: number } {
    const { why, onTheWay = [] } = account;
    const named = new Set([...why, ...onTheWay].map(({ line }) => line));
    const unnamed = this.#last.filter(({ line }) => !named.has(line)).slice(-MOST_FAILED);
    const missing = this.#lines.filter((line) => !named.has(line)).length;
    const all = [...onTheWay, ...unnamed].sort((a, b) => a.line - b.line);
    return {
      account: all.length === 0 ? account : { ...account, onTheWay: all },
      moreFailed: missing - unnamed.length,
    };
  }
}

class Gathering {
  readonly #dialect: Dialect;
  readonly #builder: AccountBuilder | undefined;
  readonly #phases = new Map<string, number>();
  readonly #types = new Map<string, number>();
  /** Where only some events have a phase, their types say more. */
  #allHavePhases = true;
  readonly #spanOf: (event: JsonObject) => EventSpan;
  #events = 0;
  #slowest: SlowEvent[] = [];
  #last: LogAccount['last'];
  readonly #time = new RunTime();
  readonly #failures = new Failures();

  constructor(dialect: Dialect, builder: AccountBuilder | undefined) {
    this.#dialect = dialect;
    this.#builder = builder;
    this.#spanOf = spansInOrder(dialect);
  }

  add(record: LogRecord): void {
    const { view } = this.#dialect;
    this.#events += 1;
    this.#builder?.add(record);
    const phase = view.phase?.(record);
    if (phase === undefined) this.#allHavePhases = false;
    else count(this.#phases, phase);
    const type = view.type(record);
    count(this.#types, type ?? NO_TYPE);
    this.#last = { line: record.line, name: phase ?? type ?? '' };
    const span = this.#spanOf(record.value);
    this.#time.add(view.time(record), span);
    this.#failures.add(span, record.line);
    this.#slow(span.name === '' ? { ...span, name: type ?? 'event' } : span, record.line);
  }

  result(): Omit<LogAccount, keyof WholeLog> {
    const named = this.#allHavePhases ? this.#phases : this.#types;
    // That no event has a type tells nothing.
    if (named.size === 1 && named.has(NO_TYPE)) named.clear();
    const counts = [...named].sort(([a, n], [b, m]) => m - n || byText(a, b));
    const account = this.#builder?.result();
    return {
      ...(account ? this.#failures.addTo(account) : { account, moreFailed: 0 }),
      counts,
      slowest: this.#slowest,
      last: this.#last,
      start: this.#time.start,
      end: this.#time.end,
      events: this.#events,
    };
  }

  #slow({ name, durationMs }: EventSpan, line: number): void {
    if (durationMs === undefined || durationMs <= (this.#slowest[SLOWEST - 1]?.durationMs ?? 0)) return;
    this.#slowest = [...this.#slowest, { line, name, durationMs }]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, SLOWEST);
  }
}

/** Reads a log in the same pass. */
export interface AlsoReading {
  record(record: LogRecord): void;
  corrupt(corruption: Corruption): void;
}

/** Reads a log once and hands each record to the gathering that it is for, if there is one. */
async function gather(
  path: string,
  gatheringOf: (record: LogRecord) => Gathering | undefined,
  also?: AlsoReading,
): Promise<WholeLog> {
  const corrupt = new CorruptLines(true);
  let corruption: Corruption | undefined;
  const extent = await readLog(path, {
    record(record) {
      const gathering = gatheringOf(record);
      if (gathering === undefined) return;
      also?.record(record);
      gathering.add(record);
    },
    corrupt(found) {
      const explained = explainDocuments(path, found);
      corruption ??= explained;
      corrupt.add(explained);
      also?.corrupt(found);
    },
  });
  requireUnchanged(path, extent);
  const { skipped } = corrupt;
  return { bytes: extent.bytes, ...(skipped && { skipped }), ...(corruption && { corruption }) };
}

/**
 * Reads a log once and says what happened in it, as far as it is intact: corrupt lines are left out and named. `run`:
 * one run of a log that has many.
 */
export async function accountOfLog(
  path: string,
  dialect: Dialect,
  run?: string,
  also?: AlsoReading,
): Promise<LogAccount> {
  const gathering = new Gathering(dialect, await dialect.account?.(run));
  const runOf = run === undefined ? undefined : runOfRecord(dialect);
  const ofRun = (record: LogRecord) => (runOf && runOf(record) !== run ? undefined : gathering);
  const whole = await gather(path, ofRun, also);
  return { ...gathering.result(), ...whole };
}

/** The same of each of these runs of a log that holds many, in their order; the log is read once for all. */
export async function accountsOfLog(
  path: string,
  dialect: Dialect,
  runs: readonly string[],
): Promise<ReadonlyMap<string, LogAccount>> {
  const gatherings = new Map<string, Gathering>();
  for (const run of runs) gatherings.set(run, new Gathering(dialect, await dialect.account?.(run)));
  const runOf = runOfRecord(dialect);
  const ofItsRun = (record: LogRecord) => {
    const run = runOf?.(record);
    return run === undefined ? undefined : gatherings.get(run);
  };
  const whole = await gather(path, ofItsRun);
  return new Map([...gatherings].map(([run, gathering]) => [run, { ...gathering.result(), ...whole }]));
}
