import type { EventCheck, EventReporter, LogEnd } from '../../../findings/check.ts';
import { textOf } from '../../../json/write.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { COLUMN, endsRun, isStateProjectionRow, PHASE } from '../rows.ts';
import { AFTER_TERMINATE, PHASES } from '../vocabulary.ts';

const MAY_FOLLOW = new Set(AFTER_TERMINATE.map((phase) => PHASE[phase]));

/**
 * The cognitive loop after its start, which has findings of its own. Each of its phases may be absent, and may come
 * again. A direction and a decision have no order between them.
 */
const LOOP = [
  ['observe'],
  ['intuition'],
  ['interpret'],
  ['plan'],
  ['direction', 'governance'],
  ['act'],
  ['reflect'],
  ['learn'],
] as const;
type LoopPhase = (typeof LOOP)[number][number];

/** A phase of the loop and those that it comes before. */
interface LoopPlace {
  readonly phase: LoopPhase;
  readonly later: readonly LoopPhase[];
}

/** By the number of a phase. */
const IN_LOOP: ReadonlyMap<number, LoopPlace> = new Map(
  LOOP.flatMap((phases, place) =>
    phases.map((phase) => [PHASE[phase], { phase, later: LOOP.slice(place + 1).flat() }]),
  ),
);

/** The partial order of phases: what begins an episode, what ends it, and what may follow. */
export class OrderCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #sealed: boolean;
  #terminated: number | undefined;
  #startRemark: (() => void) | undefined;
  #started: number | undefined;
  /** Candidates are proposed in this log. */
  #proposed = false;
  /** The line on which each phase of the loop came first. */
  readonly #firstLines = new Map<LoopPhase, number>();
  /** The last record of all, and the last that has an id: by the ordinal of the id. */
  #last: { line: number; id: number } | undefined;
  #previousId = -1;
  #texts: TextIndex | undefined;

  /** `sealed`: the episode has its final.json, so that the log ought to be complete. */
  constructor(report: EventReporter, sealed: boolean) {
    this.#report = report;
    this.#sealed = sealed;
  }

  row(row: Row): void {
    const { line, type } = row;
    const id = row.ordinal(COLUMN.id);
    if (this.#last === undefined) this.#begin(row);
    if (type === PHASE.start) this.#checkStart(row);
    if (type === PHASE.action_candidate) this.#proposed = true;
    const place = IN_LOOP.get(type);
    // Of a decision about a candidate GovernanceCheck knows the act.
    if (place && !(this.#proposed && type === PHASE.governance)) this.#checkLoop(row, place);
    if (isStateProjectionRow(row)) this.#checkProjectionCause(row);
    if (endsRun(row)) {
      if (this.#terminated === undefined) {
        this.#terminated = line;
      } else {
        const message = `the episode has ended on line ${this.#terminated} already`;
        this.#report.at(row, { code: 'order/terminate-repeated', message, path: ['phase'] });
      }
    } else if (this.#terminated !== undefined && type < PHASES.length && !MAY_FOLLOW.has(type)) {
      const message = `${PHASES[type]} comes after terminate on line ${this.#terminated}; only insight, memory, learn and runtime may`;
      this.#report.at(row, { code: 'order/after-terminate', message, path: ['phase'] });
    }
    this.#last ??= { line, id };
    this.#last.line = line;
    this.#last.id = id;
    if (id >= 0) this.#previousId = id;
  }

  #begin(row: Row): void {
    this.#texts = row.texts;
    if (row.type === PHASE.start) return;
    const message = `the log begins with ${textOf(row.event['phase'])}; every episode begins with start`;
    const draft = this.#report.draft(row, { code: 'order/start-not-first', message, path: ['phase'] });
    this.#startRemark = () => this.#report.report(draft);
  }

  #checkStart(row: Row): void {
    if (this.#started === undefined) {
      this.#started = row.line;
      return;
    }
    const message = `the episode has started on line ${this.#started} already`;
    this.#report.at(row, { code: 'order/start-repeated', message, path: ['phase'] });
  }

  /** Whether a phase that comes for the first time comes later than one that the loop has after it. */
  #checkLoop(row: Row, { phase, later }: LoopPlace): void {
    if (this.#firstLines.has(phase)) return;
    this.#firstLines.set(phase, row.line);
    const early = later.find((one) => this.#firstLines.has(one));
    if (early === undefined) return;
    const message = `${phase} comes after ${early} on line ${this.#firstLines.get(early)}; the loop has it before`;
    this.#report.ifWhole.at(row, { code: 'order/phase', message, path: ['phase'] });
  }

  /** A state projection is caused by the latest event before it. */
  #checkProjectionCause(row: Row): void {
    const cause = row.ordinal(COLUMN.cause);
    if (cause < 0 || cause === this.#previousId) return;
    const message =
      'the state projection names another cause than the event before it, whose outcome it persists';
    const textOf = (id: number) => row.texts.textOf(id);
    const before = this.#previousId >= 0 && { expected: textOf(this.#previousId) };
    const values = { actual: textOf(cause), ...before };
    this.#report.ifWhole.at(row, { code: 'order/phase', message, path: ['caused_by'], ...values });
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    const last = this.#last;
    if (last === undefined) return;
    this.#startRemark?.();
    if (this.#terminated !== undefined) return;
    const message = this.#sealed
      ? 'the episode is sealed, and its log has no terminate event'
      : 'no terminate event yet: the run is going on, paused, or was cut off';
    const lastId = last.id < 0 ? undefined : this.#texts?.textOf(last.id);
    this.#report.onLine(last.line, lastId, {
      code: 'order/terminate-missing',
      message,
      ...(this.#sealed && { severity: 'warn' }),
    });
  }
}
