import { EventError } from '../../base/errors.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Span, SpansOfLog } from './spans.ts';

/** The number of listed effects of an event. */
const MOST_EFFECTS = 20;

/** A related event in one row. */
export interface EventLink {
  readonly span: Span;
  /** A short description. */
  readonly text: string;
}

/** An event with its causes and effects. */
export interface EventAccount {
  readonly event: JsonObject;
  readonly span: Span;
  readonly type: string | undefined;
  readonly agent: string | undefined;
  /** ISO 8601. */
  readonly time: string | undefined;
  /** Milliseconds since the first time in the log. */
  readonly offset: number | undefined;
  readonly cause: EventLink | undefined;
  /** The id of a cause that is not in the log. */
  readonly missingCause?: string | undefined;
  readonly effects: readonly EventLink[];
  /** The number of effects that are not listed. */
  readonly moreEffects: number;
}

/** The text of an event, as in the last column of the table of events. */
export function textOf(event: JsonObject, { columns }: Dialect): string {
  const [text = ''] = columns.slice(-1).map(({ cell }) => cell(event));
  return text;
}

function linkOf(record: LogRecord, dialect: Dialect, spans: SpansOfLog): EventLink {
  return { span: spans.of(record), text: textOf(record.shown, dialect) };
}

/** The parts of a log that describe one event. */
interface EventLines {
  /** The event, then its ancestors. */
  readonly chain: AsyncIterable<LogRecord>;
  /** The event and its descendants. */
  readonly descendants: AsyncIterable<LogRecord>;
  /** When the log starts, in milliseconds since 1970. */
  readonly startedAt: number | undefined;
  /** The spans of the whole log. */
  readonly spans: SpansOfLog;
}

/** Describes the first event of the chain. */
export async function accountOfEvent(lines: EventLines, dialect: Dialect): Promise<EventAccount> {
  const { view, aliases } = dialect;
  let found: Omit<EventAccount, 'cause' | 'missingCause' | 'effects' | 'moreEffects'> | undefined;
  let wantedCause: string | undefined;
  let cause: EventLink | undefined;
  let names: ReadonlySet<string | undefined> = new Set();
  for await (const record of lines.chain) {
    if (found !== undefined) {
      cause = linkOf(record, dialect, lines.spans);
      break;
    }
    const time = view.time(record);
    const [at, start] = [parseInstant(time), lines.startedAt];
    const id = view.id(record);
    names = new Set([...(id === undefined ? [] : [id]), ...(aliases?.(record) ?? [])]);
    wantedCause = view.cause?.(record);
    found = {
      event: record.exact,
      span: lines.spans.of(record),
      type: view.type(record),
      agent: view.agent(record),
      time,
      offset: at === undefined || start === undefined ? undefined : at - start,
    };
  }
  if (found === undefined) throw new EventError('event-missing', 'no such event in this log');
  const effects: EventLink[] = [];
  let more = 0;
  for await (const record of lines.descendants) {
    if (record.line === found.span.line || !names.has(view.cause?.(record))) continue;
    if (effects.length < MOST_EFFECTS) effects.push(linkOf(record, dialect, lines.spans));
    else more += 1;
  }
  const missingCause = cause === undefined ? wantedCause : undefined;
  return { ...found, cause, missingCause, effects, moreEffects: more };
}
