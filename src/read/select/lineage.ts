import { EventError } from '../../base/errors.ts';
import { Yielder } from '../../base/time/yielder.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import { beyondLast } from '../../log/beyond-last.ts';
import { LargeMap } from '../../log/large-map.ts';
import type { LogRecord } from '../../log/record.ts';
import { LineRanges } from './line-ranges.ts';

/** The minimum length of an id prefix. */
const MIN_PREFIX = 4;

/** A possible line number, if no event has it as an id. */
const LINE = /^\d{1,15}$/;

/** How a chain of causes ended, unless at an event without a cause. */
export type ChainEnd = { readonly kind: 'cycle' | 'missing'; readonly id: string };

/** The names by which other records refer to a record: its id, and others of its dialect. */
export function namesOf(record: LogRecord, { view, aliases }: RecordSource): string[] {
  const id = view.id(record);
  return [...(id === undefined ? [] : [id]), ...(aliases?.(record) ?? [])];
}

/** Causes and effects in one log. The first of several events with the same id counts. */
export class Lineage {
  readonly #source: RecordSource;
  readonly #places = new LineRanges();
  readonly #indexById = new LargeMap<number>();
  readonly #causes: (string | undefined)[] = [];

  constructor(source: RecordSource) {
    this.#source = source;
  }

  add(record: LogRecord): void {
    const index = this.#places.length;
    const { from, to } = record.printed;
    this.#places.add(record.line, from, to);
    this.#causes.push(this.#source.view.cause?.(record));
    for (const name of namesOf(record, this.#source))
      if (this.#indexById.get(name) === undefined) this.#indexById.add(name, index);
  }

  /** The event and its ancestors. Throws `event-missing` or `event-ambiguous`. */
  async chain(text: string): Promise<{ readonly lines: LineRanges; readonly end: ChainEnd | undefined }> {
    const lines = new LineRanges();
    const seen = new Uint8Array(this.#places.length);
    const yielder = new Yielder();
    let index = await this.#find(text, yielder);
    while (true) {
      if (yielder.isDue) await yielder.yield();
      seen[index] = 1;
      lines.addFrom(this.#places, index);
      const cause = this.#causes[index];
      if (cause === undefined) return { lines, end: undefined };
      const next = this.#indexById.get(cause);
      if (next === undefined) return { lines, end: { kind: 'missing', id: cause } };
      if (seen[next] === 1) return { lines, end: { kind: 'cycle', id: cause } };
      index = next;
    }
  }

  /** The event and its descendants, in log order. Throws `event-missing` or `event-ambiguous`. */
  async descendants(text: string): Promise<LineRanges> {
    const yielder = new Yielder();
    const waiting = [await this.#find(text, yielder)];
    const count = this.#places.length;
    // Linked lists of children: the last child of each event, and the previous sibling of each child. A log
    // may have more events than a Set or Map can hold.
    const lastChild = new Int32Array(count).fill(-1);
    const siblingBefore = new Int32Array(count).fill(-1);
    for (const [index, cause] of this.#causes.entries()) {
      if (yielder.isDue) await yielder.yield();
      const parent = cause === undefined ? undefined : this.#indexById.get(cause);
      if (parent === undefined) continue;
      siblingBefore[index] = lastChild[parent] as number;
      lastChild[parent] = index;
    }
    const taken = new Uint8Array(count);
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (yielder.isDue) await yielder.yield();
      if (taken[index] === 1) continue;
      taken[index] = 1;
      for (let child = lastChild[index] as number; child >= 0; child = siblingBefore[child] as number)
        waiting.push(child);
    }
    const lines = new LineRanges();
    for (let index = 0; index < count; index += 1) {
      if (yielder.isDue) await yielder.yield();
      if (taken[index] === 1) lines.addFrom(this.#places, index);
    }
    return lines;
  }

  /** Whether exactly one event fits. */
  async has(text: string): Promise<boolean> {
    try {
      await this.#find(text, new Yielder());
      return true;
    } catch {
      return false;
    }
  }

  async #find(text: string, yielder: Yielder): Promise<number> {
    const exact = this.#indexById.get(text);
    if (exact !== undefined) return exact;
    const onLine = LINE.test(text) ? this.#places.indexOfLine(Number(text)) : -1;
    if (onLine >= 0) return onLine;
    const shown: string[] = [];
    const indexes = new Set<number>();
    let fitting = 0;
    if (text.length >= MIN_PREFIX) {
      for (const [id, index] of this.#indexById) {
        if (yielder.isDue) await yielder.yield();
        if (!id.startsWith(text)) continue;
        fitting += 1;
        if (shown.length < 5) shown.push(id);
        if (indexes.size < 2) indexes.add(index);
      }
    }
    const [only] = indexes;
    // An event may have several names.
    if (only !== undefined && indexes.size === 1) return only;
    if (only !== undefined) {
      const ids = `${shown.join(', ')}${fitting > shown.length ? ', …' : ''}`;
      throw new EventError(
        'event-ambiguous',
        `${text} is the beginning of the ids of ${fitting} events: ${ids}`,
        {
          hint: 'give more characters of the id',
        },
      );
    }
    throw new EventError('event-missing', `no event ${text} in this log${this.#lastLine(text)}`, {
      hint: this.#hint(),
    });
  }

  /** What to add about a line number without an event. */
  #lastLine(text: string): string {
    if (!LINE.test(text)) return '';
    const last = this.#places.length === 0 ? 0 : this.#places.line(this.#places.length - 1);
    const line = Number(text);
    return 0 < line && line <= last ? `: line ${line} is damaged or empty` : beyondLast(line, last);
  }

  #hint(): string {
    return this.#indexById.isEmpty
      ? 'the events of this log have no ids: give a line number'
      : 'noesis events <target> --ids shows the ids; a line number works too';
  }
}
