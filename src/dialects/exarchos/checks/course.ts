import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isObject, type JsonValue } from '../../../json/value.ts';
import type { StreamNamer } from '../identity.ts';
import { SHARED_STREAMS } from '../names.ts';
import { FINAL_PHASES, initialPhase } from '../workflow-types.ts';

/** What only a workflow that has started can log. Gates and sidecars may come before (exarchos.md §19). */
const NEEDS_START = /^(?:workflow|state)\./;

/** What is known of the workflow of one stream. */
interface Course {
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
 * The course of a workflow: it starts once and first, and each transition leaves the phase that the one before led to
 * (exarchos.md §19). Which transitions there may be is the project's own affair, and is not checked (§13).
 */
export class CourseCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #streamOf: StreamNamer;
  readonly #courses = new Map<string, Course>();
  readonly #open: EventReporter;

  constructor(report: EventReporter, streamOf: StreamNamer) {
    this.#report = report;
    this.#open = report.later();
    this.#streamOf = streamOf;
  }

  event(logged: LoggedEvent): void {
    const { type, data } = logged.event;
    if (typeof type !== 'string') return;
    const stream = this.#streamOf(logged.event);
    if (SHARED_STREAMS.has(stream)) return;
    const course = this.#courses.get(stream) ?? this.#first(stream, logged);
    if (!NEEDS_START.test(type)) return;
    if (!course.begun) this.#begin(course, logged, type);
    const fields = isObject(data) ? data : {};
    const final = FINAL_PHASES[type];
    if (type === 'workflow.started') this.#start(logged, course, fields['workflowType']);
    else if (type === 'workflow.transition') this.#step(logged, course, fields['from'], fields['to']);
    else if (type === 'state.patched') {
      const patched = isObject(fields['patch']) ? fields['patch']['phase'] : undefined;
      if (typeof patched === 'string') enter(course, patched, logged.line);
    } else if (Object.hasOwn(FINAL_PHASES, type) && final !== undefined) enter(course, final, logged.line);
  }

  /** A phase can only be told of a log without a hole in it. */
  end({ whole }: LogEnd): void {
    if (whole) this.#report.confirm(this.#open);
  }

  #first(stream: string, { event }: LoggedEvent): Course {
    const { sequence } = event;
    const hasHead = !(typeof sequence === 'number' && sequence > 1);
    const course = { hasHead, begun: false, started: undefined, phase: undefined, phaseLine: 0 };
    this.#courses.set(stream, course);
    return course;
  }

  #begin(course: Course, logged: LoggedEvent, type: string): void {
    course.begun = true;
    // Of a stream that does not begin at 1 the head is missing: that is told as a gap.
    if (type === 'workflow.started' || !course.hasHead) return;
    const message = `${type} comes first, and every workflow begins with workflow.started`;
    this.#open.at(logged, { code: 'order/start-not-first', message, path: ['type'] });
  }

  #start(logged: LoggedEvent, course: Course, workflowType: JsonValue | undefined): void {
    if (course.started === undefined) course.started = logged.line;
    else {
      const message = `the workflow was started on line ${course.started} already`;
      this.#report.at(logged, { code: 'order/start-repeated', severity: 'warn', message, path: ['type'] });
    }
    enter(course, initialPhase(workflowType), logged.line);
  }

  #step(logged: LoggedEvent, course: Course, from: JsonValue | undefined, to: JsonValue | undefined): void {
    const { phase, phaseLine } = course;
    if (typeof from === 'string' && phase !== undefined && from !== phase) {
      this.#open.at(logged, {
        code: 'order/lifecycle',
        message: `the transition leaves ${from}, and line ${phaseLine} led to ${phase}`,
        path: ['data', 'from'],
        expected: phase,
        actual: from,
      });
    }
    if (typeof to === 'string') enter(course, to, logged.line);
  }
}

function enter(course: Course, phase: string | undefined, line: number): void {
  course.phase = phase;
  course.phaseLine = line;
}
