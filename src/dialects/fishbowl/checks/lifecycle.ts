import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { CheckedEvent } from '../read.ts';
import type { RunCheck } from './ledger-check.ts';

interface Ending {
  readonly line: number;
  readonly reason: unknown;
  readonly winner: unknown;
  /** Whether it corrected an earlier one: that is allowed once. */
  readonly correction: boolean;
}

interface Lifecycle {
  readonly first: { readonly line: number; readonly id: string | undefined };
  started: number | undefined;
  turn: { value: number; line: number } | undefined;
  session: { readonly id: string; readonly line: number } | undefined;
  ending: Ending | undefined;
}

const isWon = (winner: unknown): boolean => typeof winner === 'string' && winner !== '';

/**
 * How each run goes: it starts first and once, at turn 0; turns do not fall; it ends once, but for a budget's end that
 * a verdict corrects; nothing comes after; one session (fishbowl.md §5, §6, §11). One small record per run is kept.
 */
export class LifecycleCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #runs = new Map<string, Lifecycle>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent, event: CheckedEvent): void {
    const run = this.#runs.get(event.runId) ?? this.#begin(logged, event);
    this.#turns(logged, event, run);
    this.#session(logged, event, run);
    if (event.kind === 'run.started') this.#start(logged, run);
    if (event.kind === 'run.finished') this.#finish(logged, event, run);
    else if (run.ending) {
      const { line } = run.ending;
      this.#report.once(
        `after ${line}`,
        logged,
        { code: 'order/after-terminate', severity: 'warn' },
        (count) => {
          // Another end makes the first one void.
          if (run.ending?.line !== line) return undefined;
          return `the run has ended on line ${line}, and ${count === 1 ? 'one event follows' : `${count} events follow`}`;
        },
      );
    }
  }

  end(): void {
    for (const [id, { ending, first }] of this.#runs) {
      if (ending) continue;
      const message = `the run ${id} has no run.finished: it goes on, was given up, or died`;
      this.#report.ifWhole.onLine(first.line, first.id, {
        code: 'order/terminate-missing',
        severity: 'info',
        message,
      });
    }
  }

  #begin(logged: LoggedEvent, { runId, kind, turn }: CheckedEvent): Lifecycle {
    const first = { line: logged.line, id: logged.id };
    const starts = kind === 'run.started';
    if (!starts || (turn !== undefined && turn !== 0)) {
      const message = starts
        ? `the run starts at turn ${turn}, not 0`
        : `the run begins with ${kind}, not with run.started`;
      const remark = { code: 'order/start-not-first', message, path: [starts ? 'turn' : 'kind'] } as const;
      this.#report.ifWhole.at(logged, remark);
    }
    const run: Lifecycle = {
      first,
      started: undefined,
      turn: undefined,
      session: undefined,
      ending: undefined,
    };
    this.#runs.set(runId, run);
    return run;
  }

  #turns(logged: LoggedEvent, { turn }: CheckedEvent, run: Lifecycle): void {
    if (turn === undefined) return;
    const before = run.turn;
    if (before !== undefined && turn < before.value) {
      this.#report.at(logged, {
        code: 'sequence/backwards',
        message: `turn ${turn} comes after turn ${before.value} of the same run, on line ${before.line}`,
        path: ['turn'],
        expected: `${before.value} or more`,
        actual: String(turn),
      });
    }
    const { line } = logged;
    if (before === undefined) run.turn = { value: turn, line };
    else {
      before.value = turn;
      before.line = line;
    }
  }

  #session(logged: LoggedEvent, { sessionId }: CheckedEvent, run: Lifecycle): void {
    // After a restart the engine knows the session no more and writes null: legal (fishbowl.md §5).
    if (sessionId === null) return;
    const before = run.session;
    if (before !== undefined && before.id !== sessionId) {
      this.#report.at(logged, {
        code: 'consistency/session',
        message: `the event is of another session than those of this run before it, on line ${before.line}`,
        path: ['session_id'],
        expected: before.id,
        actual: sessionId,
      });
    }
    run.session = { id: sessionId, line: logged.line };
  }

  #start(logged: LoggedEvent, run: Lifecycle): void {
    if (run.started !== undefined) {
      const message = `the run has started on line ${run.started} already`;
      this.#report.at(logged, { code: 'order/start-repeated', severity: 'warn', message, path: ['kind'] });
    }
    run.started = logged.line;
  }

  #finish(logged: LoggedEvent, { payload, turn }: CheckedEvent, run: Lifecycle): void {
    const { reason, winner, turns } = payload;
    const before = run.ending;
    const correction =
      before !== undefined &&
      !before.correction &&
      before.reason === 'budget' &&
      !isWon(before.winner) &&
      reason === 'verdict' &&
      isWon(winner);
    if (before !== undefined && !correction) {
      const message = `the run has ended on line ${before.line} already; only a verdict with a winner may follow, once, where the budget ran out`;
      this.#report.at(logged, {
        code: 'order/terminate-repeated',
        severity: 'warn',
        message,
        path: ['kind'],
      });
    }
    run.ending = { line: logged.line, reason, winner, correction };
    if (typeof turns === 'number' && turn !== undefined && turns !== turn) {
      const message = `turns is ${turns}, and this event is at turn ${turn}: the engine counts ticks`;
      this.#report.at(logged, { code: 'consistency/turns', message, path: ['payload', 'turns'] });
    }
  }
}
