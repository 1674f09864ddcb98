import type { JsonObject } from '../../../base/json/value.ts';
import { EvidenceMap } from '../../../findings/projection/evidence.ts';
import type { EventFold, Projection, Projector } from '../../../findings/projection/projector.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Account, AccountBuilder, EarlyResult, EventSpan, SpanReader } from '../../kit/account.ts';
import { firstLine } from '../../kit/excerpt.ts';
import type { Abridge, LogEnds, LogSummary } from '../../kit/log-summary.ts';
import { accountOfSession, whyNotWell } from './account.ts';
import type { CopyReader } from './copies-in.ts';
import { type EndOfResult, OUTCOME_OF_CALL } from './outcome.ts';
import { type RecordLink, ResumeReach } from './resume-reach.ts';
import { isSearchWithoutMatch } from './search-without-match.ts';
import { asksIn, type SessionDocument, type SessionOutline, toneOfTurn, type UsageEntry } from './session.ts';
import { timeOfSession } from './time.ts';
import type { TurnCharges } from './usage.ts';

/** Reads the records of a program in log order and builds a session. */
export interface SessionReader {
  add(event: JsonObject, line: number): void;
  /** A line that is damaged, in order with the records. */
  lost(): void;
  document(): SessionDocument;
  /** What a list shows of the document. */
  outline(): SessionOutline;
  entries(): UsageEntry[];
  /** The entries that are not calls. */
  answers(): UsageEntry[];
  /** What the answers of each turn used, after {@link document}. */
  turnCharges(): TurnCharges;
  /** The last answer as a whole. */
  readonly lastAnswer: string | undefined;
  /** Whether the log continues a session that begins in another one. */
  readonly isPart?: boolean;
  /** Whether a continued session may lack something, for formats without parents. */
  mayLack?(): boolean;
}

/** Reads id and parent of a record. Returns undefined for a record that is not part of the chain. */
export type LinkOf = (event: JsonObject) => RecordLink | undefined;

export class SessionAccount implements AccountBuilder {
  readonly #reader: SessionReader;
  readonly #linkOf: LinkOf | undefined;
  readonly #reach = new ResumeReach();

  constructor(reader: SessionReader, linkOf?: LinkOf) {
    this.#reader = reader;
    this.#linkOf = linkOf;
  }

  add({ value, line }: LogRecord): void {
    this.#reader.add(value, line);
    const link = this.#linkOf?.(value);
    if (link) this.#reach.add(link, line);
  }

  lost(): void {
    this.#reader.lost();
  }

