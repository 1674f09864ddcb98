import type { Dialect } from '../dialects/dialect.ts';
import { EventError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import type { LogRecord } from '../log/record.ts';
import { parseInstant } from '../time/instant.ts';
import type { Span, SpansOfLog } from './spans.ts';

/** How many of the events that one led to are named. */
const MOST_EFFECTS = 20;

/** An event in one row: what one goes on from. */
export interface EventLink {
  readonly span: Span;
  /** What it says, in a few words. */
  readonly text: string;
}

/** One event, whole, with what led to it and what it led to. */
export interface EventAccount {
  readonly event: JsonObject;
  readonly span: Span;
  readonly type: string | undefined;
  readonly agent: string | undefined;
  /** ISO 8601. */
  readonly time: string | undefined;
  /** Milliseconds since the first event of the log that has a time. */
  readonly offset: number | undefined;
  readonly cause: EventLink | undefined;
  /** The id of a cause that is not in the log. */
  readonly missingCause?: string | undefined;
  readonly effects: readonly EventLink[];
  /** How many more there are than are named. */
  readonly moreEffects: number;
}

/** What an event says, in the words of its last column. */
export function textOf(event: JsonObject, { columns }: Dialect): string {
  const [text = ''] = columns.slice(-1).map(({ cell }) => cell(event));
  return text;
}

function linkOf(record: LogRecord, dialect: Dialect, spans: SpansOfLog): EventLink {
  return { span: spans.of(record), text: textOf(record.shown, dialect) };
}

/** What of a log is read to tell of one event. */
export interface EventLines {
  /** The event, then each of its ancestors. */
  readonly chain: AsyncIterable<LogRecord>;
  /** The event and all that it led to. */
  readonly descendants: AsyncIterable<LogRecord>;
  /** When the log begins, ISO 8601. */
  readonly startedAt: string | undefined;
  /** Gathered from the whole log. */
  readonly spans: SpansOfLog;
}

/** Tells of the event that stands first in its chain. */
export async function accountOfEvent(lines: EventLines, dialect: Dialect): Promise<EventAccount> {
  const { view, aliases } = dialect;
  let told: Omit<EventAccount, 'cause' | 'missingCause' | 'effects' | 'moreEffects'> | undefined;
  let wantedCause: string | undefined;
  let cause: EventLink | undefined;
  let names: ReadonlySet<string | undefined> = new Set();
  for await (const record of lines.chain) {
    if (told !== undefined) {
      cause = linkOf(record, dialect, lines.spans);
      break;
    }
    const time = view.time(record);
    const [at, start] = [parseInstant(time ?? ''), parseInstant(lines.startedAt ?? '')];
    const id = view.id(record);
    names = new Set([...(id === undefined ? [] : [id]), ...(aliases?.(record) ?? [])]);
    wantedCause = view.cause?.(record);
    told = {
      event: record.exact,
      span: lines.spans.of(record),
      type: view.type(record),
      agent: view.agent(record),
      time,
      offset: at === undefined || start === undefined ? undefined : at - start,
    };
  }
  if (told === undefined) throw new EventError('event-missing', 'no such event in this log');
  const effects: EventLink[] = [];
  let more = 0;
  for await (const record of lines.descendants) {
    if (record.line === told.span.line || !names.has(view.cause?.(record))) continue;
    if (effects.length < MOST_EFFECTS) effects.push(linkOf(record, dialect, lines.spans));
    else more += 1;
  }
  const missingCause = cause === undefined ? wantedCause : undefined;
  return { ...told, cause, missingCause, effects, moreEffects: more };
}
