import { statSync } from 'node:fs';
import { UsageError } from '../../base/errors.ts';
import type { Dialect } from '../../dialects/dialect.ts';
import { runOfRecord } from '../../dialects/kit/record-filters.ts';
import type { Corruption } from '../../log/corruption.ts';
import { damagedSince, readLog, requireUnchanged } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import { CallWaits } from '../../read/describe/call-waits.ts';
import type { AlsoReading } from '../../read/describe/gathering.ts';
import { EventRows } from './event-table.ts';

/** In bytes: a browser needs a log as one string, which has a maximum length. */
const LONGEST_LOG = 256 * 1024 * 1024;
const MOST_EVENTS = 500_000;

/** A log to show. */
export interface ViewedLog {
  readonly name: string;
  readonly path: string;
  readonly dialect: Dialect;
  readonly run?: string | undefined;
  /** The logs of its subagents. */
  readonly parts?: readonly string[] | undefined;
}

function tooLong(path: string, what: string): UsageError {
  return new UsageError('usage', `${path} is too long for a page: ${what}`, {
    place: { file: path },
    hint: 'use noesis show, timeline or events, which read logs of any length',
  });
}

/** Collects the records of a log and the lines that are not records. Throws `usage` if there are too many. */
export class RowReader implements AlsoReading {
  readonly rows: EventRows;
  /** The first line that is not an event. */
  corruption: Corruption | undefined;
  readonly #path: string;

  /** Throws `usage` for a log that is too long for a page. */
  constructor({ path, dialect }: ViewedLog) {
    const { size } = statSync(path);
    if (size > LONGEST_LOG) throw tooLong(path, `it has ${size} bytes, and a page may have ${LONGEST_LOG}`);
    this.rows = new EventRows(dialect);
    this.#path = path;
  }

  record(record: LogRecord): void {
    if (this.rows.count === MOST_EVENTS) throw tooLong(this.#path, `it has more than ${MOST_EVENTS} events`);
    this.rows.add(record);
  }

  corrupt(found: Corruption): void {
    this.corruption ??= found;
    this.rows.addCorrupt(found);
  }
}

/** Reads the events of an intact log. Throws `usage` if it is too long, and `log-changed`. */
export async function readRows(log: ViewedLog): Promise<ReturnType<EventRows['result']>> {
  const { path, dialect, run } = log;
  const reader = new RowReader(log);
  const account = dialect.storesMuch ? await dialect.account?.(run) : undefined;
  const runOf = run === undefined ? undefined : runOfRecord(dialect);
  const extent = await readLog(path, dialect.form, {
    record(record) {
      if (runOf !== undefined && runOf(record) !== run) return;
      reader.record(record);
      account?.add(record);
    },
    corrupt: () => {
      throw damagedSince(path);
    },
  });
  requireUnchanged(path, extent);
  return reader.rows.result(new CallWaits(account?.result().waits));
}