  result(): Account {
    const [document, usage] = [this.#reader.document(), this.#reader.entries()];
    const account = accountOfSession(document, this.#reader.turnCharges(), this.#reader.lastAnswer);
    const time = timeOfSession(document, usage);
    const mayLack = this.#reader.mayLack?.() || this.#reach.mayLack;
    return {
      ...account,
      ...(time && { time }),
      ...(mayLack && { mayLack }),
      ...(this.#reader.isPart && { is_part: true }),
      usage,
    };
  }
}

/**
 * A session as a document. Logs of sessions have no stored state to compare it with, so it needs no evidence.
 */
export class SessionProjector implements Projector, EventFold {
  readonly #reader: SessionReader;

  constructor(reader: SessionReader) {
    this.#reader = reader;
  }

  add({ value, line }: LogRecord): void {
    this.addEvent(value, line);
  }

  addEvent(event: JsonObject, line: number): void {
    this.#reader.add(event, line);
  }

  result(): Projection {
    return { value: { ...this.#reader.document() }, evidence: new EvidenceMap(), underivable: [] };
  }
}

/**
 * Why a session did not succeed, in one line. That may depend on the calls of its last turn and their results, so the
 * records of this turn are then read whole.
 */
function whyOf({ status, asks }: SessionOutline, readWhole: () => SessionDocument): string | undefined {
  const tone = toneOfTurn(status);
  const wentWell = tone === undefined || tone === 'good';
  if (wentWell && !asks) return undefined;
  const whole = readWhole();
  // An abridged record may have been the answer.
  return wentWell && !asksIn(whole.calls) ? undefined : whyNotWell(whole);
}

/**
 * The list entry of a session. Tokens and the end may be anywhere, so this reads the whole log; `abridge`
 * avoids parsing tool outputs, which are most of it.
 */
export function summaryOfSession(
  open: () => SessionReader,
  { forwards }: Pick<LogEnds, 'forwards'>,
  abridge: Abridge,
): LogSummary {
  const read = (shorten: Abridge) => {
    const reader = open();
    const records = forwards(shorten);
    let next = records.next();
    for (; !next.done; next = records.next()) {
      const { event, line } = next.value;
      if (event) reader.add(event, line);
      else reader.lost();
    }
    return { reader, lost: next.value };
  };
  let lastAbridged = 0;
  let lastHidden = 0;
  const { reader, lost } = read((start, line, has, after) => {
    const short = abridge(start, line, has, after);
    if (short !== undefined) lastAbridged = line;
    if (short !== undefined && short['type'] === undefined) lastHidden = line;
    return short;
  });
  const readWhole = () => {
    const document = reader.document();
    const from = document.turns.at(-1)?.line ?? 0;
    if (lastAbridged <= from) return document;
    return read((start, line, has, after) =>
      line > from ? undefined : abridge(start, line, has, after),
    ).reader.document();
  };
  const outline = reader.outline();
  const { session, title, task, models, turns, started_at, ended_at } = outline;
  // What is hidden may say how a turn ended.
  const isHidden = outline.status === 'open' && lastHidden > 0;
  const status = outline.status === 'unknown' || isHidden ? readWhole().status : outline.status;
  const about = title ?? (task === undefined ? undefined : firstLine(task));
  const { forked_from: origin, cwd } = session;
  const answers = reader.answers();
  return {
    task: about,
    status,
    model: models[0],
    turns,
    usage:
      answers.length === 0 && lost === 0
        ? undefined
        : {
            usage: answers,
            ...(reader.isPart && { is_part: true }),
            ...(lost > 0 && { lost_lines: lost }),
          },
    why: whyOf({ ...outline, status }, readWhole),
    started_at,
    ended_at,
    cwd: typeof cwd === 'string' ? cwd : undefined,
    forked_from: typeof origin === 'string' ? origin : undefined,
    hasCopies: outline.hasCopies,
  };
}

export interface CallInRecord {
  readonly id: string;
  readonly tool: string;
  /** Returns the most informative argument, such as a command or path. Only a failed call needs it. */
  readonly input: () => string;
  /** When the call began, if that is not the time of the record. */
  readonly time?: string;
}

/** The end of a call in a record. */
export interface ResultInRecord extends EndOfResult {
  readonly id: string;
  /** When the call ended, if that is not the time of the record. */
  readonly time?: string;
  /** It counts only if its call has no result yet. */
  readonly mayRepeat?: true;
}

/** Reads a span that is no call. `error`: the reason of the error before it, if no call came after that. */
export type OtherSpans = (event: JsonObject, error: string | undefined) => EventSpan | undefined;

/** The records of a dialect that start and end calls. */
export interface CallRecords {
  /** Starts to recognise records that are in the log again. They are no spans. */
  again?(): (event: JsonObject) => boolean;
  /** Starts to recognise records that were copied from another session, and says whose times they have. */
  copies?(): CopyReader;
  time(event: JsonObject): string | undefined;
  callsIn(event: JsonObject): readonly CallInRecord[];
  resultsIn(event: JsonObject): readonly ResultInRecord[];
  /** The finished call and its duration, if a record contains them before the result. */
  endedIn?(event: JsonObject): { readonly id: string; readonly durationMs: number } | undefined;
  /** Starts to read other spans, such as a hook or a turn. */
  others?(): OtherSpans;
}

/** A call that waits for its result. */
interface CallInTime extends Omit<CallInRecord, 'id' | 'time'> {
  readonly start: string | undefined;
  readonly line: number | undefined;
  durationMs?: number;
  /** It was copied from another session, where it counts with its result. */
  readonly isCopy: boolean;
}

interface TimedResult extends Omit<ResultInRecord, 'time'> {
  readonly time: string | undefined;
  readonly line: number | undefined;
}

/**
 * The spans of a session. A call lasts until its result, and its span belongs to the later of both records.
 */
export class SessionSpans implements SpanReader {
  readonly #records: CallRecords;
  readonly #isAgain: (event: JsonObject) => boolean;
  readonly #timesOfCopy: CopyReader;
  readonly #others: OtherSpans;
  readonly #calls = new Map<string, CallInTime>();
  readonly #early = new Map<string, TimedResult>();
  /** The ids of calls that have a result. */
  readonly #ended = new Set<string>();
  /** The reason of the last error, until the next call. */
  #error: string | undefined;

  constructor(records: CallRecords) {
    this.#records = records;
    this.#isAgain = records.again?.() ?? (() => false);
    this.#timesOfCopy = records.copies?.() ?? (() => undefined);
    this.#others = records.others?.() ?? (() => undefined);
  }

  hasCall(event: JsonObject): boolean {
    return this.#records.callsIn(event).length > 0 || this.#records.resultsIn(event).length > 0;
  }

  get isWaiting(): boolean {
    return this.#early.size > 0;
  }

  span(event: JsonObject, line?: number): EventSpan {
    const time = this.#records.time(event);
    if (this.#isAgain(event)) return { name: '', start: time };
    const copied = this.#timesOfCopy(event);
    if (copied === undefined) return this.#span(event, { time, line });
    // The time between two times of the copying is not that of the work.
    const own = copied === 'original' ? time : undefined;
    return { ...this.#span(event, { time: own, line }, true), copied: true };
  }

  #span(event: JsonObject, { time, line }: Pick<TimedResult, 'time' | 'line'>, isCopy = false): EventSpan {
    const records = this.#records;
    const calls = records.callsIn(event);
    if (calls.length > 0) this.#error = undefined;
    for (const { id, tool, input, time: own = time } of calls)
      this.#calls.set(id, { tool, input, start: own, line, isCopy });
    const ended = records.endedIn?.(event);
    const work = ended && this.#calls.get(ended.id);
    if (work) work.durationMs = ended.durationMs;
    const results = records.resultsIn(event);
    const found = results.filter(({ id, mayRepeat }) => !(mayRepeat && this.#ended.has(id)));
    const other = () => this.#other(event) ?? { name: '', start: time };
    return calls.length === 0 && found.length === 0
      ? other()
      : this.#ofCalls(calls, found, { time, line, isCopy }, other);
  }

  #other(event: JsonObject): EventSpan | undefined {
    const span = this.#others(event, this.#error);
    if (span?.status === 'error') this.#error = span.reason;
    return span;
  }

  #ofCalls(
    calls: readonly CallInRecord[],
    found: readonly ResultInRecord[],
    { time, line, isCopy }: Pick<TimedResult, 'time' | 'line'> & { readonly isCopy: boolean },
    other: () => EventSpan,
  ): EventSpan {
    const results: TimedResult[] = [];
    const early: EarlyResult[] = [];
    for (const { id, tool, input } of calls) {
      const first = this.#early.get(id);
      if (first === undefined) continue;
      const result = this.#settled(first);
      results.push(result);
      if (result.line === undefined) continue;
      early.push({ line: result.line, tool, ...(result.status !== 'ok' && { input: input() || undefined }) });
    }
    for (const { time: own, ...result } of found) {
      // The time of a record with a call and its result is that of the call.
      const isOwn = calls.some((call) => call.id === result.id);
      results.push(this.#settled({ ...result, line, time: own ?? (isOwn ? undefined : time) }));
    }
    // A record may contain several results. It failed if one of them did.
    const result = results.find(({ status }) => status !== 'ok') ?? results[0];
    if (result === undefined)
      return calls.length < 2 ? other() : { ...other(), tools: calls.map(({ tool }) => tool) };
    const of = this.#calls.get(result.id);
    // The fork has only the result of a call that counts in its origin.
    const span = of?.isCopy && !isCopy ? { name: of.tool, start: time } : this.#spanOf(result);
    const tools = results.flatMap(({ id }) => this.#calls.get(id)?.tool ?? []);
    for (const one of results) {
      // A repeated result ends its call only once.
      if (this.#calls.delete(one.id)) {
        this.#early.delete(one.id);
        this.#ended.add(one.id);
      } else if (!this.#ended.has(one.id)) this.#early.set(one.id, one);
    }
    return {
      ...span,
      ...(results.length > 1 && { tools }),
      ...(early.length > 0 && { early }),
    };
  }

  /** The result of a call, if the call is known. A search that found nothing did not fail. */
  #settled(result: TimedResult): TimedResult {
    const { id, status, exitCode, silent } = result;
    const call = status === 'error' && silent === true ? this.#calls.get(id) : undefined;
    return call !== undefined && isSearchWithoutMatch(call.input(), exitCode, silent)
      ? { ...result, status: 'ok' }
      : result;
  }

  #spanOf({ id, status, reason, time }: TimedResult): EventSpan {
    const call = this.#calls.get(id);
    return {
      name: call?.tool ?? 'result',
      start: call?.start ?? time,
      // Without the call, nobody knows how long it took.
      ...(call?.durationMs !== undefined ? { durationMs: call.durationMs } : call && { end: time }),
      status: OUTCOME_OF_CALL[status],
      ...(status !== 'ok' && { reason: reason === '' ? status : reason }),
      ...(call && {
        ...(call.line !== undefined && { callLine: call.line }),
        operation: {
          kind: 'tool',
          tool: call.tool,
          callId: id,
          ...(status !== 'ok' && { input: call.input() || undefined }),
        } as const,
      }),
    };
  }
}
