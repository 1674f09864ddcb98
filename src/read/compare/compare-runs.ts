import { UsageError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { stepsOf } from '../../base/text/matching.ts';
import { byText } from '../../base/text/order.ts';
import { Yielder } from '../../base/time/yielder.ts';
import { furtherAmong } from '../../dialects/kit/usage.ts';
import type { LogRecord } from '../../log/record.ts';
import { accountOfLog } from '../describe/account-of-log.ts';
import { textOf } from '../describe/event-of-log.ts';
import type { Durations } from '../describe/run-fold.ts';
import { lastedMs } from '../describe/span.ts';
import { spanOfRecord } from '../describe/spans.ts';
import type { Statistics } from '../describe/stats.ts';
import { LineRanges } from '../select/line-ranges.ts';
import { recordsAt } from '../select/records-at.ts';
import { Content, type FieldDifference } from './content.ts';
import { copyOf } from './copy.ts';
import { matchEvents } from './match-events.ts';
import {
  comparableOf,
  type DamagedLog,
  hasLeftOut,
  type ReadRun,
  type RunSource,
  readRun,
  repeatedKeys,
  SharedNumbers,
} from './read-run.ts';
import { reasonOf } from './reason.ts';
import { type PartContent, partsOfRun } from './run-content.ts';
import type {
  AlignedBlock,
  ComparedEvent,
  ComparedRun,
  DifferenceCounts,
  EventDifference,
  StoredDifference,
  StoredRest,
} from './run-difference.ts';

export interface CompareOptions {
  /** Paths in events and states to leave out; `*` matches any key or index. */
  readonly ignore?: readonly string[];
  /** Compare only events of these phases or types (globs), and no states. */
  readonly only?: readonly string[];
  /** Also compare durations. */
  readonly times?: boolean;
  /** Also compare ids, times and digests. */
  readonly exact?: boolean;
}

/** Whether an option asks for a comparison of the stored events. */
export const asksForEvents = ({ exact, only, ignore, times }: CompareOptions): boolean =>
  [exact, only, ignore, times].some((option) => option !== undefined && option !== false);

/** Whether the events of two runs can be compared: only if their logs have the same format. */
export const isOneFormat = (a: Pick<RunSource, 'dialect'>, b: Pick<RunSource, 'dialect'>): boolean =>
  a.dialect.name === b.dialect.name;

/** In UTF-16 units: longer event texts are cut. */
const LONGEST_TEXT = 4000;

/** The number of state differences that are listed; the rest are counted. */
const MOST_OF_STATE = 1000;

function eventOf(record: LogRecord, { source: { dialect } }: ReadRun): ComparedEvent {
  const { line, id, name, phase } = spanOfRecord(record, dialect);
  const text = textOf(record.shown, dialect).slice(0, LONGEST_TEXT);
  return { line, ...(id !== undefined && { id }), name, ...(phase !== undefined && { phase }), text };
}

function runOf({ source, account, start, over, end, damage }: ReadRun, events: number): ComparedRun {
  const lasted = lastedMs({ start, over, end }, account?.time);
  const { episode, path, origin = path, dialect } = source;
  return {
    episode,
    path: origin,
    dialect: dialect.name,
    events,
    ...(account?.task !== undefined && { task: account.task }),
    ...(account !== undefined && { status: account.status }),
    why: account?.why ?? [],
    ...(start !== undefined && { startedAt: new Date(Math.floor(start)).toISOString() }),
    ...(lasted !== undefined && { durationMs: lasted }),
    ...(damage && { skipped: damage.skipped }),
  };
}

/** Statistics without durations, unless requested, and without days, which never match. */
function metricsOf({ statistics, lines }: ReadRun, withDurations: boolean): JsonObject {
  const plain = (durations: Durations): JsonObject | number =>
    withDurations ? { ...durations } : durations.count;
  const named = (all: Statistics['phases']): JsonObject =>
    Object.fromEntries(Object.entries(all).map(([name, durations]) => [name, plain(durations)]));
  return {
    events: lines.length,
    phases: named(statistics.phases),
    names: named(statistics.names),
    vetoes: { ...statistics.vetoes },
    failures: { ...statistics.failures },
    ...(withDurations && { run: { ...statistics.runs } }),
  };
}

/** The task, the status and the reasons, from the account of a run. */
const outcomeOf = ({ account }: ReadRun, isOne: boolean): JsonObject =>
  account === undefined
    ? {}
    : {
        ...(account.task !== undefined && { task: account.task }),
        status: account.status,
        why: account.why.map(({ kind, text }) => `${reasonOf(kind, isOne)}: ${text}`),
      };

/** The subagents and further logs of two runs. */
interface RunParts {
  readonly a: readonly PartContent[];
  readonly b: readonly PartContent[];
}

/** Compares two runs. Only the places of events are in memory. */
export class RunComparison {
  readonly counts: DifferenceCounts;
  readonly outcome: readonly FieldDifference[];
  readonly state: readonly FieldDifference[];
  readonly moreState: number;
  readonly metrics: readonly FieldDifference[];
  readonly #content: Content;
  readonly #a: ReadRun;
  readonly #b: ReadRun;
  readonly #matches: Int32Array;
  /** No option selects some of the events. */
  readonly #areAll: boolean;
  /** Both logs have the same bytes, so everything in them is the same. */
  readonly isCopy: boolean;
  /** The subagents and further logs of each run. */
  readonly parts: RunParts;
  /** The damaged logs of both runs. */
  readonly damaged: readonly DamagedLog[];

  constructor(
    content: Content,
    [a, b, matches]: readonly [ReadRun, ReadRun, matches: Int32Array],
    { times = false, exact = false, only = [] }: CompareOptions,
    { isCopy = false, parts }: { readonly isCopy?: boolean; readonly parts: RunParts },
  ) {
    this.isCopy = isCopy;
    this.parts = parts;
    const read = [a, ...parts.a, b, ...parts.b];
    this.damaged = read.flatMap(({ damage }) => damage ?? []);
    this.#content = content;
    this.#a = a;
    this.#b = b;
    this.#matches = matches;
    this.#areAll = only.length === 0;
    const counts = { same: 0, changed: 0, missing: 0, added: 0 };
    for (const { kind, count } of this.blocks()) counts[kind] += count;
    this.counts = counts;
    const differences = (left: JsonObject, right: JsonObject) =>
      content.differences(left, right, a.names, b.names);
    const isOne = isOneFormat(a.source, b.source);
    this.outcome = differences(outcomeOf(a, isOne), outcomeOf(b, isOne));
    const states = isOne && a.state && b.state ? differences(a.state, b.state) : [];
    this.state = states.slice(0, MOST_OF_STATE);
    this.moreState = states.length - this.state.length;
    this.metrics = isOne ? differences(metricsOf(a, times || exact), metricsOf(b, times || exact)) : [];
  }

  /** The ids by which the events of each run name it. */
  get names(): { readonly a: ReadonlySet<string>; readonly b: ReadonlySet<string> } {
    return { a: this.#a.names, b: this.#b.names };
  }

  /** Nothing differs, and no line was left out. */
  get equal(): boolean {
    const { a, b } = this.parts;
    if (hasLeftOut(this.#a, this.#b, ...a, ...b)) return false;
    const { changed, missing, added } = this.counts;
    return [changed + missing + added, this.outcome.length, this.state.length, this.metrics.length].every(
      (count) => count === 0,
    );
  }

  /** The differences, except those between events. */
  async head(): Promise<StoredDifference> {
    let first: EventDifference | undefined;
    for await (const difference of this.events(1)) first = difference;
    const { equal, counts, outcome, state, moreState, metrics } = this;
    const { a: partsA, b: partsB } = this.parts;
    const [a, b] = [
      runOf(this.#a, this.#eventsOf(this.#a, partsA)),
      runOf(this.#b, this.#eventsOf(this.#b, partsB)),
    ];
    return { equal, a, b, counts, ...(first && { first }), outcome, state, moreState, metrics };
  }

  /** The number of events in all logs of a run; of selected events, the number in its own log. */
  #eventsOf({ lines }: ReadRun, parts: readonly PartContent[]): number {
    return this.#areAll ? parts.reduce((sum, { events }) => sum + events, lines.length) : lines.length;
  }

  /** What differs between the stored events. Reads the events that differ again. */
  async stored(): Promise<StoredRest> {
    const counts = new Map<string, number>();
    const only = new Map<string, { a: number; b: number }>();
    for await (const event of this.events()) {
      if (event.kind === 'changed') {
        const paths = event.fields.map(({ path }) => path.replaceAll(/\[\d+\]/g, '.*'));
        for (const path of new Set(paths)) counts.set(path, (counts.get(path) ?? 0) + 1);
        continue;
      }
      const [{ name }, side] = event.kind === 'missing' ? [event.a, 'a' as const] : [event.b, 'b' as const];
      const known = only.get(name) ?? { a: 0, b: 0 };
      known[side] += 1;
      only.set(name, known);
    }
    const fields = [...counts].map(([path, events]) => ({ path, events }));
    return {
      fields: fields.sort((a, b) => b.events - a.events || byText(a.path, b.path)),
      only: [...only].map(([name, sides]) => ({ name, ...sides })),
    };
  }

  /** Every event of both runs. Neighbours of one kind are combined. */
  *blocks(): Generator<AlignedBlock, void, void> {
    let block: { kind: AlignedBlock['kind']; a?: number; b?: number; count: number } | undefined;
    let [nextA, nextB] = [0, 0];
    for (const step of this.#steps()) {
      const kind = step.kind === 'pair' ? (this.#isSame(step.a, step.b) ? 'same' : 'changed') : step.kind;
      const a = step.kind === 'added' ? undefined : this.#a.lines.line(step.a);
      const b = step.kind === 'missing' ? undefined : this.#b.lines.line(step.b);
      const goesOn =
        block?.kind === kind && (a === undefined || a === nextA) && (b === undefined || b === nextB);
      if (goesOn && block) block.count += 1;
      else {
        if (block) yield block;
        block = { kind, ...(a !== undefined && { a }), ...(b !== undefined && { b }), count: 1 };
      }
      if (a !== undefined) nextA = a + 1;
      if (b !== undefined) nextB = b + 1;
    }
    if (block) yield block;
  }

  /** The events that differ, in order, at most `most`. Reads their lines again. */
  async *events(most = Infinity): AsyncGenerator<EventDifference, void, void> {
    const [ofA, ofB] = [new LineRanges(), new LineRanges()];
    const yielder = new Yielder();
    for (const step of this.#differing(most)) {
      if (yielder.isDue) await yielder.yield();
      if (step.kind !== 'added') ofA.addFrom(this.#a.lines, step.a);
      if (step.kind !== 'missing') ofB.addFrom(this.#b.lines, step.b);
    }
    ofA.file = this.#a.lines.file;
    ofB.file = this.#b.lines.file;
    const left = recordsAt(this.#a.source.path, ofA, this.#a.source.dialect.form);
    const right = recordsAt(this.#b.source.path, ofB, this.#b.source.dialect.form);
    try {
      for (const step of this.#differing(most)) {
        if (step.kind === 'missing') yield { kind: 'missing', a: eventOf(await nextOf(left), this.#a) };
        else if (step.kind === 'added') yield { kind: 'added', b: eventOf(await nextOf(right), this.#b) };
        else yield this.#changed(await nextOf(left), await nextOf(right));
      }
    } finally {
      await left.return(undefined);
      await right.return(undefined);
    }
  }

  *#differing(most: number) {
    let count = 0;
    for (const step of this.#steps()) {
      if (count >= most) return;
      if (step.kind === 'pair' && this.#isSame(step.a, step.b)) continue;
      yield step;
      count += 1;
    }
  }

  /** Every event of both runs; none if the formats differ. */
  #steps(): ReturnType<typeof stepsOf> {
    return stepsOf(this.#matches, isOneFormat(this.#a.source, this.#b.source) ? this.#b.lines.length : 0);
  }

  #isSame(a: number, b: number): boolean {
    return this.isCopy || this.#a.contents[a] === this.#b.contents[b];
  }

  #changed(a: LogRecord, b: LogRecord): EventDifference {
    const names = (record: LogRecord, { source: { dialect } }: ReadRun) =>
      this.#content.ownNames(record.value, dialect.view.id(record), dialect.view.cause?.(record));
    const fields = this.#content.differences(
      comparableOf(a, this.#a.source.dialect),
      comparableOf(b, this.#b.source.dialect),
      names(a, this.#a),
      names(b, this.#b),
    );
    const hidden = fields.length > 0 ? [] : hiddenIn(a, b);
    return {
      kind: 'changed',
      a: eventOf(a, this.#a),
      b: eventOf(b, this.#b),
      fields: [...fields, ...hidden],
    };
  }
}

/** Why events differ although their parsed values are equal: at least one of them repeats a key. */
const hiddenIn = (a: LogRecord, b: LogRecord): FieldDifference[] => {
  const [ofA, ofB] = [repeatedKeys(a), repeatedKeys(b)];
  const times = (paths: readonly string[], path: string) => paths.filter((one) => one === path).length;
  return [...new Set([...ofA, ...ofB])].map((path) => ({
    path,
    a: `written ${times(ofA, path) + 1}×`,
    b: `written ${times(ofB, path) + 1}×`,
  }));
};

/** A run with the account of all its logs, if it continues in further ones. */
async function withFurther(read: ReadRun, parts: readonly PartContent[]): Promise<ReadRun> {
  if (furtherAmong(parts).length === 0) return read;
  const { path, dialect, run, parts: logs } = read.source;
  const { account, start, end } = await accountOfLog(path, dialect, run, undefined, logs);
  return { ...read, account, start, end };
}

/** The next requested record. It always exists, unless reading fails. */
const nextOf = async (records: AsyncIterator<LogRecord>): Promise<LogRecord> =>
  (await records.next()).value as LogRecord;

/**
 * Compares two runs. If their formats differ, compares only what they did. Reads each log once, and differing
 * lines again on demand. Leaves out damaged lines, and names the logs that have any. Throws `usage` for an invalid path, and
 * if the options ask for events of different formats. Logs with the same bytes are equal: one of them is read.
 */
export async function compareRuns(
  a: RunSource,
  b: RunSource,
  options: CompareOptions = {},
): Promise<RunComparison> {
  const { ignore = [], only = [], times = false, exact = false } = options;
  if (!isOneFormat(a, b) && asksForEvents(options)) {
    const formats = `${a.dialect.name} and ${b.dialect.name}`;
    throw new UsageError('usage', `events of two dialects cannot be compared: ${formats}`, {
      hint: 'remove --exact, --only, --ignore and --times to compare what the runs did; --dialect sets the dialect if it is not detected',
    });
  }
  const content = new Content({ ignore, durations: times || exact, exact });
  const parts = { a: await partsOfRun(a), b: await partsOfRun(b) };
  const copy = await copyOf(a, b);
  if (copy !== undefined) {
    const read = await readRun(a, content, only);
    const pairs = Int32Array.from({ length: read.lines.length }, (_, index) => index);
    const damage = read.damage && { ...read.damage, source: b };
    const other = { ...read, source: b, lines: read.lines.in(copy), damage };
    const runs = [await withFurther(read, parts.a), await withFurther(other, parts.b), pairs] as const;
    return new RunComparison(content, runs, options, { isCopy: true, parts });
  }
  const numbers = new SharedNumbers();
  const first = await readRun(a, content, only, numbers);
  const second = await readRun(b, content, only, numbers);
  const matches = isOneFormat(a, b) ? await matchEvents(first, second) : new Int32Array();
  const runs = [await withFurther(first, parts.a), await withFurther(second, parts.b), matches] as const;
  return new RunComparison(content, runs, options, { parts });
}
