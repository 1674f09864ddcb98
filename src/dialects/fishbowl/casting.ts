import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../base/json/value.ts';
import { named, ticked } from '../../base/json/write.ts';
import { asObject, stringOf, textIn } from '../kit/members.ts';
import type { Doubt } from '../kit/rules.ts';

/** Actors that every run has, in addition to its cast and scenario. Only the document has `system` (fishbowl.md §2). */
const STANDING_ACTORS: readonly string[] = ['conductor', 'visitor', 'system'];

/**
 * Who plays in a run and who can win it, according to `run.started`. Names come from the trace, so they are keys of
 * maps.
 */
export interface Casting {
  readonly scenario: JsonValue | undefined;
  /** Undefined if the event has no cast. Names cannot be checked then. */
  readonly seats: ReadonlyMap<string, JsonObject> | undefined;
  readonly kind: string;
  /** As stored; undefined if the event does not say. */
  readonly statedKind: string | undefined;
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** As stored, for the leaderboard. */
  readonly storedTeams: JsonValue;
  readonly symmetricSeats: readonly string[];
  readonly storedSeats: JsonValue;
}

const texts = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Reads the casting from the payload of a `run.started`. */
export function castingOf({ cast, competition, scenario }: JsonObject): Casting {
  const { kind, teams = null, symmetric_seats: storedSeats = null } = asObject(competition);
  const seats = isObject(cast)
    ? Object.entries(cast).map(([name, seat]) => [name, asObject(seat)] as const)
    : undefined;
  const members = Object.entries(asObject(teams));
  return {
    scenario,
    seats: seats && new Map(seats),
    kind: stringOf(kind) ?? 'none',
    statedKind: stringOf(kind),
    teams: new Map(members.map(([label, names]) => [label, texts(names)])),
    storedTeams: teams,
    symmetricSeats: texts(storedSeats),
    storedSeats,
  };
}

/** What only the verdict of a competition between teams has, and what only one of a competition has (fishbowl.md §6). */
const VERSUS_ONLY = ['accused', 'correct'] as const;
const COMPETITIVE = ['winner', ...VERSUS_ONLY] as const;

/** Who gets the credit for a win. */
interface Attribution {
  readonly winner_kind: 'agent' | 'team' | null;
  readonly winning_model: string | null;
  readonly winning_models: readonly string[];
}

const CREDITS = ['winner_kind', 'winning_model', 'winning_models'] as const;

/**
 * Derives the credits from the name of a winner, who is searched in the cast, then among the teams (fishbowl.md §7). For
 * a seat without an endpoint, the engine credits the resolved model, but the document credits none.
 */
export function attribute(
  winner: string | null,
  { seats, teams }: Casting,
  rule: 'endpoint-or-model' | 'endpoint-only' = 'endpoint-or-model',
): Attribution {
  const modelsOf = (name: string): string[] => {
    const { model_endpoint: endpoint, model } = seats?.get(name) ?? {};
    const names = rule === 'endpoint-only' ? [endpoint] : [endpoint, model];
    return names.filter((one) => typeof one === 'string' && one !== '').slice(0, 1) as string[];
  };
  if (winner !== null && seats?.has(winner)) {
    const models = modelsOf(winner);
    return { winner_kind: 'agent', winning_model: models[0] ?? null, winning_models: models };
  }
  const members = winner === null ? undefined : teams.get(winner);
  return {
    winner_kind: members ? 'team' : null,
    winning_model: null,
    winning_models: members?.flatMap(modelsOf) ?? [],
  };
}

/** Whether an actor belongs to a run. Without a cast, everybody may. */
export function isActor(actor: string, { seats, scenario }: Casting): boolean {
  return seats === undefined || seats.has(actor) || STANDING_ACTORS.includes(actor) || actor === scenario;
}

/** The finding for an actor who does not belong to the run; undefined if the actor does. */
export function actorDoubt(actor: string, casting: Casting): Doubt | undefined {
  if (isActor(actor, casting)) return undefined;
  const message = `${ticked(actor)} is not in the cast of this run, nor its conductor, visitor or scenario`;
  return { code: 'consistency/actor', message, path: ['actor'], actual: actor, ifWhole: true };
}

