import type { EventCheck, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import type { UpcasterRegistry } from '../../upcast.ts';
import { type CoordinatorEvent, readEvent } from '../read.ts';
import { RevisionReader } from '../upcasters.ts';

/** An event on its way through the rules that look at what it says. */
export interface ReadLoggedEvent {
  readonly logged: LoggedEvent;
  /** In its present form. */
  readonly event: CoordinatorEvent;
  /** It was written under an older name. */
  readonly older: boolean;
}

/** A rule about what the events say: handed those that say their type, in the order of the file. */
export interface ReadCheck {
  event?(read: ReadLoggedEvent): void;
  /** Sees those that the tables made of the vocabulary do not accept: what lacks something, or holds it elsewhere. */
  refused?(read: ReadLoggedEvent): void;
  end?(log: LogEnd): void;
}

/** Leads events past the rules: as they are stored first, then in their present form. */
export class CoordinatorCheck implements EventCheck {
  readonly #stored: readonly EventCheck[];
  readonly #read: readonly ReadCheck[];
  readonly #revisions: RevisionReader;
  #plain: JsonObject | undefined;

  constructor(stored: readonly EventCheck[], read: readonly ReadCheck[], upcasters: UpcasterRegistry) {
    this.#stored = stored;
    this.#read = read;
    this.#revisions = new RevisionReader(upcasters);
  }

  row(row: Row): void {
    const { isAccepted } = row;
    this.#plain ??= eventBehind(row);
    const { record, line } = row;
    // What is accepted has the members of the envelope, of which none is an id.
    const logged = isAccepted
      ? { record, line, id: undefined, event: this.#plain }
      : { record, line, id: row.id, event: row.event };
    for (const check of this.#stored) {
      if (!isAccepted) check.refused?.(logged);
      check.event?.(logged);
    }
    const current = this.#revisions.read(logged.event);
    const event = readEvent(current);
    if (event === undefined) return;
    const read = { logged, event, older: current !== logged.event };
    for (const check of this.#read) {
      if (!isAccepted) check.refused?.(read);
      check.event?.(read);
    }
  }

  end(log: LogEnd): void {
    for (const check of this.#stored) check.end?.(log);
    for (const check of this.#read) check.end?.(log);
  }
}
