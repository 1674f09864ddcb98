import type { RecordSource } from '../dialects/dialect.ts';
import { NoesisError } from '../errors.ts';
import type { LogRecord } from '../log/record.ts';
import { LineRanges } from './line-ranges.ts';

/** A prefix of an id is enough when it has this many characters and fits one event only. */
const MIN_PREFIX = 4;

/** Where the ids of a log's events are to be seen. */
export function idHint({ idQuery }: Pick<RecordSource, 'idQuery'>): string {
  if (idQuery === undefined) return 'the events of this log have no ids';
  const query = /^[.\w]+$/.test(idQuery) ? idQuery : `'${idQuery}'`;
  return `noesis events <target> -j | jq -r ${query} lists the ids`;
}

/** How a chain of causes ended, where it did not end at an event without a cause. */
export type ChainEnd = { readonly kind: 'cycle' | 'missing'; readonly id: string };

/** Who led to whom in one log; of events with one id the first counts. */
export class Lineage {
  readonly #source: RecordSource;
  readonly #places = new LineRanges();
  readonly #indexById = new Map<string, number>();
  readonly #causes: (string | undefined)[] = [];

  constructor(source: RecordSource) {
    this.#source = source;
  }

  add(record: LogRecord): void {
    const { view, aliases } = this.#source;
    const id = view.id(record);
    const index = this.#places.length;
    this.#places.add(record.line, record.byteStart, record.byteEnd);
    this.#causes.push(view.cause?.(record));
    for (const name of [...(id === undefined ? [] : [id]), ...(aliases?.(record) ?? [])]) {
      if (!this.#indexById.has(name)) this.#indexById.set(name, index);
    }
  }

  /** The event, then each of its ancestors. Throws `event-missing` or `event-ambiguous`. */
  chain(text: string): { readonly lines: LineRanges; readonly end: ChainEnd | undefined } {
    const lines = new LineRanges();
    const seen = new Set<number>();
    let index = this.#find(text);
    while (true) {
      seen.add(index);
      this.#take(lines, index);
      const cause = this.#causes[index];
      if (cause === undefined) return { lines, end: undefined };
      const next = this.#indexById.get(cause);
      if (next === undefined) return { lines, end: { kind: 'missing', id: cause } };
      if (seen.has(next)) return { lines, end: { kind: 'cycle', id: cause } };
      index = next;
    }
  }

  /** The event and all that it led to, in the order of the log. Throws `event-missing` or `event-ambiguous`. */
  descendants(text: string): LineRanges {
    const root = this.#find(text);
    const children = new Map<number, number[]>();
    this.#causes.forEach((cause, index) => {
      const parent = cause === undefined ? undefined : this.#indexById.get(cause);
      if (parent === undefined) return;
      const siblings = children.get(parent);
      if (siblings) siblings.push(index);
      else children.set(parent, [index]);
    });
    const taken = new Set([root]);
    for (const index of taken) for (const child of children.get(index) ?? []) taken.add(child);
    const lines = new LineRanges();
    for (const index of [...taken].sort((a, b) => a - b)) this.#take(lines, index);
    return lines;
  }

  #take(lines: LineRanges, index: number): void {
    lines.add(this.#places.line(index), this.#places.byteStart(index), this.#places.byteEnd(index));
  }

  #find(text: string): number {
    const exact = this.#indexById.get(text);
    if (exact !== undefined) return exact;
    const fitting =
      text.length < MIN_PREFIX ? [] : [...this.#indexById].filter(([id]) => id.startsWith(text));
    const [only] = fitting;
    // One event may have several names.
    if (only && fitting.every(([, index]) => index === only[1])) return only[1];
    if (fitting.length > 1) {
      const shown = fitting.slice(0, 5).map(([id]) => id);
      throw new NoesisError(
        'event-ambiguous',
        `${text} begins the ids of ${fitting.length} events: ${shown.join(', ')}`,
        {
          hint: 'give more of the id',
        },
      );
    }
    throw new NoesisError('event-missing', `no event ${text} in this log`, {
      hint: idHint(this.#source),
    });
  }
}