/** A contradiction in a verdict itself. */
export function contradiction({ winner, no_contest: noContest }: JsonObject): Doubt | undefined {
  if (typeof winner !== 'string' || noContest !== true) return undefined;
  const message = `the verdict says no_contest, but names ${winner} as the winner`;
  return { code: 'consistency/winner', message, path: ['payload', 'winner'], actual: winner };
}

/**
 * Why a winner cannot have won. If teams play, a team must win. In a guessing game the verdict has `correct`, accuses
 * nobody and names an agent (fishbowl.md §6).
 */
function whyNotWinner(winner: string, judge: string | undefined, payload: JsonObject, casting: Casting) {
  const { seats, teams, kind } = casting;
  if (teams.has(winner)) return undefined;
  if (!seats?.has(winner)) return `${ticked(winner)} is neither in the cast of this run nor one of its teams`;
  if (winner === judge) return `${ticked(winner)} names itself as the winner of the run that it judges`;
  const isGuess = typeof payload['correct'] === 'boolean' && payload['accused'] === undefined;
  if (kind !== 'versus' || teams.size === 0 || isGuess) return undefined;
  return `${ticked(winner)} is not a team; the teams of this run are ${[...teams.keys()].map(named).join(', ')}`;
}

function whyNotAccused(
  accused: string,
  judge: string | undefined,
  payload: JsonObject,
  { seats, teams }: Casting,
) {
  const { correct } = payload;
  if (!seats?.has(accused)) return `the accused ${ticked(accused)} is not in the cast of this run`;
  if (accused === judge) return `${ticked(accused)} accuses itself in the run that it judges`;
  // The members of the team `spy` must be found, if there is such a team.
  const spies = teams.get('spy');
  if (spies !== undefined && typeof correct === 'boolean' && spies.includes(accused) !== correct) {
    const truth = correct ? 'is not in the team of the spies' : 'is one of the spies';
    return `correct is ${correct}, but the accused ${ticked(accused)} ${truth}`;
  }
  // Whether or not the accusation is correct, the accused belongs to the side that lost.
  const winner = textIn(payload, 'winner');
  if (winner === undefined || !teams.get(winner)?.includes(accused)) return undefined;
  return `the accused ${ticked(accused)} is in the team that won, ${named(winner)}`;
}

const about = (
  code: Doubt['code'],
  path: readonly (string | number)[],
  actual: string,
  message: string,
): Doubt => {
  return { code, message, path: ['payload', ...path], actual, ifWhole: true };
};

/** How the winner of a verdict contradicts the cast and the teams of its run. */
export function winnerDoubt(
  payload: JsonObject,
  judge: string | undefined,
  casting: Casting,
): Doubt | undefined {
  const { winner } = payload;
  if (casting.seats === undefined || typeof winner !== 'string') return undefined;
  const why = whyNotWinner(winner, judge, payload, casting);
  return why === undefined ? undefined : about('consistency/winner', ['winner'], winner, why);
}

/** How the accused of a verdict contradicts the cast and the teams of its run. */
export function accusedDoubt(
  payload: JsonObject,
  judge: string | undefined,
  casting: Casting,
): Doubt | undefined {
  const { accused } = payload;
  if (casting.seats === undefined || typeof accused !== 'string') return undefined;
  const why = whyNotAccused(accused, judge, payload, casting);
  return why === undefined ? undefined : about('consistency/accused', ['accused'], accused, why);
}

/** The members of a verdict that its competition does not have. */
export function competitionDoubts(payload: JsonObject, { statedKind }: Casting): Doubt[] {
  const unexpected = statedKind === 'judged' ? VERSUS_ONLY : statedKind === 'none' ? COMPETITIVE : [];
  return unexpected.flatMap((key) => {
    const { [key]: value = null } = payload;
    if (value === null) return [];
    const message = `the verdict has ${key}, but the competition of this run is ${named(statedKind)}`;
    return [{ code: 'consistency/competition', message, path: ['payload', key], ifWhole: true as const }];
  });
}

/** The names in the scores and the revelations that are not in the cast. */
export function nameDoubts({ scores, reveal }: JsonObject, { seats }: Casting): Doubt[] {
  if (seats === undefined) return [];
  const revealed = Array.isArray(reveal) ? reveal : [];
  return [
    ...Object.keys(asObject(scores))
      .filter((name) => !seats.has(name))
      .map((name) =>
        about(
          'event/vocabulary',
          ['scores', name],
          name,
          `${ticked(name)} has a score, but is not in the cast`,
        ),
      ),
    ...revealed.flatMap((one, index) => {
      const name = textIn(one, 'agent');
      if (name === undefined || seats.has(name)) return [];
      const message = `${ticked(name)} is revealed, but is not in the cast`;
      return [about('event/vocabulary', ['reveal', index, 'agent'], name, message)];
    }),
  ];
}

