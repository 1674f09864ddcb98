import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { StreamNamer } from '../identity.ts';
import { WorkflowLife } from '../lifecycle.ts';
import { SHARED_STREAMS } from '../names.ts';

/** The lifecycle of the workflow of each stream (see {@link WorkflowLife}). */
export class LifecycleCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  readonly #workflows = new Map<string, WorkflowLife>();
  readonly #open: EventReporter;

  constructor(report: EventReporter, streamOf: StreamNamer) {
    this.#report = report;
    this.#open = report.later();
    this.#streamOf = streamOf;
  }

  row(logged: LoggedEvent): void {
    const { event, line } = logged;
    if (typeof event['type'] !== 'string') return;
    const stream = this.#streamOf(event);
    if (SHARED_STREAMS.has(stream)) return;
    let life = this.#workflows.get(stream);
    if (life === undefined) {
      const { sequence } = event;
      life = new WorkflowLife(!(typeof sequence === 'number' && sequence > 1));
      this.#workflows.set(stream, life);
    }
    const fault = life.faultOf(event);
    if (fault !== undefined) {
      const { mayBeGap, ...finding } = fault;
      (mayBeGap ? this.#open : this.#report).at(logged, finding);
    }
    life.take(event, line);
  }

  /** Only a log without a hole shows its phases: to be called when it is known that there is none. */
  settle(): void {
    this.#report.confirm(this.#open);
  }
}
