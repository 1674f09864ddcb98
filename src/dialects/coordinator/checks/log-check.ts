import type { EventCheck, LogEnd, LoggedEvent } from '../../../findings/check.ts';
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
  event(read: ReadLoggedEvent): void;
  end?(log: LogEnd): void;
}

/** Leads events past the rules: as they are stored first, then in their present form. */
export class CoordinatorCheck implements EventCheck {
  readonly #stored: readonly EventCheck[];
  readonly #read: readonly ReadCheck[];
  readonly #revisions: RevisionReader;

  constructor(stored: readonly EventCheck[], read: readonly ReadCheck[], upcasters: UpcasterRegistry) {
    this.#stored = stored;
    this.#read = read;
    this.#revisions = new RevisionReader(upcasters);
  }

  event(logged: LoggedEvent): void {
    for (const check of this.#stored) check.event?.(logged);
    const current = this.#revisions.read(logged.event);
    const event = readEvent(current);
    if (event === undefined) return;
    const read = { logged, event, older: current !== logged.event };
    for (const check of this.#read) check.event(read);
  }

  end(log: LogEnd): void {
    for (const check of this.#stored) check.end?.(log);
    for (const check of this.#read) check.end?.(log);
  }
}
