import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
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
export interface StoryCheck {
  event(read: ReadLoggedEvent): void;
  end?(log: LogEnd): void;
}

/** Leads events past the rules: as they are stored first, then in their present form. */
export class CoordinatorCheck implements EventCheck {
  readonly #stored: readonly EventCheck[];
  readonly #story: readonly StoryCheck[];
  readonly #revisions: RevisionReader;

  constructor(stored: readonly EventCheck[], story: readonly StoryCheck[], upcasters: UpcasterRegistry) {
    this.#stored = stored;
    this.#story = story;
    this.#revisions = new RevisionReader(upcasters);
  }

  event(logged: LoggedEvent): void {
    for (const check of this.#stored) check.event?.(logged);
    const current = this.#revisions.read(logged.event);
    const event = readEvent(current);
    if (event === undefined) return;
    const read = { logged, event, older: current !== logged.event };
    for (const check of this.#story) check.event(read);
  }

  end(log: LogEnd): void {
    for (const check of this.#stored) check.end?.(log);
    for (const check of this.#story) check.end?.(log);
  }
}

/** Remarks that only hold when no line is lost: a lost one may have held what is missed. */
export class Doubts {
  readonly #report: EventReporter;
  readonly #open: (() => void)[] = [];

  constructor(report: EventReporter) {
    this.#report = report;
  }

  add(logged: LoggedEvent, remark: Parameters<EventReporter['at']>[1]): void {
    const draft = this.#report.draft(logged, remark);
    this.#open.push(() => this.#report.report(draft));
  }

  end({ whole }: LogEnd): void {
    if (whole) for (const report of this.#open) report();
  }
}
