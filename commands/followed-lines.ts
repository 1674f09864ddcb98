import type { Dialect } from '../src/dialects/dialect.ts';
import { NEWLINE } from '../src/json/ascii.ts';
import type { JsonObject } from '../src/json/value.ts';
import type { LogRecord } from '../src/log/record.ts';
import { eachLine, parseStored } from '../src/log/stored-lines.ts';
import { EventsTable } from '../src/render/events-table.ts';
import { parseFields, pickedLines } from '../src/select/pick-fields.ts';
import { parseInstant } from '../src/time/instant.ts';
import type { Context } from './context.ts';
import type { TailOptions } from './tail.ts';

/** Lines of a followed log, copied out of the reader's buffer until they are printed. */
export interface HeldLines {
  /** The stored lines, each with its newline. */
  readonly bytes: Buffer;
  /** The number of the first. */
  readonly line: number;
  readonly count: number;
}

/** The last so many lines of those that were added. */
export class LastLines {
  readonly #most: number;
  readonly #held: HeldLines[] = [];
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  add(lines: HeldLines): void {
    this.#held.push(lines);
    this.#count += lines.count;
    for (let first = this.#held[0]; first && this.#count - first.count >= this.#most; first = this.#held[0]) {
      this.#count -= first.count;
      this.#held.shift();
    }
  }

  take(): HeldLines[] {
    const [first, ...rest] = this.#held;
    return first === undefined ? [] : [withoutFirst(first, Math.max(0, this.#count - this.#most)), ...rest];
  }
}

function withoutFirst({ bytes, line, count }: HeldLines, dropped: number): HeldLines {
  let start = 0;
  for (let left = dropped; left > 0; left -= 1) start = bytes.indexOf(NEWLINE, start) + 1;
  return { bytes: bytes.subarray(start), line: line + dropped, count: count - dropped };
}

/** How followed lines become output: as they are stored, as chosen fields, or as rows of a table below its header. */
export interface FollowPrinter {
  readonly header: string;
  readonly print: (lines: HeldLines) => string | Uint8Array;
  /** Says which record is the first of its log. */
  readonly begin: (record: LogRecord) => void;
}

function eventsOf({ bytes }: HeldLines): JsonObject[] {
  return Array.from(eachLine(bytes, 0, bytes.length), ({ start, end }) =>
    parseStored(bytes.toString('utf8', start, end)),
  );
}

/** The printer that the options ask for. */
export async function followPrinter(
  context: Context,
  dialect: Dialect,
  options: TailOptions,
): Promise<FollowPrinter> {
  const begin = () => {};
  if (options.fields !== undefined) {
    const fields = parseFields(options.fields);
    return { header: '', begin, print: (lines) => pickedLines(eventsOf(lines), fields) };
  }
  if (context.json) return { header: '', begin, print: ({ bytes }) => bytes };
  const style = await context.style;
  const tableFrom = (start: number | undefined) =>
    new EventsTable({
      columns: dialect.columns,
      width: context.cutWidth,
      style,
      zone: options.utc ? 'utc' : 'local',
      first: undefined,
      last: undefined,
      start,
    });
  let table = tableFrom(undefined);
  return {
    header: context.quiet ? '' : table.header(),
    begin(record) {
      table = tableFrom(parseInstant(dialect.view.time(record) ?? ''));
    },
    print: (lines) =>
      table.rows(
        eventsOf(lines).map((event, index) => ({
          line: lines.line + index,
          time: dialect.eventTime(event),
          event,
        })),
      ),
  };
}
