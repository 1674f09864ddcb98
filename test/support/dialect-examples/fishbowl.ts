import { clockFrom, type ExampleFiles, jsonLines, uuidOf } from './files.ts';

/** Two runs in one ledger, as an export of the fishbowl engine has them (fishbowl.md §1, §6): their events interleave. */

interface Draft {
  readonly run: string;
  readonly turn: number;
  readonly kind: string;
  readonly actor: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

const SESSION = 'sess-demo-7';
const seat = (model: string) => ({ model_endpoint: model, model_profile: 'fast', model });

const DEBATE = 'debate-0001';
const HEIST = 'heist-0002';
const debaters = { mira: seat('tiny-a'), otto: seat('tiny-b'), judge: seat('large-c') };
const crew = { lena: seat('tiny-a'), raul: seat('tiny-b') };

const said = (run: string, turn: number, actor: string, text: string, mood: string): Draft => ({
  run,
  turn,
  kind: 'agent.spoke',
  actor,
  payload: { text, mood },
});

const DRAFTS: readonly Draft[] = [
  {
    run: DEBATE,
    turn: 0,
    kind: 'run.started',
    actor: 'conductor',
    payload: {
      seed: 'Should the village sell its only well?',
      goal: 'convince the judge',
      scenario: 'debate-hall',
      cast: debaters,
      competition: { kind: 'judged', teams: null, symmetric_seats: ['mira', 'otto'] },
      session_id: SESSION,
    },
  },
  {
    run: DEBATE,
    turn: 0,
    kind: 'world.observed',
    actor: 'debate-hall',
    payload: { text: 'Two lecterns, one candle.' },
  },
  said(DEBATE, 1, 'mira', 'Water that is sold is water that is kept clean.', 'calm'),
  {
    run: HEIST,
    turn: 0,
    kind: 'run.started',
    actor: 'conductor',
    payload: {
      seed: 'A vault, a storm, and no plan',
      scenario: 'night-heist',
      cast: crew,
      competition: { kind: 'none', teams: null, symmetric_seats: null },
      session_id: SESSION,
    },
  },
  said(DEBATE, 1, 'otto', 'And those who cannot pay for it?', 'angry'),
  {
    run: HEIST,
    turn: 0,
    kind: 'world.observed',
    actor: 'night-heist',
    payload: { text: 'Rain on the skylight.' },
  },
  {
    run: HEIST,
    turn: 1,
    kind: 'agent.thought',
    actor: 'lena',
    payload: { text: 'Raul has the wrong map.', mood: 'worried' },
  },
  {
    run: DEBATE,
    turn: 2,
    kind: 'user.injected',
    actor: 'visitor',
    payload: { text: 'The well runs dry.', label: 'poke' },
  },
  {
    run: DEBATE,
    turn: 3,
    kind: 'judge.verdict',
    actor: 'judge',
    payload: {
      text: 'Otto asked the better question.',
      mood: 'calm',
      winner: 'otto',
      scores: { mira: 6, otto: 8 },
    },
  },
  {
    run: DEBATE,
    turn: 3,
    kind: 'run.finished',
    actor: 'conductor',
    payload: {
      reason: 'verdict',
      winner: 'otto',
      winner_kind: 'agent',
      winning_model: 'tiny-b',
      winning_models: ['tiny-b'],
      turns: 3,
      tokens: 1840,
    },
  },
  said(HEIST, 1, 'raul', 'Left at the second duct. Trust me.', 'proud'),
];

function events(): Record<string, unknown>[] {
  const tick = clockFrom('2026-03-04T18:30:00Z');
  return DRAFTS.map(({ run, turn, kind, actor, payload }, index) => {
    const cast: Readonly<Record<string, { readonly model: string }>> = run === DEBATE ? debaters : crew;
    const model = cast[actor]?.model;
    return {
      id: uuidOf(`${run} ${index}`),
      run_id: run,
      turn,
      kind,
      actor,
      payload,
      created_at: tick(340 + index * 25),
      schema_version: 1,
      session_id: SESSION,
      model_profile: model === undefined ? null : 'fast',
      model_id: model ?? null,
    };
  });
}

/** A ledger of two runs, of which one is over. */
export function fishbowlExample(): ExampleFiles {
  return new Map([['ledger.jsonl', jsonLines(events())]]);
}

/** The ledger with another winner than the verdict names, and with a repeated id. */
export function damagedFishbowlExample(): ExampleFiles {
  const others = { winner: 'mira', winning_model: 'tiny-a', winning_models: ['tiny-a'] };
  const log = events().map((event, index, all) => {
    if (event['kind'] === 'run.finished') {
      return { ...event, payload: { ...DRAFTS[index]?.payload, ...others } };
    }
    return index === 6 ? { ...event, id: all[4]?.['id'] } : event;
  });
  return new Map([['ledger.jsonl', jsonLines(log)]]);
}
