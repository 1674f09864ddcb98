import { hash } from 'node:crypto';
import { NoesisError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { matchesGlob } from '../../base/text/glob.ts';
import { Numbering } from '../../base/text/numbering.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { Projector } from '../../findings/projection/projector.ts';
import { CorruptLines, type SkippedLines } from '../../log/corrupt-lines.ts';
import type { Corruption } from '../../log/corruption.ts';
import { GrowingNumbers } from '../../log/growing-numbers.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import type { RunAccount } from '../describe/account-of-parts.ts';
import { RunFold } from '../describe/run-fold.ts';
import { spanOfEvent } from '../describe/span.ts';
import { type Statistics, StatsFold } from '../describe/stats.ts';
import { compileRunFilter } from '../select/filter.ts';
import { LineRanges } from '../select/line-ranges.ts';
import type { Content } from './content.ts';
import type { EventSequence } from './match-events.ts';

export interface RunSource {
  readonly episode: string;
  /** The path of the log. */
  readonly path: string;
  /** The original path, if `path` is a private copy. */
  readonly origin?: string | undefined;
  readonly dialect: Dialect;
  /** One run of a log with many. */
  readonly run?: string | undefined;
  /** Its other logs, such as those of subagents. */
  readonly parts?: readonly string[] | undefined;
}

/** A log with damage. Damaged lines are left out. */
export interface DamagedLog {
  readonly source: RunSource;
  readonly skipped: SkippedLines;
  /** The first of them. */
  readonly corruption: Corruption;
  /** No other line of the run is left. */
  readonly isEmpty: boolean;
}

/** Whether something in these logs was left out. */
export const hasLeftOut = (
  ...logs: readonly ({ readonly damage?: DamagedLog | undefined } | undefined)[]
): boolean => logs.some((log) => (log?.damage?.skipped.count ?? 0) > 0);

/** The numberings that two runs share. */
export class SharedNumbers {
  readonly kinds = new Numbering();
  readonly contents = new Numbering();
}

/** A run in memory: only the places and numbers of its events. */
export interface ReadRun extends EventSequence {
  readonly source: RunSource;
  /** The ids by which its events name the run. */
  readonly names: ReadonlySet<string>;
  readonly lines: LineRanges;
  readonly account: RunAccount | undefined;
  readonly statistics: Statistics;
  /** The state according to the log; undefined if the dialect has none, or the log is damaged. */
  readonly state: JsonObject | undefined;
  /** Milliseconds since 1970, from the first and last event with a time. */
  readonly start: number | undefined;
  /** When the run ended, if an event says so. */
  readonly over: number | undefined;
  readonly end: number | undefined;
  readonly damage: DamagedLog | undefined;
}

async function projectorOf({ dialect, run }: RunSource): Promise<Projector | undefined> {
  try {
    return await dialect.projector({ run });
  } catch (error) {
    if (error instanceof NoesisError && error.code === 'projection-unsupported') return undefined;
    throw error;
  }
}

/** Whether a record has one of these phases or types (globs). Without globs, any record does. */
function compileOnly(only: readonly string[], { view }: Dialect): (record: LogRecord) => boolean {
  if (only.length === 0) return () => true;
  return (record) =>
    [view.phase?.(record), view.type(record), view.presentType?.(record)].some(
      (word) => word !== undefined && only.some((glob) => matchesGlob(word, glob)),
    );
}

/** A number that a double may not represent. Parsing it exactly is slower, so only such lines are. */
const LONG_NUMBER = /[[:,\s]-?[\d.]*(?:\d[eE]|[\d.]{16})/;

/** An event in the newest form of its dialect, with normalised numbers. */
export function comparableOf(record: LogRecord, dialect: Dialect): JsonObject {
  const event = record.mayRound && LONG_NUMBER.test(record.text) ? record.shown : record.value;
  return dialect.comparable?.(event) ?? event;
}

/** The places at which an object has a key twice. Parsing keeps the last value and hides the others. */
export const repeatedKeys = (record: LogRecord): string[] =>
  Array.from(record.notices())
    .filter(({ kind }) => kind === 'duplicate-key')
    .map((notice) => notice.path());

/** The kind of an event: its type, phase, name, and what it worked on. */
function kindOf(
  record: LogRecord,
  { view }: Dialect,
  span: ReturnType<typeof spanOfEvent>,
  content: Content,
) {
  const words = [view.type(record), view.phase?.(record), span.name, span.subject];
  return words.map((word) => (word === undefined ? '' : content.text(word))).join('\n');
}

function stateOf(projector: Projector, dialect: Dialect): JsonObject {
  const state = { ...projector.result().value } as JsonObject;
  return dialect.comparableState?.(state) ?? state;
}

/** Reads a log once. Damaged lines are left out and named. Without `numbers`, all events count as equal. */
export async function readRun(
  source: RunSource,
  content: Content,
  only: readonly string[],
  numbers?: SharedNumbers,
): Promise<ReadRun> {
  const { dialect, path, run } = source;
  const { view } = dialect;
  const own = run === undefined ? [] : [{ name: 'run', values: [run] }];
  const inRun = compileRunFilter({ own }, dialect);
  const isWanted = compileOnly(only, dialect);
  const lines = new LineRanges();
  const [kinds, contents] = [new GrowingNumbers(Int32Array), new GrowingNumbers(Int32Array)];
  const runNames = new Set<string>();
  const fold = new RunFold(dialect);
  const account = await dialect.account?.(run);
  // A state made from some of the events would be wrong.
  const projector = only.length > 0 ? undefined : await projectorOf(source);
  const number = (record: LogRecord, { kinds: ofKinds, contents: ofContents }: SharedNumbers): void => {
    const { value } = record;
    const kind = kindOf(record, dialect, spanOfEvent(dialect, value), content);
    content.addRunNames(value, runNames);
    const names = content.ownNames(value, view.id(record), view.cause?.(record));
    const parsed = content.canonical(comparableOf(record, dialect), names);
    const says = repeatedKeys(record).length > 0 ? `${parsed}\0${record.text}` : parsed;
    kinds.add(ofKinds.of(kind));
    // A digest, because the text may be long.
    contents.add(ofContents.of(hash('sha256', `${kind}\0${says}`, 'base64')));
  };
  const add = (record: LogRecord): void => {
    lines.add(record.line, record.printed.from, record.printed.to);
    if (numbers) number(record, numbers);
    fold.add(record);
  };
  const corrupt = new CorruptLines(true);
  let isEmpty = true;
  const visitor = {
    row(row: Row) {
      const { record } = row;
      if (!inRun(record)) return;
      isEmpty = false;
      account?.add(record);
      if (projector?.addRow) projector.addRow(row);
      else projector?.add(record);
      if (isWanted(record)) add(record);
    },
    lost: (line: number) => account?.lost?.(line),
  };
  const { extent } = await readUntilCorrupt(
    path,
    dialect.form.withLayout(projector?.layout),
    visitor,
    corrupt,
  );
  const { skipped, first: corruption } = corrupt;
  const result = account?.result();
  const statistics = new StatsFold();
  statistics.add(fold, result && { status: result.status, isOver: result.isOver });
  return {
    source,
    names: runNames,
    kinds: kinds.all,
    contents: contents.all,
    lines: lines.of(extent.file),
    account: result,
    statistics: statistics.result(),
    state: skipped && skipped.count > 0 ? undefined : projector && stateOf(projector, dialect),
    start: fold.time.start,
    over: fold.time.over,
    end: fold.time.end,
    damage: skipped && corruption && { source, skipped, corruption, isEmpty },
  };
}
