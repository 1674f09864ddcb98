import { isNumber } from '../../json/stored-number.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { type Casting, castingOf, NO_CASTING, type Seat } from './attribution.ts';
import { type LedgerEvent, timeText } from './read.ts';
import { coerceInteger } from './schema/coerce.ts';

/** What a run came to, in one row (fishbowl.md §8). */
export interface RunSummary {
  readonly run_id: string;
  readonly scenario: JsonValue;
  readonly seed: JsonValue;
  readonly session_id: JsonValue;
  readonly cast: Readonly<Record<string, Seat>>;
  readonly started_at: string | null;
  readonly finished_at: string | null;
  readonly reason: JsonValue;
  readonly winner: JsonValue;
  readonly winner_kind: JsonValue;
  readonly winning_model: JsonValue;
  readonly winning_models: readonly JsonValue[];
  readonly turns: number;
  readonly tokens: number;
}

/** A count as Python's `int` reads it: fractions are cut off; what is no number counts as 0. */
function count(value: JsonValue | undefined): number {
  if (isNumber(value)) return Math.trunc(Number(value));
  return coerceInteger(value) ?? 0;
}

/** Folds `run.started` and `run.finished`; a later event overrides an earlier one, an absent key included. */
export class SummaryFold {
  readonly #runId: string;
  #started:
    | { readonly payload: JsonObject; readonly at: string | null; readonly session: string | null }
    | undefined;
  #finished: { readonly payload: JsonObject; readonly at: string | null } | undefined;
  #casting: Casting = NO_CASTING;

  constructor(runId: string) {
    this.#runId = runId;
  }

  add({ kind, payload, createdAt, sessionId }: LedgerEvent): void {
    if (kind === 'run.started') {
      this.#started = { payload, at: timeText(createdAt), session: sessionId };
      this.#casting = castingOf(payload);
    } else if (kind === 'run.finished') {
      this.#finished = { payload, at: timeText(createdAt) };
    }
  }

  /** Who plays and who can win. */
  get casting(): Casting {
    return this.#casting;
  }

  summary(): RunSummary {
    const started = this.#started?.payload ?? {};
    const finished = this.#finished?.payload ?? {};
    const of = (payload: JsonObject, key: string): JsonValue => payload[key] ?? null;
    const models = of(finished, 'winning_models');
    return {
      run_id: this.#runId,
      scenario: of(started, 'scenario'),
      seed: of(started, 'seed'),
      session_id: this.#started?.session ?? of(started, 'session_id'),
      cast: Object.fromEntries(
        [...(this.#casting.seats ?? [])].map(([name, seat]) => [
          name,
          { model_endpoint: of(seat, 'model_endpoint'), model_profile: of(seat, 'model_profile') },
        ]),
      ),
      started_at: this.#started?.at ?? null,
      finished_at: this.#finished?.at ?? null,
      reason: of(finished, 'reason'),
      winner: of(finished, 'winner'),
      winner_kind: of(finished, 'winner_kind'),
      winning_model: of(finished, 'winning_model'),
      winning_models: Array.isArray(models) ? models : typeof models === 'string' ? [models] : [],
      turns: count(finished['turns']),
      tokens: count(finished['tokens']),
    };
  }
}
