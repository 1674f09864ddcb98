import { isObject, type JsonValue } from '../../../json/value.ts';
import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../verify/check.ts';
import type { FindingDraft } from '../../../verify/findings.ts';
import { SHARED_STREAMS } from '../names.ts';
import { FINAL_PHASES, initialPhase } from '../workflow-types.ts';

/** What only a workflow that has started can log. Gates and sidecars may come before (exarchos.md §19). */
const NEEDS_START = /^(?:workflow|state)\./;

/** What is known of the workflow of one stream. */
interface Course {
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
  readonly #courses = new Map<string, Course>();
  readonly #open: FindingDraft[] = [];

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { streamId, type, data } = logged.event;
    if (typeof type !== 'string') return;
    const stream = typeof streamId === 'string' ? streamId : '';
    if (!NEEDS_START.test(type) || SHARED_STREAMS.has(stream)) return;
    const course = this.#courses.get(stream) ?? this.#begin(stream, logged, type);
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
    if (whole) for (const draft of this.#open) this.#report.report(draft);
  }

  #begin(stream: string, logged: LoggedEvent, type: string): Course {
    const course: Course = { started: undefined, phase: undefined, phaseLine: 0 };
    this.#courses.set(stream, course);
    // A stream that does not begin at 1 lacks its head: that is told as a gap.
    if (type !== 'workflow.started' && logged.event['sequence'] === logged.line) {
      const message = `${type} comes before workflow.started, with which every workflow begins`;
      this.#open.push(this.#report.draft(logged, { code: 'order/start-not-first', message, path: ['type'] }));
    }
    return course;
  }

  #start(logged: LoggedEvent, course: Course, workflowType: JsonValue | undefined): void {
    if (course.started === undefined) course.started = logged.line;
    else {
      const message = `the workflow was started on line ${course.started} already`;
      this.#report.at(logged, { code: 'order/start-repeated', message, path: ['type'] });
    }
    enter(course, initialPhase(workflowType), logged.line);
  }

  #step(logged: LoggedEvent, course: Course, from: JsonValue | undefined, to: JsonValue | undefined): void {
    const { phase, phaseLine } = course;
    if (typeof from === 'string' && phase !== undefined && from !== phase) {
      this.#open.push(
        this.#report.draft(logged, {
          code: 'order/lifecycle',
          message: `the transition leaves ${from}, and line ${phaseLine} led to ${phase}`,
          path: ['data', 'from'],
          expected: phase,
          actual: from,
        }),
      );
    }
    if (typeof to === 'string') enter(course, to, logged.line);
  }
}

function enter(course: Course, phase: string | undefined, line: number): void {
  course.phase = phase;
  course.phaseLine = line;
}
