import { defined } from '../../base/json/defined.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { byText } from '../../base/text/order.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import {
  type Account,
  type AccountBuilder,
  type EndingReason,
  type EventSpan,
  placeOf,
} from '../../dialects/kit/account.ts';
import { firstLine } from '../../dialects/kit/excerpt.ts';
import { linesLeftOut } from '../../dialects/kit/lines-left-out.ts';
import { type Lacks, NO_TOKENS } from '../../dialects/kit/tokens.ts';
import { type LogUsage, lacksOfRun, type RunUsage, usageOfRun } from '../../dialects/kit/usage.ts';
import { CorruptLines, type SkippedLines } from '../../log/corrupt-lines.ts';
import type { Corruption } from '../../log/corruption.ts';
import { explainDocuments } from '../../log/json-documents.ts';
import { readLog, requireUnchanged } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Row, RowSource } from '../../log/row.ts';
import type { RunAccount } from './account-of-parts.ts';
import { CallWaits } from './call-waits.ts';
import { FailuresInOrder, type OutlyingTime, RunTime, type SpanOf, spansInOrder } from './span.ts';

/** The number of slowest events that are listed. */
export const SLOWEST = 3;

/** The number of slowest events that are kept, because some of them may have waited for a person. */
const KEPT = 100;

/** The number of failed events added to an account that does not list them; the last ones. */
const MOST_FAILED = 20;

interface SlowEvent {
  /** The line of the event; of a call, not of its result. */
  readonly line: number;
  readonly resultLine?: number;
  /** The further log of the run that has the line; absent for the log of the run itself. */
  readonly part?: string;
  readonly name: string;
  /** Without the time that it waited for a person. */
  readonly durationMs: number;
  readonly waitedMs?: number;
}

/** A dialect's account of a run, with facts that every log has. */
export interface LogAccount {
  readonly account: RunAccount | undefined;
  /** Tokens and models, if the records contain them. */
  readonly usage?: RunUsage;
  /** What the log lacks, if its records contain no tokens. */
  readonly lacks?: Lacks;
  /** The models that it names, if its records contain no tokens. */
  readonly models?: RunUsage['models'];
  readonly events: number;
  readonly bytes: number;
  /** The number of events per phase, or per type if there are no phases; most frequent first. */
  readonly counts: readonly (readonly [name: string, count: number])[];
  readonly slowest: readonly SlowEvent[];
  /** The number of failed or refused events that are not listed. */
  readonly moreFailed: number;
  /** The last event, which shows how far an unfinished run has come. */
  readonly last: { readonly line: number; readonly part?: string; readonly name: string } | undefined;
  /** Milliseconds since 1970: the first time of any event, and the last start or end. */
  readonly start: number | undefined;
  readonly end: number | undefined;
  /** When the run ended, if an event says so. Events may follow. */
  readonly over?: number | undefined;
  readonly outlying?: readonly OutlyingTime[];
  /** Corrupt lines, which are left out. */
  readonly skipped?: SkippedLines;
  /** Those of the further logs and the logs of subagents, by path; absent if all are intact. */
  readonly skippedInParts?: ReadonlyMap<string, SkippedLines>;
  /** The first corruption. */
  readonly corruption?: Corruption;
}

/** The count of events without a type. */
const NO_TYPE = 'no type';

function count(names: Map<string, number>, name: string): void {
  names.set(name, (names.get(name) ?? 0) + 1);
}

/** Names with their counts, the most frequent first. */
export const byCount = (names: ReadonlyMap<string, number>): [name: string, count: number][] =>
  [...names].sort(([a, n], [b, m]) => m - n || byText(a, b));

/** Facts about the whole log, whatever its runs. */
type WholeLog = Pick<LogAccount, 'bytes' | 'skipped' | 'corruption'>;

/** The line of an event; for a call, the result may be on another one. */
type Place = Pick<EndingReason, 'line' | 'resultLine'>;

/** Failed or refused events in order. Counts all and keeps the last. */
class Failures {
  #last: EndingReason[] = [];
  readonly #places: Place[] = [];
  readonly #inOrder = new FailuresInOrder();

