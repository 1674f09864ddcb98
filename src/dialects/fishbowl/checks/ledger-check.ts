import { open } from 'node:fs/promises';
import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { parseJson } from '../../../json/parse.ts';
import { jsonEqual } from '../../../json/value.ts';
import { IdIndex } from '../../../log/id-index.ts';
import type { Row } from '../../../log/row.ts';
import type { UpcasterRegistry } from '../../upcast.ts';
import { type LedgerEvent, readEvent, upcastEvent } from '../read.ts';

/** A rule about the events of runs: handed those that a store would keep, in the order of the file. */
export interface RunCheck {
  event?(logged: LoggedEvent, event: LedgerEvent): void;
  /** The same for those that their tables do not accept; see {@link EventCheck}. */
  refused?(logged: LoggedEvent, event: LedgerEvent): void;
  end?(log: LogEnd): void;
}

/** Where each id came first: enough to read its event again when another one claims the id. */
class Places {
  #starts = new Float64Array(1024);
  #lengths = new Uint32Array(1024);

  set(ordinal: number, start: number, length: number): void {
    if (ordinal >= this.#starts.length) {
      const [starts, lengths] = [new Float64Array(ordinal * 2), new Uint32Array(ordinal * 2)];
      starts.set(this.#starts);
      lengths.set(this.#lengths);
      this.#starts = starts;
      this.#lengths = lengths;
    }
    this.#starts[ordinal] = start;
    this.#lengths[ordinal] = length;
  }

  get(ordinal: number): Span {
    return { start: this.#starts[ordinal] ?? 0, length: this.#lengths[ordinal] ?? 0 };
  }
}

interface Span {
  readonly start: number;
  readonly length: number;
}

/** An event whose id has come before. */
interface Repeat {
  readonly draft: FindingDraft;
  readonly firstLine: number;
  readonly first: Span;
  readonly again: Span;
}

/** Which events of a ledger are checked, and by which rules. */
export interface LedgerRules {
  readonly report: EventReporter;
  /** Handed every event, after upcasting. */
  readonly all: readonly EventCheck[];
  /** Handed the events of runs that a store would keep. */
  readonly runs: readonly RunCheck[];
  readonly upcasters: UpcasterRegistry;
  /** This run alone. */
  readonly runId: string | undefined;
}

/**
 * Leads the events of a ledger past the rules. An id counts once over the whole store, the first time it comes
 * (fishbowl.md §5): a repeat is said and goes no further.
 */
export class LedgerCheck implements EventCheck {
  /** Events of the run in question, or all. */
  events = 0;
  readonly #rules: LedgerRules;
  readonly #ids = new IdIndex();
  readonly #places = new Places();
  readonly #repeats: Repeat[] = [];

  constructor(rules: LedgerRules) {
    this.#rules = rules;
  }

  row(row: Row): void {
    this.#take(row, row.isAccepted);
  }

  #take(logged: LoggedEvent, isAccepted: boolean): void {
    const { all, runs, runId, upcasters } = this.#rules;
    const stored = logged.event;
    const event = upcastEvent(stored, upcasters)?.event ?? stored;
    const { record, line, id } = logged;
    const current = event === stored ? logged : { record, line, id, event };
    const mine = runId === undefined || event['run_id'] === runId;
    const isNew = this.#identify(current, mine);
    if (!mine) return;
    this.events += 1;
    // What a table accepted is as it is stored: an event that was made anew is judged as it is now.
    const spared = isAccepted && event === stored;
    for (const check of all) {
      if (!spared) check.refused?.(current);
      check.event?.(current);
    }
    const loose = isNew ? readEvent(event) : undefined;
    if (loose === undefined) return;
    for (const check of runs) {
      if (!spared) check.refused?.(current, loose);
      check.event?.(current, loose);
    }
  }

  end(log: LogEnd): void {
    for (const check of this.#rules.all) check.end?.(log);
    for (const check of this.#rules.runs) check.end?.(log);
  }

  /** Says of each repeated id whether the same event came again, or another: both are read once more from the file. */
  async settle(path: string): Promise<void> {
    if (this.#repeats.length === 0) return;
    const handle = await open(path, 'r');
    const read = async ({ start, length }: Span): Promise<unknown> => {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, start);
      return parseJson(buffer.toString('utf8', 0, bytesRead));
    };
    try {
      for (const { draft, firstLine, first, again } of this.#repeats) {
        const same = jsonEqual(await read(first), await read(again));
        const message = same
          ? `the event repeats the one on line ${firstLine}; a store keeps it once`
          : `another event with this id stands on line ${firstLine}; a store keeps that one and drops this one without a word`;
        this.#rules.report.report({ ...draft, severity: same ? 'info' : 'error', message });
      }
    } finally {
      await handle.close();
    }
  }

  #identify(logged: LoggedEvent, mine: boolean): boolean {
    const { id, line, record } = logged;
    if (id === undefined) return true;
    const before = this.#ids.add(id, line);
    const place = { start: record.byteStart, length: record.byteEnd - record.byteStart };
    if (before < 0) {
      this.#places.set(this.#ids.size - 1, place.start, place.length);
      return true;
    }
    if (!mine) return false;
    const draft = this.#rules.report.draft(logged, {
      code: 'event/duplicate-id',
      message: '',
      path: ['id'],
      actual: id,
    });
    this.#repeats.push({
      draft,
      firstLine: this.#ids.lineOf(before),
      first: this.#places.get(before),
      again: place,
    });
    return false;
  }
}
