import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';

/** A seat of the cast, as far as a summary shows it. */
export interface Seat {
  readonly model_endpoint: JsonValue;
  readonly model_profile: JsonValue;
}

/** Who plays in a run and who can win it, as `run.started` says. */
export interface Casting {
  /** Undefined where the event has none: then nothing can be said about names. */
  readonly seats: ReadonlyMap<string, JsonObject> | undefined;
  readonly kind: string;
  readonly teams: ReadonlyMap<string, readonly string[]>;
  /** As stored, for the leaderboard. */
  readonly storedTeams: JsonValue;
  readonly symmetricSeats: readonly string[];
  readonly storedSeats: JsonValue;
}

/** Nothing known. */
export const NO_CASTING: Casting = {
  seats: undefined,
  kind: 'none',
  teams: new Map(),
  storedTeams: null,
  symmetricSeats: [],
  storedSeats: null,
};

function texts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
}

/** The casting that the payload of a `run.started` describes. Names come from the trace: maps, never objects. */
export function castingOf(payload: JsonObject): Casting {
  const { cast, competition } = payload;
  const rules = isObject(competition) ? competition : {};
  const { kind, teams = null, symmetric_seats: storedSeats = null } = rules;
  const seats = isObject(cast)
    ? new Map(Object.entries(cast).map(([name, seat]) => [name, isObject(seat) ? seat : {}]))
    : undefined;
  return {
    seats,
    kind: typeof kind === 'string' ? kind : 'none',
    teams: new Map(
      isObject(teams) ? Object.entries(teams).map(([label, names]) => [label, texts(names)]) : [],
    ),
    storedTeams: teams,
    symmetricSeats: texts(storedSeats),
    storedSeats,
  };
}

/** By what a seat's model is known: the engine falls back on the name that the endpoint resolved to (fishbowl.md §7). */
export type CreditRule = 'endpoint-or-model' | 'endpoint-only';

/** The model a seat is credited with. */
function modelOf(seat: JsonObject | undefined, rule: CreditRule): string | undefined {
  const { model_endpoint: endpoint, model } = seat ?? {};
  for (const name of rule === 'endpoint-only' ? [endpoint] : [endpoint, model]) {
    if (typeof name === 'string' && name !== '') return name;
  }
  return undefined;
}

/** Who is credited with a win. */
export interface Attribution {
  readonly winner_kind: 'agent' | 'team' | null;
  readonly winning_model: string | null;
  readonly winning_models: readonly string[];
}

/** What follows from a winner's name: the cast is asked first, then the team labels (fishbowl.md §7). */
export function attribute(
  winner: string | null,
  { seats, teams }: Casting,
  rule: CreditRule = 'endpoint-or-model',
): Attribution {
  const seat = winner === null ? undefined : seats?.get(winner);
  if (seat) {
    const model = modelOf(seat, rule);
    return {
      winner_kind: 'agent',
      winning_model: model ?? null,
      winning_models: model === undefined ? [] : [model],
    };
  }
  const members = winner === null ? undefined : teams.get(winner);
  if (members) {
    const models = members
      .map((name) => modelOf(seats?.get(name), rule))
      .filter((model) => model !== undefined);
    return { winner_kind: 'team', winning_model: null, winning_models: models };
  }
  return { winner_kind: null, winning_model: null, winning_models: [] };
}
