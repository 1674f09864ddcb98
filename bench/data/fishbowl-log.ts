import { uuid } from '../../test/support/simulator/ids.ts';
import type { Source } from './source.ts';

const players = ['mira', 'otto', 'lena', 'raul'];
const models = ['tiny-a', 'tiny-b', 'mid-c'];
const moods = ['calm', 'angry', 'proud', 'worried'];
/** This many runs are active at once, so their events interleave. */
const runsAtOnce = 8;
const turnsPerRun = 60;

/** One run, event by event. Each yield ends a turn of the engine. */
function* runEvents({ random, words, now }: Source, number: number): Generator<object> {
  const run = `debate-${String(number).padStart(6, '0')}`;
  const session = `sess-${Math.ceil(number / 20)}`;
  const seats = new Map(
    [...players, 'judge'].map((name) => {
      const model = random.pick(models);
      return [name, { model_endpoint: model, model_profile: 'fast', model }];
    }),
  );
  const put = (turn: number, kind: string, actor: string, payload: object) => ({
    id: uuid(random, 5),
    run_id: run,
    turn,
    kind,
    actor,
    payload,
    created_at: now(),
    schema_version: 1,
    session_id: session,
    model_profile: seats.has(actor) ? 'fast' : null,
    model_id: seats.get(actor)?.model ?? null,
  });
  yield put(0, 'run.started', 'conductor', {
    seed: words(12),
    goal: words(6),
    scenario: 'debate-hall',
    cast: Object.fromEntries(seats),
    competition: { kind: 'judged', teams: null, symmetric_seats: players },
    session_id: session,
  });
  yield put(0, 'world.observed', 'debate-hall', { text: words(20) });
  for (let turn = 1; turn < turnsPerRun; turn += 1) {
    const actor = random.pick(players);
    const mood = random.pick(moods);
    if (random.chance(0.2)) yield put(turn, 'agent.thought', actor, { text: words(24), mood });
    yield put(turn, 'agent.spoke', actor, { text: words(30), mood, thought: words(12) });
    if (random.chance(0.05)) yield put(turn, 'user.injected', 'visitor', { text: words(6), label: 'poke' });
  }
  const winner = random.pick(players);
  const scores = Object.fromEntries(players.map((name) => [name, name === winner ? 9 : random.int(9)]));
  yield put(turnsPerRun, 'judge.verdict', 'judge', { text: words(20), mood: 'calm', winner, scores });
  const model = seats.get(winner)?.model;
  yield put(turnsPerRun, 'run.finished', 'conductor', {
    reason: 'verdict',
    winner,
    winner_kind: 'agent',
    winning_model: model,
    winning_models: [model],
    turns: turnsPerRun,
    tokens: random.int(90_000),
  });
}

/** Interleaved runs until a stop is requested. Then finishes the open ones. */
export function* fishbowlEvents(source: Source): Generator<object, void, boolean> {
  let runs = 0;
  let stop = false;
  const going: Generator<object>[] = [];
  for (;;) {
    while (!stop && going.length < runsAtOnce) {
      runs += 1;
      going.push(runEvents(source, runs));
    }
    const at = source.random.int(going.length);
    const next = going[at]?.next();
    if (next === undefined) return;
    if (next.done) going.splice(at, 1);
    else stop = yield next.value as object;
  }
}
