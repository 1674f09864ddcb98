import type { JsonValue } from '../../json/value.ts';
import type { Casting } from './attribution.ts';
import type { RunSummary } from './run-summary.ts';

/** A run that counts: finished, won, with a model to credit. */
export interface LeaderboardEntry extends Omit<RunSummary, 'finished_at' | 'winning_models'> {
  readonly finished_at: string;
  readonly competition_kind: string;
  readonly teams: JsonValue;
  readonly symmetric_seats: JsonValue;
  readonly winning_models: readonly JsonValue[];
  /** When the engine stored the row; a log does not say. */
  readonly recorded_at: null;
}

/** Plays and wins of somebody. */
export interface Score {
  readonly plays: number;
  readonly wins: number;
  readonly win_rate: number;
}

export interface ModelScore extends Score {
  readonly model_endpoint: string;
}

export interface AgentScore extends Score {
  readonly agent: string;
  readonly seat_type: string;
  readonly model_endpoints: readonly string[];
}

export interface SeatScore extends Score {
  readonly seat_type: string;
}

export interface Leaderboard {
  readonly entries: readonly LeaderboardEntry[];
  readonly skipped_run_ids: readonly string[];
  readonly model_table: readonly ModelScore[];
  readonly agent_tables: Readonly<Record<string, readonly AgentScore[]>>;
  readonly fairness: Readonly<Record<string, readonly SeatScore[]>>;
  readonly headline: JsonValue;
}

/** A run with all that the leaderboard asks of it. */
export interface RankedRun {
  readonly summary: RunSummary;
  readonly casting: Casting;
}

/** Of two texts that differ. */
const byText = (a: string, b: string): number => (a < b ? -1 : 1);

/** A tally by name. Names come from the trace: a map, never an object. */
class Tally {
  readonly #rows = new Map<string, { plays: number; wins: number; endpoints: Set<string>; seat: string }>();

  add(name: string, won: boolean, endpoint?: string, seat = ''): void {
    const row = this.#rows.get(name) ?? { plays: 0, wins: 0, endpoints: new Set(), seat };
    row.plays += 1;
    if (won) row.wins += 1;
    if (endpoint !== undefined) row.endpoints.add(endpoint);
    row.seat = seat;
    this.#rows.set(name, row);
  }

  /** Rows in the order of every table: the share of wins, wins, plays, then the name. */
  rows() {
    return [...this.#rows]
      .map(([name, { plays, wins, endpoints, seat }]) => ({
        name,
        plays,
        wins,
        win_rate: wins / plays,
        endpoints,
        seat,
      }))
      .sort(
        (a, b) => b.win_rate - a.win_rate || b.wins - a.wins || b.plays - a.plays || byText(a.name, b.name),
      );
  }
}

/** Latest first (fishbowl.md §8). */
function byFinish(a: LeaderboardEntry, b: LeaderboardEntry): number {
  return a.finished_at === b.finished_at ? byText(a.run_id, b.run_id) : byText(b.finished_at, a.finished_at);
}

function entryOf({ summary, casting }: RankedRun): LeaderboardEntry | undefined {
  const { winner, winning_model: model, winning_models: models, finished_at: finished } = summary;
  const credited = model === null || model === '' || models.includes(model) ? models : [...models, model];
  if (finished === null || !winner || credited.length === 0 || casting.kind === 'none') return undefined;
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
    finished_at: finished,
    winning_models: credited,
    recorded_at: null,
  };
}

/** The team or the seat that somebody plays for, where the rules of the run know such a thing. */
function seatTypeOf(name: string, { teams, symmetricSeats }: Casting): string {
  for (const [label, members] of teams) if (members.includes(name)) return label;
  return symmetricSeats.includes(name) ? name : '';
}

