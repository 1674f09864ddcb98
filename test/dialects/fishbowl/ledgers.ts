import type { JsonObject } from '../../../src/base/json/value.ts';
import { FishbowlProjector } from '../../../src/dialects/fishbowl/projection.ts';
import type { Projection } from '../../../src/findings/projection/projector.ts';

/** The first event of a run between two players, with a judge. */
export function started(runId: string): JsonObject {
  return {
    run_id: runId,
    kind: 'run.started',
    actor: 'conductor',
    turn: 0,
    payload: {
      seed: 'a lighthouse',
      scenario: 'duel',
      cast: { ann: { model_endpoint: 'm1' }, bob: { model_endpoint: null, model: 'm2' }, judge: {} },
      competition: { kind: 'judged', teams: { red: ['ann'], blue: ['bob'] }, symmetric_seats: null },
    },
  };
}

/** The end of a run that ann has won. */
export function won(runId: string): JsonObject {
  const payload = {
    reason: 'verdict',
    winner: 'ann',
    winner_kind: 'agent',
    winning_model: 'm1',
    winning_models: ['m1'],
    turns: 1,
  };
  return { run_id: runId, kind: 'run.finished', actor: 'conductor', payload };
}

/** The judge names ann. */
export function verdict(runId: string, payload: JsonObject = {}): JsonObject {
  return {
    run_id: runId,
    kind: 'judge.verdict',
    actor: 'judge',
    payload: { text: 'ann it is', winner: 'ann', ...payload },
  };
}

/** Events with whatever they do not say themselves: ids, times one second apart, turn 1. */
export function ledger(events: readonly JsonObject[]): JsonObject[] {
  return events.map((event, index) => ({
    id: `e${index + 1}`,
    run_id: 'r',
    turn: 1,
    kind: 'agent.spoke',
    actor: 'ann',
    payload: { text: 'hi' },
    created_at: `2026-06-01T00:${String(Math.floor(index / 60)).padStart(2, '0')}:${String(index % 60).padStart(2, '0')}Z`,
    schema_version: 1,
    ...event,
  }));
}

/** Somebody speaks. */
export const say = (change: JsonObject = {}): JsonObject => ({
  kind: 'agent.spoke',
  actor: 'ann',
  payload: { text: 'hi' },
  ...change,
});

/** A run without blemish. */
export const RUN = [started('r'), say(), verdict('r'), won('r')];

/** The result of the projector for these events. */
export function project(events: readonly JsonObject[], options = {}): Projection {
  const projector = new FishbowlProjector(options);
  for (const [index, event] of events.entries()) projector.addEvent(event, index + 1);
  return projector.result();
}
