import { named } from '../../../base/json/write.ts';
import { type EventReporter, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { COLUMN, endsRun, isStateProjectionRow, PHASE } from './rows.ts';
import { AFTER_TERMINATE, PHASES } from './vocabulary.ts';

const MAY_FOLLOW = new Set(AFTER_TERMINATE.map((phase) => PHASE[phase]));

/**
 * The order of the cognitive loop after the start. Any phase may be absent or repeated, and direction and governance may
 * come in either order.
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

/** A phase of the loop, and the phases after it. */
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

/** Checks the partial order of phases: the start and end of an episode, and what may follow. */
export class OrderCheck extends ReportingCheck {
  readonly #sealed: boolean;
  #terminated: number | undefined;
  #started: number | undefined;
  /** Whether the log has contained candidates so far. */
  #proposed = false;
  /** The first line of each phase of the loop. */
  readonly #firstLines = new Map<LoopPhase, number>();
  /** The last record: its line, and the ordinal of its id. */
  #last: { line: number; id: number } | undefined;
  #previousId = -1;
  #texts: TextIndex | undefined;

  /** `sealed`: whether the episode has a final.json, so that its log should be complete. */
  constructor(report: EventReporter, sealed: boolean) {
    super(report);
    this.#sealed = sealed;
  }

  row(row: Row): void {
    const { line, type } = row;
    const id = row.ordinal(COLUMN.id);
    if (this.#last === undefined) this.#begin(row);
    if (type === PHASE.start) this.#checkStart(row);
    if (type === PHASE.action_candidate) this.#proposed = true;
    const place = IN_LOOP.get(type);
    // GovernanceCheck handles decisions about candidates.
    if (place && !(this.#proposed && type === PHASE.governance)) this.#checkLoop(row, place);
    if (isStateProjectionRow(row)) this.#checkProjectionCause(row);
    if (endsRun(row)) {
      if (this.#terminated === undefined) {
        this.#terminated = line;
      } else {
        const message = `the episode already ended on line ${this.#terminated}`;
        this.report.at(row, { code: 'order/terminate-repeated', message, path: ['phase'] });
      }
    } else if (this.#terminated !== undefined && type < PHASES.length && !MAY_FOLLOW.has(type)) {
      const message = `${PHASES[type]} comes after terminate on line ${this.#terminated}; only insight, memory, learn and runtime may`;
      this.report.at(row, { code: 'order/after-terminate', message, path: ['phase'] });
    }
    this.#last ??= { line, id };
    this.#last.line = line;
    this.#last.id = id;
    if (id >= 0) this.#previousId = id;
  }

  #begin(row: Row): void {
    this.#texts = row.texts;
    if (row.type === PHASE.start) return;
    const message = `the log begins with ${named(row.event['phase'])}; every episode begins with start`;
    this.report.ifWhole.at(row, { code: 'order/start-not-first', message, path: ['phase'] });
  }

  #checkStart(row: Row): void {
    if (this.#started === undefined) {
      this.#started = row.line;
      return;
    }
    const message = `the episode already started on line ${this.#started}`;
    this.report.at(row, { code: 'order/start-repeated', message, path: ['phase'] });
  }

  /** Reports a phase that first occurs after a later phase of the loop. */
  #checkLoop(row: Row, { phase, later }: LoopPlace): void {
    if (this.#firstLines.has(phase)) return;
    this.#firstLines.set(phase, row.line);
    const early = later.find((one) => this.#firstLines.has(one));
    if (early === undefined) return;
    const message = `${phase} comes after ${early} on line ${this.#firstLines.get(early)}; in the loop it comes before`;
    this.report.ifWhole.at(row, { code: 'order/phase', message, path: ['phase'] });
  }

  /** The cause of a state projection must be the latest event before it. */
  #checkProjectionCause(row: Row): void {
    const cause = row.ordinal(COLUMN.cause);
    if (cause < 0 || cause === this.#previousId) return;
    const message =
      'a state projection stores the outcome of the event before it, but this one names another cause';
    const textOf = (id: number) => row.texts.textOf(id);
    const before = this.#previousId >= 0 && { expected: textOf(this.#previousId) };
    const values = { actual: textOf(cause), ...before };
    this.report.ifWhole.at(row, { code: 'order/phase', message, path: ['caused_by'], ...values });
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    const last = this.#last;
    if (last === undefined) return;
    if (this.#terminated !== undefined) return;
    const message = this.#sealed
      ? 'the episode is sealed, but its log has no terminate event'
      : 'no terminate event yet: the run is still going, is paused, or was interrupted';
    const lastId = last.id < 0 ? undefined : this.#texts?.textOf(last.id);
    this.report.onLine(last.line, lastId, {
      code: 'order/terminate-missing',
      message,
      ...(this.#sealed && { severity: 'warn' }),
    });
  }
}
