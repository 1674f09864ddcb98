import { type EventReporter, type LogEnd, ReportingCheck } from '../../findings/check.ts';
import type { Row } from '../../log/row.ts';
import { DoubtReporter } from '../kit/rules.ts';
import type { Course } from './course/course.ts';
import { ruleDoubts, schemaDoubts } from './rules.ts';
import { RunSoFar } from './run-so-far.ts';

/** Passes the events of a log to its rules. */
export class RuleCheck extends ReportingCheck {
  readonly #isSealed: boolean;
  readonly #doubts: DoubtReporter;
  readonly #course: Course;
  #run: RunSoFar | undefined;

  /** Adds the events to `course`. `isSealed`: whether the episode has a final.json. */
  constructor(report: EventReporter, course: Course, isSealed: boolean) {
    super(report);
    this.#course = course;
    this.#isSealed = isSealed;
    this.#doubts = new DoubtReporter(report);
  }

  refused(row: Row): void {
    this.#doubts.add(row, schemaDoubts(row));
  }

  row(row: Row): void {
    this.#run ??= new RunSoFar(row, this.#course, this.report.limit);
    const doubts = ruleDoubts(row, this.#run);
    if (doubts.length > 0) this.#doubts.add(row, doubts);
    this.#run.take(row);
  }

  end(log: LogEnd): void {
    this.#doubts.settle();
    this.#run?.settle(this.report, log, this.#isSealed);
  }
}
