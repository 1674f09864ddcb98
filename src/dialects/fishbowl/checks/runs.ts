import type { JsonValue } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import { actorDoubt, contradictions, endingDoubts, verdictDoubts } from '../casting.ts';
import { instantOf, type LedgerEvent, timeText } from '../read.ts';
import { RunSoFar } from '../run-so-far.ts';

/** A run, with what only its check needs. */
class CheckedRun extends RunSoFar {
  readonly id: string;
  readonly first: { readonly line: number; readonly id: string | undefined };
  /** Unknown actors that were reported, so that each is reported once. */
  readonly strangers = new Set<string>();
  /** The last event that has a time. */
  instant: number | undefined;
  instantLine = 0;
  createdAt: JsonValue | undefined;

  constructor(id: string, { line, id: first }: LoggedEvent) {
    super();
    this.id = id;
    this.first = { line, id: first };
  }
}

/**
 * Checks each run: it starts once, first, and at turn 0; turns do not go back; it ends once, unless a verdict corrects
 * an end by budget; no event follows; it has one session; actors, winners and credits are possible (fishbowl.md §2, §5
 * to §7, §11).
 */
export class RunsCheck extends ReportingCheck {
  readonly #runs = new Map<string, CheckedRun>();

  row(logged: LoggedEvent, event: LedgerEvent): void {
    const run = this.#runs.get(event.runId) ?? this.#begin(logged, event);
    const { kind } = event;
    this.#time(logged, event, run);
    this.#turn(logged, event, run);
    this.#session(logged, event, run);
    if (kind === 'run.finished') this.#finish(logged, event, run);
    else if (run.end) this.#afterEnd(logged, run, run.end.line);
    if (kind === 'run.started' && run.started > 0) {
      const message = `the run already started on line ${run.started}`;
      this.report.at(logged, { code: 'order/start-repeated', severity: 'warn', message, path: ['kind'] });
    }
    run.take(event, logged.line);
    this.#actor(logged, event, run);
    if (kind === 'judge.verdict') {
      for (const doubt of contradictions(event.payload)) this.report.at(logged, doubt);
      const doubts = run.casting ? verdictDoubts(event.payload, event.actor, run.casting) : [];
      for (const doubt of doubts) this.report.ifWhole.at(logged, doubt);
    }
  }

  end(): void {
    for (const { id, end, first } of this.#runs.values()) {
      if (end) continue;
      const message = `the run ${named(id)} has no run.finished: it is still running, was abandoned, or died`;
      const remark = { code: 'order/terminate-missing', severity: 'info', message } as const;
      this.report.ifWhole.onLine(first.line, first.id, remark);
    }
  }

  #begin(logged: LoggedEvent, { runId, kind, turn = 0 }: LedgerEvent): CheckedRun {
    const starts = kind === 'run.started';
    if (!starts || turn !== 0) {
      const message = starts
        ? `the run starts at turn ${turn}, not 0`
        : `the run begins with ${named(kind)}, not with run.started`;
      const path = [starts ? 'turn' : 'kind'];
      this.report.ifWhole.at(logged, { code: 'order/start-not-first', message, path });
    }
    const run = new CheckedRun(runId, logged);
    this.#runs.set(runId, run);
    return run;
  }

  #time(logged: LoggedEvent, { createdAt, instant = instantOf(createdAt) }: LedgerEvent, run: CheckedRun) {
    if (instant === undefined) return;
    if (run.instant !== undefined && instant < run.instant) {
      const before = `the event of this run on line ${run.instantLine} (${timeText(run.createdAt)})`;
      const message = `created at ${timeText(createdAt)}, before ${before}; the order of the file counts`;
      this.report.at(logged, { code: 'event/time-order', severity: 'info', message, path: ['created_at'] });
    }
    run.instant = instant;
    run.instantLine = logged.line;
    run.createdAt = createdAt;
  }

  #turn(logged: LoggedEvent, { turn }: LedgerEvent, run: CheckedRun): void {
    if (turn === undefined || run.turn === undefined || turn >= run.turn) return;
    this.report.at(logged, {
      code: 'sequence/backwards',
      message: `turn ${turn} comes after turn ${run.turn} of the same run, on line ${run.turnLine}`,
      path: ['turn'],
      expected: `${run.turn} or more`,
      actual: String(turn),
    });
  }

  /** Checks the session. After a restart the engine writes null, which is legal (fishbowl.md §5). */
  #session(logged: LoggedEvent, { sessionId }: LedgerEvent, { session }: CheckedRun): void {
    if (sessionId === null || session === undefined || session.id === sessionId) return;
    this.report.at(logged, {
      code: 'consistency/session',
      message: `the event belongs to another session than the earlier events of this run, such as line ${session.line}`,
      path: ['session_id'],
      expected: session.id,
      actual: sessionId,
    });
  }

  #actor(logged: LoggedEvent, { actor }: LedgerEvent, { casting, strangers }: CheckedRun): void {
    if (actor === undefined || casting === undefined) return;
    const doubt = actorDoubt(actor, casting);
    if (doubt === undefined || strangers.has(actor)) return;
    strangers.add(actor);
    this.report.ifWhole.at(logged, doubt);
  }

  #finish(logged: LoggedEvent, event: LedgerEvent, run: CheckedRun): void {
    const { payload, turn } = event;
    if (run.end && !run.mayCorrect(event)) {
      const message = `the run already ended on line ${run.end.line}; only a verdict with a winner may follow, once, if the budget ran out`;
      const remark = { code: 'order/terminate-repeated', severity: 'warn', path: ['kind'] } as const;
      this.report.at(logged, { ...remark, message });
    }
    const { turns } = payload;
    if (typeof turns === 'number' && turn !== undefined && turns !== turn) {
      const message = `turns is ${turns}, but this event is at turn ${turn}: the engine counts ticks`;
      this.report.at(logged, { code: 'consistency/turns', message, path: ['payload', 'turns'] });
    }
    for (const doubt of endingDoubts(payload, run.verdict, run.casting))
      this.report.ifWhole.at(logged, doubt);
  }

  #afterEnd(logged: LoggedEvent, run: CheckedRun, line: number): void {
    const remark = { code: 'order/after-terminate', severity: 'warn' } as const;
    this.report.once(`after ${line}`, logged, remark, (count) => {
      // A second end replaces the first.
      if (run.end?.line !== line) return undefined;
      const follow = count === 1 ? 'one event follows' : `${count} events follow`;
      return `the run ended on line ${line}, but ${follow}`;
    });
  }
}
