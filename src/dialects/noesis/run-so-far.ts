import type { JsonObject } from '../../base/json/value.ts';
import type { EventReporter, LogEnd } from '../../findings/check.ts';
import type { Row } from '../../log/row.ts';
import { columnsBehind } from '../../log/row-event.ts';
import type { TextIndex } from '../../log/text-index.ts';
import { COURSE_PHASES, type Course } from './course/course.ts';
import { PhaseOrder } from './course/order.ts';
import { endsRun, isAboutRun, PHASE } from './event/rows.ts';
import { LastTime } from './event/time.ts';
import { isOneOf, PHASES } from './event/vocabulary.ts';
import { Candidates } from './governance/candidates.ts';
import { ContentIds } from './governance/content-ids.ts';
import { Enforcement } from './governance/enforcement.ts';
import { Vetoes } from './governance/veto-answer.ts';
import { Causes } from './lineage/causes.ts';
import { References } from './lineage/references.ts';

/** By the number of a phase: whether its events say more than that something happened. Most events of a log do not. */
const ABOUT_RUN = PHASES.map(
  (phase) => !['observe', 'interpret', 'learn', 'insight', 'memory'].includes(phase),
);

/** By the number of a phase: whether its events say something about the course of the run. */
const OF_COURSE = PHASES.map((phase) => isOneOf(COURSE_PHASES, phase));

/** What the rules of a log know after its events so far, by subject. */
export class RunSoFar {
  readonly time = new LastTime();
  readonly course: Course;
  readonly order = new PhaseOrder();
  readonly candidates = new Candidates();
  readonly enforcement = new Enforcement();
  readonly vetoes = new Vetoes();
  readonly contentIds = new ContentIds();
  readonly causes: Causes;
  readonly references: References;
  /** The next event by its columns, whether it ends the run, and whether its type begins with `run.`; see {@link read}. */
  readonly event: JsonObject;
  isEnd = false;
  isOfRun = false;
  readonly #texts: TextIndex;
  #readLine = 0;

  /** `row`: the rows of the log, which all use one object. `limit`: how many findings of a code are reported with all details. */
  constructor(row: Row, course: Course, limit: number) {
    const { texts } = row;
    this.course = course;
    this.event = columnsBehind(row);
    this.#texts = texts;
    this.causes = new Causes(texts, limit);
    this.references = new References(limit);
  }

  /** Reads what all rules ask of the next event. */
  read(row: Row): this {
    if (this.#readLine === row.line) return this;
    this.#readLine = row.line;
    this.isEnd = endsRun(row);
    this.isOfRun = row.type === PHASE.runtime && isAboutRun(row);
    return this;
  }

  /** Adds the next event. */
  take(row: Row): void {
    const { isEnd, isOfRun } = this.read(row);
    this.time.take(row);
    if (OF_COURSE[row.type] === true || this.course.readsAll) this.course.take(this.event, row.line, isEnd);
    else this.course.pass(row.line);
    this.order.take(row);
    this.causes.take(row);
    this.references.take(row);
    if (ABOUT_RUN[row.type] !== true) return;
    this.vetoes.take(row, isEnd);
    // Most runtime events are about tools.
    if (row.type === PHASE.runtime && !isOfRun) return;
    this.candidates.take(row);
    this.enforcement.take(row);
    this.contentIds.take(row);
  }

  /** Reports what only the end of the log shows. `isSealed`: the episode has a final.json, so its log should be complete. */
  settle(report: EventReporter, log: LogEnd, isSealed: boolean): void {
    this.causes.settle(report, log);
    this.references.settle(report, log);
    const { first, note } = this.contentIds;
    if (first && note !== undefined)
      report.onLine(first.line, first.eventId, {
        code: 'governance/content-id',
        severity: 'info',
        message: note,
      });
    if (log.whole && this.course.end === undefined) this.#missEnd(report, isSealed);
  }

  #missEnd(report: EventReporter, isSealed: boolean): void {
    const { lastId } = this.order;
    report.onLine(this.course.lastLine, lastId < 0 ? undefined : this.#texts.textOf(lastId), {
      code: 'order/terminate-missing',
      message: isSealed
        ? 'the episode is sealed, but its log has no terminate event'
        : 'no terminate event yet: the run is still going, is paused, or was interrupted',
      ...(isSealed && { severity: 'warn' }),
    });
  }
}
