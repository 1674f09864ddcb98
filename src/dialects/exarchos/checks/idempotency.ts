import { createHash } from 'node:crypto';
import { jsonEqual } from '../../../base/json/value.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import { IdIndex } from '../../../log/id-index.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { FaultStreak } from '../../kit/fault-streak.ts';
import { COLUMN, type StreamEvent } from '../rows.ts';

/** How many keyed events of a stream the store remembers (exarchos.md §5). */
const WINDOW = 200;

/** A longer record is kept as a hash. */
const MAX_KEPT_BYTES = 64 * 1024;

interface Keyed {
  /** The ordinal of the key. */
  readonly key: number;
  readonly line: number;
  readonly type: unknown;
  /** Returns the payload; for a long record, the hash of the payload. */
  readonly content: () => unknown;
}

/** The keyed events of one stream. */
interface Stream {
  readonly number: number;
  /** The last keyed events that the store remembers, one per key. */
  readonly recent: Keyed[];
}

/** How an event relates to an earlier one with its key. */
type Kind = 'same' | 'other' | 'forgotten';

const HOW: Readonly<Record<Kind, string>> = {
  same: 'with the same content',
  other: 'with another content',
  forgotten: `more than ${WINDOW} keyed events before, so the store had forgotten it`,
};

interface Repeat {
  readonly kind: Kind;
  readonly line: number;
  /** The line of the earlier event. */
  readonly before: number;
}

function messageOf({ kind, line, before }: Repeat, last: Repeat): string {
  const keys =
    line === last.line
      ? `the key is already on line ${before}`
      : `the keys of lines ${line} to ${last.line} are repeated, the first of them from line ${before}`;
  return `${keys}, ${HOW[kind]}`;
}

function keyed(key: number, { record, event, line, payload }: StreamEvent): Keyed {
  const { type } = event;
  if (record.byteEnd - record.byteStart <= MAX_KEPT_BYTES) return { key, line, type, content: payload };
  const hash = createHash('sha256')
    .update(JSON.stringify([payload()]))
    .digest('hex');
  return { key, line, type, content: () => hash };
}

/**
 * Checks idempotency keys. A key may appear once per 200 keyed events of a stream; later the store has forgotten it.
 * Some ways of appending are known to skip the store's check (exarchos.md §5, §19).
 */
export class IdempotencyCheck extends ReportingCheck {
  readonly #streams = new Map<string, Stream>();
  /** By the ordinal of a key: its first line, and the number of the stream that has it there. */
  readonly #lines = new GrowingNumbers(Int32Array);
  readonly #first = new GrowingNumbers(Int32Array);
  /** Keys that occur in several streams: the lines for all streams but the first. */
  readonly #elsewhere = new IdIndex();
  /** The texts of the log, which give keys their ordinals. */
  #texts: TextIndex | undefined;
  readonly #repeats = new FaultStreak<Repeat>(this.report, {
    continues: (last, next) => last.kind === next.kind && next.line === last.line + 1,
    message: messageOf,
  });

  /** The first line with a key in a stream; undefined if it has not come yet. */
  lineOf(stream: string, key: string): number | undefined {
    const known = this.#streams.get(stream);
    const ordinal = this.#texts?.find(key) ?? -1;
    return (known && ordinal >= 0 && this.#lineOf(known, ordinal)) || undefined;
  }

  /** The first line with a key in a stream; 0 if the key is new. */
  #lineOf({ number }: Stream, key: number): number {
    const line = this.#lines.get(key);
    if (line === 0 || this.#first.get(key) === number) return line;
    const at = this.#elsewhere.find(`${number}:${key}`);
    return at < 0 ? 0 : this.#elsewhere.lineOf(at);
  }

  #take({ number }: Stream, key: number, line: number): void {
    if (this.#lines.get(key) > 0) {
      this.#elsewhere.add(`${number}:${key}`, line);
      return;
    }
    this.#lines.set(key, line);
    this.#first.set(key, number);
  }

  row(logged: StreamEvent): void {
    const { row, line } = logged;
    const key = row.ordinal(COLUMN.idempotencyKey);
    if (key < 0) return;
    this.#texts = row.texts;
    const stream = this.#stream(logged.stream);
    const { recent } = stream;
    const first = this.#lineOf(stream, key);
    const now = keyed(key, logged);
    if (first === 0) this.#take(stream, key, line);
    else {
      const at = recent.findIndex((one) => one.key === key);
      this.#repeat(logged, row.texts.textOf(key), now, recent[at], first);
      if (at >= 0) recent.splice(at, 1);
    }
    recent.push(now);
    if (recent.length > WINDOW) recent.shift();
  }

  #stream(name: string): Stream {
    let stream = this.#streams.get(name);
    if (stream === undefined) {
      stream = { number: this.#streams.size, recent: [] };
      this.#streams.set(name, stream);
    }
    return stream;
  }

  end(): void {
    this.#repeats.close();
  }

  #repeat(logged: LoggedEvent, key: string, now: Keyed, before: Keyed | undefined, firstLine: number): void {
    const same = before && before.type === now.type && jsonEqual(before.content(), now.content());
    const kind = same === undefined ? 'forgotten' : same ? 'same' : 'other';
    this.#repeats.add(
      logged,
      { kind, line: logged.line, before: before?.line ?? firstLine },
      {
        code: 'idempotency/duplicate',
        ...(kind !== 'other' && { severity: 'info' }),
        path: ['idempotencyKey'],
        actual: key,
      },
    );
  }
}
