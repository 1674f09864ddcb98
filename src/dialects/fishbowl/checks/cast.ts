import type { EventRemark, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { type JsonObject, type JsonValue, jsonEqual } from '../../../json/value.ts';
import { type Attribution, attribute, type Casting, castingOf } from '../attribution.ts';
import type { CheckedEvent } from '../read.ts';
import { STANDING_ACTORS } from '../vocabulary.ts';
import type { RunCheck } from './ledger-check.ts';

interface Players {
  readonly casting: Casting;
  readonly scenario: JsonValue | undefined;
  /** Who was said to be nobody: once is enough. */
  readonly strangers: Set<string>;
}

interface Verdict {
  readonly winner: string | null;
  readonly line: number;
}

const CREDITS = ['winner_kind', 'winning_model', 'winning_models'] as const;

/**
 * What the end of a run must say. A seat without an endpoint is credited by the engine with the model that it resolved
 * to, and by the document with none (fishbowl.md §7): the end may say either, in all its keys alike.
 */
function creditedBy(payload: JsonObject, winner: string | null, casting: Casting): Attribution {
  const byEngine = attribute(winner, casting);
  const byDocument = attribute(winner, casting, 'endpoint-only');
  const says = (given: Attribution) =>
    CREDITS.every((key) => payload[key] === undefined || jsonEqual(payload[key], given[key]));
  return !says(byEngine) && says(byDocument) ? byDocument : byEngine;
}

/** Who acts, who wins, and whose model is credited (fishbowl.md §2, §6, §7, §11). */
export class CastCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #players = new Map<string, Players>();
  readonly #verdicts = new Map<string, Verdict>();
  /** Said when the log is whole: a corrupt line may have held the cast or the verdict that counts. */
  readonly #open: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#open = report.later();
  }

  event(logged: LoggedEvent, event: CheckedEvent): void {
    const { runId, kind } = event;
    if (kind === 'run.started') {
      const { payload } = event;
      const casting = castingOf(payload);
      this.#players.set(runId, { casting, scenario: payload['scenario'], strangers: new Set() });
    }
    const players = this.#players.get(runId);
    if (players?.casting.seats) this.#actor(logged, event, players);
    if (kind === 'judge.verdict') this.#verdict(logged, event, players?.casting);
    if (kind === 'run.finished') this.#attribution(logged, event, players?.casting);
  }

  end({ whole }: LogEnd): void {
    if (whole) this.#report.confirm(this.#open);
  }

  #doubt(logged: LoggedEvent, remark: EventRemark): void {
    this.#open.at(logged, remark);
  }

  #actor(logged: LoggedEvent, { actor }: CheckedEvent, { casting, scenario, strangers }: Players): void {
    if (typeof logged.event['actor'] !== 'string') return;
    if (
      casting.seats?.has(actor) ||
      STANDING_ACTORS.includes(actor) ||
      actor === scenario ||
      strangers.has(actor)
    )
      return;
    strangers.add(actor);
    const message = `\`${actor}\` is not in the cast of this run, and is not its conductor, visitor or scenario`;
    this.#doubt(logged, { code: 'consistency/actor', message, path: ['actor'], actual: actor });
  }

  #verdict(logged: LoggedEvent, { runId, payload }: CheckedEvent, casting: Casting | undefined): void {
    const { winner, no_contest: noContest, scores } = payload;
    const named = typeof winner === 'string' ? winner : null;
    this.#verdicts.set(runId, { winner: named, line: logged.line });
    const path = ['payload', 'winner'];
    if (named !== null && noContest === true) {
      const message = `the verdict says no_contest, and names ${named} as the winner`;
      this.#report.at(logged, { code: 'consistency/winner', message, path, actual: named });
    }
    if (casting?.seats === undefined) return;
    if (named !== null && !casting.seats.has(named) && !casting.teams.has(named)) {
      const message = `\`${named}\` is neither in the cast of this run nor one of its teams`;
      this.#doubt(logged, { code: 'consistency/winner', message, path, actual: named });
    }
    for (const name of typeof scores === 'object' && scores !== null ? Object.keys(scores) : []) {
      if (casting.seats.has(name)) continue;
      const message = `a score is given to \`${name}\`, who is not in the cast`;
      this.#doubt(logged, {
        code: 'event/vocabulary',
        message,
        path: ['payload', 'scores', name],
        actual: name,
      });
    }
  }

  #attribution(logged: LoggedEvent, { runId, payload }: CheckedEvent, casting: Casting | undefined): void {
    const verdict = this.#verdicts.get(runId);
    const { winner = null } = payload;
    if (winner !== null && typeof winner !== 'string') return;
    this.#equal(
      logged,
      payload,
      'winner',
      verdict?.winner ?? null,
      verdict && `the verdict on line ${verdict.line}`,
    );
    if (casting?.seats === undefined) return;
    const given = creditedBy(payload, winner, casting);
    for (const key of CREDITS) this.#equal(logged, payload, key, given[key], 'the cast');
  }

  /** A key that is not there says nothing: all of them came later than the event itself. */
  #equal(
    logged: LoggedEvent,
    payload: JsonObject,
    key: string,
    expected: unknown,
    source = 'a run without a verdict',
  ): void {
    const stored = key === 'winner' ? (payload[key] ?? null) : payload[key];
    if (stored === undefined || jsonEqual(stored, expected)) return;
    const message = `${key} is ${JSON.stringify(stored)}, and ${source} gives ${JSON.stringify(expected)}`;
    const path = ['payload', key];
    this.#doubt(logged, {
      code: 'consistency/attribution',
      message,
      path,
      expected: JSON.stringify(expected),
      actual: JSON.stringify(stored),
    });
  }
}
