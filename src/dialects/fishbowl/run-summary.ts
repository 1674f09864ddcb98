import { isNumber } from '../../base/json/stored-number.ts';
import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { timeText } from './read.ts';
import type { FishbowlRun } from './run.ts';
import { coerceInteger } from './schema/coerce.ts';

/** The members of a summary that come from `run.finished`. */
export const OF_THE_END = [
  'finished_at',
  'reason',
  'winner',
  'winner_kind',
  'winning_model',
  'winning_models',
  'turns',
  'tokens',
];

/** A count as Python's `int` reads it: without the fraction; 0 for anything but a number. */
const count = (value: JsonValue | undefined): number =>
  isNumber(value) ? Math.trunc(Number(value)) : (coerceInteger(value) ?? 0);

/** The summary of a run (fishbowl.md §8). A later event also replaces values with missing ones. */
export function summaryOf({ id, started, finished, casting: { seats } }: FishbowlRun) {
  const of = (payload: JsonObject | undefined, key: string): JsonValue => payload?.[key] ?? null;
  const end = finished?.payload;
  const models = of(end, 'winning_models');
  const cast = [...(seats ?? [])].map(([name, seat]) => {
    return [name, { model_endpoint: of(seat, 'model_endpoint'), model_profile: of(seat, 'model_profile') }];
  });
  return {
    run_id: id,
    scenario: of(started?.payload, 'scenario'),
    seed: of(started?.payload, 'seed'),
    session_id: started?.sessionId ?? of(started?.payload, 'session_id'),
    cast: Object.fromEntries(cast) as Readonly<Record<string, JsonObject>>,
    started_at: timeText(started?.createdAt),
    finished_at: timeText(finished?.createdAt),
    reason: of(end, 'reason'),
    winner: of(end, 'winner'),
    winner_kind: of(end, 'winner_kind'),
    winning_model: of(end, 'winning_model'),
    winning_models: Array.isArray(models) ? models : typeof models === 'string' ? [models] : [],
    turns: count(end?.['turns']),
    tokens: count(end?.['tokens']),
  };
}

export type RunSummary = ReturnType<typeof summaryOf>;
