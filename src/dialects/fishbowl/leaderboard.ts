import type { JsonValue } from '../../base/json/value.ts';
import type { Casting } from './casting.ts';
import type { RunSummary } from './run-summary.ts';

/** The parts of a run that the leaderboard needs. */
interface RankedRun {
  readonly summary: RunSummary;
  readonly casting: Casting;
}

/** Somebody's part in a run. */
interface Play {
  readonly name: string;
  readonly won: boolean;
  readonly endpoint?: JsonValue | undefined;
  readonly seat?: string;
}

/** Compares two different texts. */
const byText = (a: string, b: string): number => (a < b ? -1 : 1);

function grouped<T>(items: Iterable<T>, keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return groups;
}

/** Adds up plays by name. Sorted like every table: by share of wins, wins, plays and name. */
function ranked(plays: readonly Play[]) {
  // Names come from the trace, so they are keys of a map.
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

/** The entry of a run that counts: it is finished and won, with a model that gets the credit. */
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
    // The time when the engine stored the row. It is not in the log.
    recorded_at: null,
  };
}

type Entry = NonNullable<ReturnType<typeof entryOf>>;

/** Sorts the latest first (fishbowl.md §8). */
const byFinish = (a: Entry, b: Entry): number =>
  a.finished_at === b.finished_at ? byText(a.run_id, b.run_id) : byText(b.finished_at, a.finished_at);

/** The team or seat of an agent, if the run has teams or symmetric seats. */
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

/** The table of models. Plays count endpoints, so a seat with only a profile has no row (fishbowl.md §8). */
function modelScores(runs: readonly { readonly run: RankedRun; readonly entry: Entry }[]) {
  const plays = runs.flatMap(({ run, entry }) => {
    const endpoints = new Set([...(run.casting.seats?.values() ?? [])].map((seat) => seat['model_endpoint']));
    return [...endpoints].flatMap((name) =>
      typeof name === 'string' && name !== '' ? { name, won: entry.winning_models.includes(name) } : [],
    );
  });
  return ranked(plays).map(({ name, score }) => ({ model_endpoint: name, ...score }));
}

/**
 * The first scenario with symmetric seats in which at least two models have won, because there the comparison is fair.
 */
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

/** Makes the leaderboard from the runs of a ledger, which are in the order of their start (fishbowl.md §8). */
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