function agentScores(runs: readonly RankedRun[]): AgentScore[] {
  const tally = new Tally();
  for (const { summary, casting } of runs) {
    for (const [name, seat] of casting.seats ?? []) {
      const seatType = seatTypeOf(name, casting);
      const won = summary.winner === name || (summary.winner_kind === 'team' && summary.winner === seatType);
      const endpoint = seat['model_endpoint'];
      tally.add(name, won, typeof endpoint === 'string' ? endpoint : undefined, seatType);
    }
  }
  return tally.rows().map(({ name, seat, plays, wins, win_rate, endpoints }) => {
    return {
      agent: name,
      seat_type: seat,
      plays,
      wins,
      win_rate,
      model_endpoints: [...endpoints].sort(byText),
    };
  });
}

function seatScores(runs: readonly RankedRun[]): SeatScore[] {
  const tally = new Tally();
  for (const { summary, casting } of runs) {
    const { winner } = summary;
    for (const [label, members] of casting.teams) {
      tally.add(label, winner === label || (typeof winner === 'string' && members.includes(winner)));
    }
    if (casting.teams.size === 0) for (const seat of casting.symmetricSeats) tally.add(seat, winner === seat);
  }
  return tally.rows().map(({ name, plays, wins, win_rate }) => ({ seat_type: name, plays, wins, win_rate }));
}

/** Plays count a model's endpoint, so seats that are bound by a profile alone make no row (fishbowl.md §8). */
function modelScores(
  runs: readonly { readonly run: RankedRun; readonly entry: LeaderboardEntry }[],
): ModelScore[] {
  const tally = new Tally();
  for (const { run, entry } of runs) {
    const endpoints = [...(run.casting.seats?.values() ?? [])].map((seat) => seat['model_endpoint']);
    for (const endpoint of new Set(endpoints)) {
      if (typeof endpoint !== 'string' || endpoint === '') continue;
      tally.add(endpoint, entry.winning_models.includes(endpoint));
    }
  }
  return tally
    .rows()
    .map(({ name, plays, wins, win_rate }) => ({ model_endpoint: name, plays, wins, win_rate }));
}

/** A scenario with symmetric seats in which at least two models have won: there a comparison is fair. */
function headlineOf(
  runs: readonly { readonly run: RankedRun; readonly entry: LeaderboardEntry }[],
): JsonValue {
  const winners = new Map<string, Map<string, number>>();
  for (const { run, entry } of runs) {
    if (run.casting.symmetricSeats.length === 0) continue;
    const models = winners.get(String(entry.scenario)) ?? new Map<string, number>();
    for (const model of entry.winning_models) models.set(String(model), (models.get(String(model)) ?? 0) + 1);
    winners.set(String(entry.scenario), models);
  }
  for (const [scenario, models] of winners) {
    if (models.size < 2) continue;
    const ranked = [...models].sort(([a, x], [b, y]) => y - x || byText(a, b));
    return { scenario, models: ranked.map(([model, wins]) => ({ model, wins })) };
  }
  return null;
}

/** The leaderboard that follows from the runs of a ledger, given in the order in which they began (fishbowl.md §8). */
export function leaderboardOf(runs: readonly RankedRun[]): Leaderboard {
  const counted: { run: RankedRun; entry: LeaderboardEntry }[] = [];
  const skipped: string[] = [];
  for (const run of runs) {
    const entry = entryOf(run);
    if (entry) counted.push({ run, entry });
    else skipped.push(run.summary.run_id);
  }
  const scenarios = new Map<string, RankedRun[]>();
  for (const { run, entry } of counted) {
    const name = String(entry.scenario);
    const group = scenarios.get(name);
    if (group) group.push(run);
    else scenarios.set(name, [run]);
  }
  return {
    entries: counted.map(({ entry }) => entry).sort(byFinish),
    skipped_run_ids: skipped,
    model_table: modelScores(counted),
    agent_tables: Object.fromEntries([...scenarios].map(([name, group]) => [name, agentScores(group)])),
    fairness: Object.fromEntries([...scenarios].map(([name, group]) => [name, seatScores(group)])),
    headline: headlineOf(counted),
  };
}