  add(span: EventSpan, at: number): void {
    const failure = this.#inOrder.next(span);
    if (failure === undefined) return;
    const { isRefusal, reason } = failure;
    const { name } = span;
    const place = placeOf(span, at);
    this.#places.push(place);
    this.#last.push({
      kind: isRefusal ? 'refused' : 'failed',
      text: reason.startsWith(name) ? firstLine(reason) : `${name}: ${firstLine(reason)}`,
      tone: isRefusal ? 'doubtful' : 'bad',
      ...place,
    });
    if (this.#last.length > 2 * MOST_FAILED) this.#last = this.#last.slice(-MOST_FAILED);
  }

  /** Adds failures that the account does not list, and counts the rest. */
  addTo(account: RunAccount): { readonly account: RunAccount; readonly moreFailed: number } {
    const { why, onTheWay = [] } = account;
    const named = new Set([...why, ...onTheWay].map(({ line }) => line));
    // The account may name the event that reports the failure, and not the call.
    const isMissing = ({ line, resultLine = line }: Place) => !named.has(line) && !named.has(resultLine);
    const unnamed = this.#last.filter(isMissing).slice(-MOST_FAILED);
    const missing = this.#places.filter(isMissing).length;
    const all = [...onTheWay, ...unnamed].sort((a, b) => a.line - b.line);
    return {
      account: all.length === 0 ? account : { ...account, onTheWay: all },
      moreFailed: missing - unnamed.length,
    };
  }
}

/** Collects what the account of a log says, record by record. */
export class Gathering {
  readonly #dialect: Dialect;
  readonly #builder: AccountBuilder | undefined;
  readonly #phases = new Map<string, number>();
  readonly #types = new Map<string, number>();
  /** If only some events have a phase, types are more useful. */
  #allHavePhases = true;
  readonly #spanOf: SpanOf;
  #events = 0;
  #slowest: SlowEvent[] = [];
  #last: LogAccount['last'];
  readonly #time = new RunTime();
  readonly #failures = new Failures();
  #result: Account | undefined;
  /** The number of lines that could not be read. */
  #lost = 0;

  constructor(dialect: Dialect, builder: AccountBuilder | undefined) {
    this.#dialect = dialect;
    this.#builder = builder;
    this.#spanOf = spansInOrder(dialect);
  }

