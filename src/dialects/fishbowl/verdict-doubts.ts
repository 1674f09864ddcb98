import type { EventRemark } from '../../findings/check.ts';
import { type JsonObject, jsonEqual } from '../../json/value.ts';
import { textIn } from '../excerpt.ts';
import { type Attribution, attribute, type Casting } from './attribution.ts';
import { STANDING_ACTORS } from './vocabulary.ts';

const WINNER = ['payload', 'winner'];
const ACCUSED = ['payload', 'accused'];

/** Why somebody of this name cannot act in a run; undefined where they can. */
export function actorDoubt(actor: string, { seats }: Casting, scenario: unknown): string | undefined {
  if (seats === undefined || seats.has(actor) || STANDING_ACTORS.includes(actor) || actor === scenario)
    return undefined;
  return `\`${actor}\` is not in the cast of this run, and is not its conductor, visitor or scenario`;
}

/** What a verdict says against itself, whatever the cast is. */
export function contradictions({ winner, no_contest: noContest }: JsonObject): EventRemark[] {
  if (typeof winner !== 'string' || noContest !== true) return [];
  const message = `the verdict says no_contest, and names ${winner} as the winner`;
  return [{ code: 'consistency/winner', message, path: WINNER, actual: winner }];
}

/**
 * Why nobody may win under this name. Where teams play against each other a team wins; the judge of a guessing game, who
 * says whether the guess was correct and accuses nobody, names an agent all the same (fishbowl.md §6).
 */
function winnerDoubt(winner: string, judge: string, payload: JsonObject, casting: Casting) {
  const { seats, teams, kind } = casting;
  if (teams.has(winner)) return undefined;
  if (!seats?.has(winner)) return `\`${winner}\` is neither in the cast of this run nor one of its teams`;
  if (winner === judge) return `\`${winner}\` names itself as the winner of the run that it judges`;
  const isGuess = typeof payload['correct'] === 'boolean' && payload['accused'] === undefined;
  if (kind !== 'versus' || teams.size === 0 || isGuess) return undefined;
  return `\`${winner}\` is no team, and the teams of this run are ${[...teams.keys()].join(', ')}`;
}

/** The team whose members are to be found, where a run has one. */
const SPIES = 'spy';

function accusedDoubt(accused: string, payload: JsonObject, { seats, teams }: Casting) {
  const { correct } = payload;
  if (!seats?.has(accused)) return `the accused \`${accused}\` is not in the cast of this run`;
  const spies = teams.get(SPIES);
  if (spies !== undefined && typeof correct === 'boolean' && spies.includes(accused) !== correct) {
    const truth = correct ? 'is in another team than the spies' : 'is one of the spies';
    return `correct is ${correct}, and the accused \`${accused}\` ${truth}`;
  }
  // Found or not: whom the judge accused is on the side that lost.
  const winner = textIn(payload, 'winner');
  if (winner === undefined || !teams.get(winner)?.includes(accused)) return undefined;
  return `the accused \`${accused}\` is of the team that won, ${winner}`;
}

/** What the cast and the teams of a run say against a verdict of this judge. */
export function verdictDoubts(payload: JsonObject, judge: string, casting: Casting): EventRemark[] {
  const { seats } = casting;
  if (seats === undefined) return [];
  const found: EventRemark[] = [];
  const { winner, accused, scores } = payload;
  const wrongWinner = typeof winner === 'string' ? winnerDoubt(winner, judge, payload, casting) : undefined;
  if (wrongWinner !== undefined)
    found.push({ code: 'consistency/winner', message: wrongWinner, path: WINNER, actual: String(winner) });
  const wrongAccused = typeof accused === 'string' ? accusedDoubt(accused, payload, casting) : undefined;
  if (wrongAccused !== undefined)
    found.push({
      code: 'consistency/accused',
      message: wrongAccused,
      path: ACCUSED,
      actual: String(accused),
    });
  for (const name of typeof scores === 'object' && scores !== null ? Object.keys(scores) : []) {
    if (seats.has(name)) continue;
    const message = `a score is given to \`${name}\`, who is not in the cast`;
    found.push({ code: 'event/vocabulary', message, path: ['payload', 'scores', name], actual: name });
  }
  return found;
}

/** A verdict that the end of a run must agree with. */
export interface StoredVerdict {
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

/** A key that is missing says nothing: all of them came later than the event itself. */
function creditDoubt(stored: unknown, key: string, expected: unknown, source: string): EventRemark[] {
  if (stored === undefined || jsonEqual(stored, expected)) return [];
  const [actual, wanted] = [JSON.stringify(stored), JSON.stringify(expected)];
  const message = `${key} is ${actual}, and ${source} gives ${wanted}`;
  const path = ['payload', key];
  return [{ code: 'consistency/attribution', message, path, expected: wanted, actual }];
}

/** What the last verdict and the cast say against the end of a run. */
export function endingDoubts(
  payload: JsonObject,
  verdict: StoredVerdict | undefined,
  casting: Casting | undefined,
): EventRemark[] {
  const { winner = null } = payload;
  if (winner !== null && typeof winner !== 'string') return [];
  const source = verdict === undefined ? 'a run without a verdict' : `the verdict on line ${verdict.line}`;
  const found = creditDoubt(winner, 'winner', verdict?.winner ?? null, source);
  if (casting?.seats === undefined) return found;
  const given = creditedBy(payload, winner, casting);
  return [...found, ...CREDITS.flatMap((key) => creditDoubt(payload[key], key, given[key], 'the cast'))];
}
