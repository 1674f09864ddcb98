import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { isObject } from '../../../json/value.ts';
import type { StreamNamer } from '../identity.ts';
import { SHARED_STREAMS } from '../names.ts';
import { phaseAfter } from '../workflow-types.ts';

/** What only a workflow that has started can log. Gates and sidecars may come before (exarchos.md §19). */
const needsStart = (type: string): boolean => type.startsWith('workflow.') || type.startsWith('state.');

/** What is known of the workflow of one stream. */
interface Workflow {
  /** Whether the log has the stream from its first number on. */
  readonly hasHead: boolean;
  /** Whether an event that needs the start has come. */
  begun: boolean;
  started: number | undefined;
  /** Undefined when the events so far do not tell. */
  phase: string | undefined;
  /** The event that told, for messages. */
  phaseLine: number;
}

/**
 * The lifecycle of a workflow: it starts once and first, and each transition leaves the phase that the one before led to
 * (exarchos.md §19). Which transitions there may be is the project's own affair, and is not checked (§13).
 */
export class LifecycleCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  readonly #workflows = new Map<string, Workflow>();
  readonly #open: EventReporter;

  constructor(report: EventReporter, streamOf: StreamNamer) {
    this.#report = report;
    this.#open = report.later();
    this.#streamOf = streamOf;
  }

  event(logged: LoggedEvent): void {
    const { type } = logged.event;
    if (typeof type !== 'string') return;
    const stream = this.#streamOf(logged.event);
    if (SHARED_STREAMS.has(stream)) return;
    const workflow = this.#workflows.get(stream) ?? this.#first(stream, logged);
    if (!needsStart(type)) return;
    if (!workflow.begun) this.#begin(workflow, logged, type);
    if (type === 'workflow.started') this.#start(logged, workflow);
    else if (type === 'workflow.transition') this.#checkStep(logged, workflow);
    const phase = phaseAfter(logged.event);
    if (phase === undefined && type !== 'workflow.started') return;
    workflow.phase = phase;
    workflow.phaseLine = logged.line;
  }

  /** A phase can only be told of a log without a hole in it: to be called when it is known that there is none. */
  settle(): void {
    this.#report.confirm(this.#open);
  }

  #first(stream: string, { event }: LoggedEvent): Workflow {
    const { sequence } = event;
    const hasHead = !(typeof sequence === 'number' && sequence > 1);
    const workflow = { hasHead, begun: false, started: undefined, phase: undefined, phaseLine: 0 };
    this.#workflows.set(stream, workflow);
    return workflow;
  }

  #begin(workflow: Workflow, logged: LoggedEvent, type: string): void {
    workflow.begun = true;
    // Of a stream that does not begin at 1 the head is missing: that is told as a gap.
    if (type === 'workflow.started' || !workflow.hasHead) return;
    const message = `${type} comes first, and every workflow begins with workflow.started`;
    this.#open.at(logged, { code: 'order/start-not-first', message, path: ['type'] });
  }

  #start(logged: LoggedEvent, workflow: Workflow): void {
    if (workflow.started === undefined) workflow.started = logged.line;
    else {
      const message = `the workflow was started on line ${workflow.started} already`;
      this.#report.at(logged, { code: 'order/start-repeated', severity: 'warn', message, path: ['type'] });
    }
  }

  #checkStep(logged: LoggedEvent, workflow: Workflow): void {
    const { phase, phaseLine } = workflow;
    const { data } = logged.event;
    const from = isObject(data) ? data['from'] : undefined;
    if (typeof from === 'string' && phase !== undefined && from !== phase) {
      this.#open.at(logged, {
        code: 'order/lifecycle',
        message: `the transition leaves ${from}, and line ${phaseLine} led to ${phase}`,
        path: ['data', 'from'],
        expected: phase,
        actual: from,
      });
    }
  }
}
