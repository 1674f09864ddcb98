import type { EventReporter, LoggedEvent } from '../../../findings/check.ts';
import type { JsonValue } from '../../../json/value.ts';
import { type Casting, castingOf } from '../attribution.ts';
import type { CheckedEvent } from '../read.ts';
import {
  actorDoubt,
  contradictions,
  endingDoubts,
  type StoredVerdict,
  verdictDoubts,
} from '../verdict-doubts.ts';
import type { RunCheck } from './ledger-check.ts';

interface Players {
  readonly casting: Casting;
  readonly scenario: JsonValue | undefined;
  /** Who was said to be nobody: once is enough. */
  readonly strangers: Set<string>;
}

/** Who acts, who wins, and whose model is credited (fishbowl.md §2, §6, §7, §11). */
export class CastCheck implements RunCheck {
  readonly #report: EventReporter;
  readonly #players = new Map<string, Players>();
  readonly #verdicts = new Map<string, StoredVerdict>();
  /** A corrupt line may have held the cast or the verdict that counts. */
  readonly #open: EventReporter;

  constructor(report: EventReporter) {
    this.#report = report;
    this.#open = report.ifWhole;
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
    if (kind === 'run.finished')
      for (const doubt of endingDoubts(event.payload, this.#verdicts.get(runId), players?.casting))
        this.#open.at(logged, doubt);
  }

  #actor(logged: LoggedEvent, { actor }: CheckedEvent, { casting, scenario, strangers }: Players): void {
    if (typeof logged.event['actor'] !== 'string') return;
    const message = strangers.has(actor) ? undefined : actorDoubt(actor, casting, scenario);
    if (message === undefined) return;
    strangers.add(actor);
    this.#open.at(logged, { code: 'consistency/actor', message, path: ['actor'], actual: actor });
  }

  #verdict(logged: LoggedEvent, { runId, actor, payload }: CheckedEvent, casting: Casting | undefined): void {
    const { winner } = payload;
    this.#verdicts.set(runId, { winner: typeof winner === 'string' ? winner : null, line: logged.line });
    for (const doubt of contradictions(payload)) this.#report.at(logged, doubt);
    if (casting === undefined) return;
    for (const doubt of verdictDoubts(payload, actor, casting)) this.#open.at(logged, doubt);
  }
}
