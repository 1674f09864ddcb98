import type { JsonValue } from '../../json/value.ts';
import type { Casting } from './casting.ts';
import type { RunSummary } from './projection.ts';

/** The parts of a run that the leaderboard needs. */
export interface RankedRun {
  readonly summary: RunSummary;
  readonly casting: Casting;
}

/** Somebody took part in a run. */
interface Play {
  readonly name: string;
  readonly won: boolean;
  readonly endpoint?: JsonValue | undefined;
  readonly seat?: string;
}

/** Of two texts that differ. */
const byText = (a: string, b: string): number => (a < b ? -1 : 1);

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Plays by name, in the order of every table: the share of wins, wins, plays, then the name. */
function ranked(plays: readonly Play[]) {
  // Names come from the trace: a map, never an object.
  const rows = new Map<string, { plays: number; wins: number; endpoints: Set<string>; seat: string }>();
  for (const { name, won, endpoint, seat = '' } of plays) {
    const row = rows.get(name) ?? { plays: 0, wins: 0, endpoints: new Set(), seat };
    row.plays += 1;
    row.wins += Number(won);
    row.seat = seat;
    if (typeof endpoint === 'string') row.endpoints.add(endpoint);
    rows.set(name, row);
  }
  return [...rows]
    .map(([name, { plays, wins, endpoints, seat }]) => {
      const score = { plays, wins, win_rate: wins / plays };
      return { name, score, endpoints: [...endpoints].sort(byText), seat };
    })
    .sort(
      ({ name: a, score: x }, { name: b, score: y }) =>
        y.win_rate - x.win_rate || y.wins - x.wins || y.plays - x.plays || byText(a, b),
    );
}

/** A run that counts: finished, won, with a model to credit. */
function entryOf({ summary, casting }: RankedRun) {
  const { winner, winning_model: model, winning_models: models, finished_at } = summary;
  const credited = model === null || model === '' || models.includes(model) ? models : [...models, model];
  if (finished_at === null || !winner || credited.length === 0 || casting.kind === 'none') return undefined;
  const { run_id, session_id, scenario, seed, cast, ...rest } = summary;
  return {
    run_id,
    session_id,
    scenario,
    seed,
    competition_kind: casting.kind,
    teams: casting.storedTeams,
    symmetric_seats: casting.storedSeats,
    cast,
    ...rest,
    finished_at,
    winning_models: credited,
    // When the engine stored the row; a log does not say.
    recorded_at: null,
  };
}

type Entry = NonNullable<ReturnType<typeof entryOf>>;

/** Latest first (fishbowl.md §8). */
const byFinish = (a: Entry, b: Entry): number =>
  a.finished_at === b.finished_at ? byText(a.run_id, b.run_id) : byText(b.finished_at, a.finished_at);

/** The team or seat that somebody plays for, if the rules of the run have one. */
function seatTypeOf(name: string, { teams, symmetricSeats }: Casting): string {
  const [team] = [...teams].find(([, members]) => members.includes(name)) ?? [];
  return team ?? (symmetricSeats.includes(name) ? name : '');
}

function agentScores(runs: readonly RankedRun[]) {
  const plays = runs.flatMap(({ summary: { winner, winner_kind: kind }, casting }) =>
    [...(casting.seats ?? [])].map(([name, { model_endpoint: endpoint }]): Play => {
      const seat = seatTypeOf(name, casting);
      return { name, won: winner === name || (kind === 'team' && winner === seat), endpoint, seat };
    }),
  );
  return ranked(plays).map(({ name, seat, score, endpoints }) => {
    return { agent: name, seat_type: seat, ...score, model_endpoints: endpoints };
  });
}

function seatScores(runs: readonly RankedRun[]) {
  const plays = runs.flatMap(({ summary: { winner }, casting: { teams, symmetricSeats } }): Play[] =>
    teams.size === 0
      ? symmetricSeats.map((name) => ({ name, won: winner === name }))
      : [...teams].map(([name, members]) => {
          return { name, won: winner === name || (typeof winner === 'string' && members.includes(winner)) };
        }),
  );
  return ranked(plays).map(({ name, score }) => ({ seat_type: name, ...score }));
}

/** Plays count a model's endpoint, so seats that are bound by a profile alone make no row (fishbowl.md §8). */
function modelScores(runs: readonly { readonly run: RankedRun; readonly entry: Entry }[]) {
  const plays = runs.flatMap(({ run, entry }) => {
    const endpoints = new Set([...(run.casting.seats?.values() ?? [])].map((seat) => seat['model_endpoint']));
    return [...endpoints].flatMap((name) =>
      typeof name === 'string' && name !== '' ? { name, won: entry.winning_models.includes(name) } : [],
    );
  });
  return ranked(plays).map(({ name, score }) => ({ model_endpoint: name, ...score }));
}

/** A scenario with symmetric seats in which at least two models have won: there a comparison is fair. */
function headlineOf(runs: readonly { readonly run: RankedRun; readonly entry: Entry }[]): JsonValue {
  const fair = runs.filter(({ run }) => run.casting.symmetricSeats.length > 0);
  for (const [scenario, group] of grouped(fair, ({ entry }) => String(entry.scenario))) {
    const wins = grouped(
      group.flatMap(({ entry }) => entry.winning_models.map(String)),
      (model) => model,
    );
    if (wins.size < 2) continue;
    const models = [...wins].map(([model, all]) => ({ model, wins: all.length }));
    return { scenario, models: models.sort((a, b) => b.wins - a.wins || byText(a.model, b.model)) };
  }
  return null;
}

/** The leaderboard that follows from the runs of a ledger, given in the order in which they began (fishbowl.md §8). */
export function leaderboardOf(runs: readonly RankedRun[]) {
  const counted = runs.flatMap((run) => {
    const entry = entryOf(run);
    return entry ? [{ run, entry }] : [];
  });
  const isCounted = new Set(counted.map(({ run }) => run));
  const scenarios = [...grouped(isCounted, ({ summary }) => String(summary.scenario))];
  return {
    entries: counted.map(({ entry }) => entry).sort(byFinish),
    skipped_run_ids: runs.filter((run) => !isCounted.has(run)).map(({ summary }) => summary.run_id),
    model_table: modelScores(counted),
    agent_tables: Object.fromEntries(scenarios.map(([name, group]) => [name, agentScores(group)])),
    fairness: Object.fromEntries(scenarios.map(([name, group]) => [name, seatScores(group)])),
    headline: headlineOf(counted),
  };
}