  add(record: LogRecord): void {
    const { view, endTime, isEnd } = this.#dialect;
    this.#events += 1;
    this.#builder?.add(record);
    const phase = view.phase?.(record);
    if (phase === undefined) this.#allHavePhases = false;
    else count(this.#phases, phase);
    const type = view.type(record);
    count(this.#types, type ?? NO_TYPE);
    this.#last = { line: record.line, name: phase ?? type ?? '' };
    const span = this.#spanOf(record.value, record.line);
    this.#time.add(view.time(record), span, endTime?.(record.value), isEnd?.(record.value), record.line);
    this.#failures.add(span, record.line);
    if (!span.copied) this.#slow(span.name === '' ? { ...span, name: type ?? 'event' } : span, record.line);
  }

  /** A line that could not be read. */
  lost(line: number): void {
    this.#lost += 1;
    this.#builder?.lost?.(line);
  }

  /** Lines that a copy lacks, because its log had them damaged. */
  leftOut(lines: number): void {
    this.#lost += lines;
  }

  result(): Omit<LogAccount, keyof WholeLog> {
    const named = this.#allHavePhases ? this.#phases : this.#types;
    // If no event has a type, the counts say nothing.
    if (named.size === 1 && named.has(NO_TYPE)) named.clear();
    const counts = byCount(named);
    const account = this.#account();
    const usage = usageOfRun(this.usage());
    const { outlying } = this.#time;
    return {
      ...(usage ? { usage } : this.#withoutUsage()),
      ...(outlying.length > 0 && { outlying }),
      ...(account ? this.#failures.addTo(account) : { account, moreFailed: 0 }),
      counts,
      slowest: this.#slowestWork(),
      last: this.#last,
      start: this.#time.start,
      end: this.#time.end,
      over: this.#time.over,
      events: this.#events,
    };
  }

  #withoutUsage(): Pick<LogAccount, 'lacks' | 'models'> {
    const { models = [] } = this.#known()?.grows ?? {};
    const named = models.map((model) => [model, { answers: 0, tokens: NO_TOKENS }] as const);
    return {
      ...lacksOfRun([this.usage()]),
      ...(named.length > 0 && { models: Object.fromEntries(named) }),
    };
  }

  /** Whether a continued session may lack something. */
  get mayLack(): boolean {
    return this.#known()?.mayLack ?? false;
  }

  /** What the log of a session says about it. */
  session(): JsonObject {
    const { session } = this.#known()?.facts ?? {};
    return isObject(session) ? session : {};
  }

  /** What the log says about usage. */
  usage(): LogUsage {
    const { usage = [], is_part, recorded_tokens, tokens_by_turn, unsure_tokens } = this.#known() ?? {};
    return {
      usage,
      ...(is_part && { is_part }),
      ...(recorded_tokens !== undefined && { recorded_tokens }),
      ...(tokens_by_turn === false && { tokens_by_turn }),
      ...(unsure_tokens !== undefined && { unsure_tokens }),
      ...(this.#lost > 0 && { lost_lines: this.#lost }),
    };
  }

  #account(): RunAccount | undefined {
    const known = this.#known();
    if (known === undefined) return undefined;
    const {
      usage: _usage,
      recorded_tokens: _sum,
      tokens_by_turn: _turns,
      unsure_tokens: _unsure,
      mayLack: _lacks,
      ...account
    } = known;
    return account;
  }

  #known(): Account | undefined {
    this.#result ??= this.#builder?.result();
    return this.#result;
  }

  #slow(span: EventSpan, line: number): void {
    const { name, durationMs } = span;
    if (durationMs === undefined || durationMs <= (this.#slowest[KEPT - 1]?.durationMs ?? 0)) return;
    this.#slowest = [...this.#slowest, { ...placeOf(span, line), name, durationMs }]
      .sort((a, b) => b.durationMs - a.durationMs)
      .slice(0, KEPT);
  }

  /** The slowest events. The time that a call waited for a person is not its own, and some calls have no known one. */
  #slowestWork(): SlowEvent[] {
    const waits = new CallWaits(this.#known()?.waits);
    const own = this.#slowest.flatMap(({ durationMs: took, ...event }): SlowEvent[] => {
      const { line, resultLine = line } = event;
      const { durationMs, waitedMs } = waits.timesOf({ callLine: line, durationMs: took }, resultLine);
      return durationMs === undefined ? [] : [{ ...event, durationMs, ...defined({ waitedMs }) }];
    });
    return own.sort((a, b) => b.durationMs - a.durationMs).slice(0, SLOWEST);
  }
}

/** Another reader that shares the pass. */
export interface AlsoReading {
  record(record: LogRecord): void;
  corrupt(corruption: Corruption): void;
  /** A line that could not be read. */
  lost?(line: number): void;
}

/** Reads a log once and passes each record to its collector, if it has one. */
export async function gather(
  path: string,
  { form }: Dialect,
  gatherings: readonly Gathering[],
  also?: AlsoReading,
  gatheringOf: (record: LogRecord) => Gathering | undefined = () => gatherings[0],
): Promise<WholeLog> {
  const corrupt = new CorruptLines(true);
  corrupt.onLine = (line) => {
    for (const gathering of gatherings) gathering.lost(line);
    also?.lost?.(line);
  };
  const rows = RowSource.open(form);
  const visitor = {
    row({ record }: Row) {
      const gathering = gatheringOf(record);
      if (gathering === undefined) return;
      also?.record(record);
      gathering.add(record);
    },
    // A page shows each corrupt line.
    wants: (_: unknown, line: number) => also !== undefined || corrupt.wants(line),
    corrupt(found: Corruption) {
      corrupt.add(explainDocuments(path, found));
      also?.corrupt(found);
    },
  };
  const extent = await readLog(path, rows, visitor).finally(() => rows.close());
  requireUnchanged(path, extent);
  // Of a log with several runs, nobody knows which of them had a line.
  const [gathering, ...others] = gatherings;
  if (others.length === 0) gathering?.leftOut(await linesLeftOut(path));
  const { skipped, first: corruption } = corrupt;
  return { bytes: extent.bytes, ...(skipped && { skipped }), ...(corruption && { corruption }) };
}