/** The doubt about a winner, if somebody else in the cast has a higher score. */
export function scoreDoubt({ winner, scores }: JsonObject, { seats }: Casting): Doubt | undefined {
  const all = asObject(scores);
  const own = typeof winner === 'string' && Object.hasOwn(all, winner) ? all[winner] : undefined;
  if (typeof winner !== 'string' || !isNumber(own)) return undefined;
  const better = Object.entries(all).find(
    ([name, score]) => isNumber(score) && Number(score) > Number(own) && seats?.has(name) === true,
  );
  if (better === undefined) return undefined;
  const message = `${ticked(winner)} wins with the score ${String(own)}, but ${ticked(better[0])} has ${String(better[1])}`;
  return { ...about('consistency/winner', ['winner'], winner, message), severity: 'info' };
}

/** The members of the cast whose revealed role is a team that they are not in. */
export function roleDoubts({ reveal }: JsonObject, { seats, teams }: Casting): Doubt[] {
  return (Array.isArray(reveal) ? reveal : []).flatMap((one, index) => {
    const [name, role] = [textIn(one, 'agent'), textIn(one, 'role')];
    const members = role === undefined ? undefined : teams.get(role);
    if (name === undefined || role === undefined || members === undefined) return [];
    if (!seats?.has(name) || members.includes(name)) return [];
    const message = `${ticked(name)} is revealed as ${named(role)}, but is not in this team`;
    return [about('consistency/competition', ['reveal', index, 'role'], role, message)];
  });
}

/** The names in a competition that are not those of seats. */
export function seatDoubts({ seats, teams, symmetricSeats }: Casting): Doubt[] {
  if (seats === undefined) return [];
  const code = 'consistency/competition';
  const strangers = (names: readonly string[], path: readonly string[], role: string): Doubt[] =>
    names
      .filter((name) => !seats.has(name))
      .map((name) => {
        const message = `${ticked(name)} is ${role}, but is not in the cast`;
        return { code, severity: 'warn', message, path: ['payload', 'competition', ...path], actual: name };
      });
  return [
    ...[...teams].flatMap(([label, names]) =>
      strangers(names, ['teams', label], `in the team ${named(label)}`),
    ),
    ...strangers(symmetricSeats, ['symmetric_seats'], 'a symmetric seat'),
  ];
}

/** Compares a member of the end of a run. A missing one is not reported: all are optional. */
function creditDoubt(stored: unknown, key: string, expected: unknown, source: string): Doubt[] {
  if (stored === undefined || jsonEqual(stored, expected)) return [];
  const [actual, wanted] = [JSON.stringify(stored), JSON.stringify(expected)];
  const message = `${key} is ${actual}, but ${source} gives ${wanted}`;
  const path = ['payload', key];
  return [{ code: 'consistency/attribution', message, path, expected: wanted, actual, ifWhole: true }];
}

/** How the end of a run contradicts its last verdict and its cast. */
export function endingDoubts(
  payload: JsonObject,
  verdict: { readonly line: number; readonly payload: JsonObject } | undefined,
  casting: Casting,
): Doubt[] {
  const judged = stringOf(verdict?.payload['winner']) ?? null;
  const { winner = judged } = payload;
  if (winner !== null && typeof winner !== 'string') return [];
  const source = verdict === undefined ? 'a run without a verdict' : `the verdict on line ${verdict.line}`;
  const found = creditDoubt(winner, 'winner', judged, source);
  if (casting.seats === undefined) return found;
  // All credits must be those of the engine, or all must be those of the document.
  const says = (given: Attribution) =>
    CREDITS.every((key) => payload[key] === undefined || jsonEqual(payload[key], given[key]));
  const byDocument = attribute(winner, casting, 'endpoint-only');
  const given = says(byDocument) ? byDocument : attribute(winner, casting);
  return [...found, ...CREDITS.flatMap((key) => creditDoubt(payload[key], key, given[key], 'the cast'))];
}
