import { isObject, type JsonObject } from '../../base/json/value.ts';
import { named } from '../../base/json/write.ts';
import { type EventRemark, ReportingCheck } from '../../findings/check.ts';
import { SHARED_STREAMS } from './names.ts';
import type { StreamEvent } from './rows.ts';
import { isFinal, phaseAfter } from './workflow-types.ts';

/** Types that require a started workflow. Gates, and events from sidecars, may come earlier (exarchos.md §19). */
const needsStart = (type: string): boolean => type.startsWith('workflow.') || type.startsWith('state.');

/** Types that assign or claim work. They must not follow the end of a workflow. */
const BEGINS_WORK: ReadonlySet<string> = new Set([
  'task.assigned',
  'task.claimed',
  'team.spawned',
  'team.task.assigned',
  'team.teammate.dispatched',
]);

/** Why an event cannot come at this point of its workflow. */
interface LifecycleFault extends EventRemark {
  /** Whether missing events before this one may explain it. */
  readonly mayBeGap: boolean;
}

const timeOf = ({ timestamp }: JsonObject): number =>
  Date.parse(typeof timestamp === 'string' ? timestamp : '');

/**
 * The lifecycle of one workflow: it starts once, and with its first event; each transition leaves the current phase; no
 * work begins after the end (exarchos.md §19). Which transitions exist is defined by the project (§13).
 */
export class WorkflowLife {
  /** Whether the log has the stream from its first number. */
  readonly #hasHead: boolean;
  /** Whether an event that needs the start has occurred. */
  #begun = false;
  #started: number | undefined;
  /** Undefined if no event has set it. */
  #phase: string | undefined;
  /** The line and time of the event that set the phase. */
  #phaseLine = 0;
  #phaseTime = Number.NaN;

  constructor(hasHead: boolean) {
    this.#hasHead = hasHead;
  }

  copy(): WorkflowLife {
    const copy = new WorkflowLife(this.#hasHead);
    copy.#begun = this.#begun;
    copy.#started = this.#started;
    copy.#phase = this.#phase;
    copy.#phaseLine = this.#phaseLine;
    copy.#phaseTime = this.#phaseTime;
    return copy;
  }

  /** Returns the fault of the next event, if it has one. */
  faultOf(event: JsonObject): LifecycleFault | undefined {
    const { type } = event;
    if (typeof type !== 'string') return undefined;
    const path = ['type'];
    if (BEGINS_WORK.has(type)) return this.#afterEnd(event, type);
    if (type === 'workflow.started') {
      if (this.#started === undefined) return undefined;
      const message = `the workflow already started on line ${this.#started}`;
      return { code: 'order/start-repeated', severity: 'warn', message, path, mayBeGap: false };
    }
    // A stream that does not begin at 1 lacks its head, which is reported as a gap.
    if (needsStart(type) && !this.#begun && this.#hasHead) {
      const message = `${named(type)} comes first, but every workflow must begin with workflow.started`;
      return { code: 'order/start-not-first', message, path, mayBeGap: true };
    }
    // Of other types the payload is not read, because that may parse it.
    const data = type === 'workflow.transition' ? event['data'] : undefined;
    const from = isObject(data) ? data['from'] : undefined;
    if (typeof from !== 'string' || this.#phase === undefined || from === this.#phase) return undefined;
    return {
      code: 'order/lifecycle',
      message: `the transition leaves ${named(from)}, but line ${this.#phaseLine} led to ${named(this.#phase)}`,
      path: ['data', 'from'],
      expected: this.#phase,
      actual: from,
      mayBeGap: true,
    };
  }

  /** Adds the next event, which is on `line`. */
  take(event: JsonObject, line: number): void {
    const { type } = event;
    if (typeof type !== 'string' || !needsStart(type)) return;
    this.#begun = true;
    if (type === 'workflow.started') this.#started ??= line;
    const phase = phaseAfter(event);
    if (phase === undefined && type !== 'workflow.started') return;
    // A cancel or cleanup is written as two events. The first is the end.
    if (phase === this.#phase) return;
    this.#phase = phase;
    this.#phaseLine = line;
    this.#phaseTime = timeOf(event);
  }

  /**
   * The fault of work that began after the end. Events from a sidecar come late, but have the time at which they
   * happened.
   */
  #afterEnd(event: JsonObject, type: string): LifecycleFault | undefined {
    if (!isFinal(this.#phase) || !(timeOf(event) > this.#phaseTime)) return undefined;
    const message = `${type} comes after the end of the workflow: it was ${this.#phase} on line ${this.#phaseLine}`;
    return { code: 'order/lifecycle', message, path: ['type'], mayBeGap: true };
  }
}

/** Checks the lifecycle of the workflow of each stream. */
export class LifecycleCheck extends ReportingCheck {
  readonly #workflows = new Map<string, WorkflowLife>();
  readonly #open = this.report.later();

  row(logged: StreamEvent): void {
    const { event, line, stream } = logged;
    if (typeof event['type'] !== 'string') return;
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
      (mayBeGap ? this.#open : this.report).at(logged, finding);
    }
    life.take(event, line);
  }

  /** Reports the findings that a gap could explain. Call it only if there is none. */
  settle(): void {
    this.report.confirm(this.#open);
  }
}
