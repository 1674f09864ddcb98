import type { JsonObject, JsonValue } from '../../../src/base/json/value.ts';
import { NoesisProjector } from '../../../src/dialects/noesis/state/projection.ts';

/** An event with a payload, and whatever else it needs. */
export const event = (phase: string, payload: unknown, more: JsonObject = {}): JsonObject => ({
  phase,
  payload: payload as JsonValue,
  ...more,
});

export const plan = (payload: unknown, more: JsonObject = {}): JsonObject => event('plan', payload, more);

export const act = (payload: JsonObject, more: JsonObject = {}): JsonObject => event('act', payload, more);

/** A plan event of these step records. */
export const records = (...steps: unknown[]): JsonObject => plan({ step_records: steps });

/** An act that reports on a step. */
export const done = (step_id: unknown, step_status: unknown = 'done'): JsonObject =>
  act({ step_id, step_status } as JsonObject);

/** A `run.state_projection` event as the runtime records it. */
export const persisted = (
  outcomes: unknown = { status: 'ok', summary: null, metrics: {} },
  links: unknown = {},
  more: JsonObject = {},
): JsonObject => event('runtime', { outcomes, links }, { event_type: 'run.state_projection', ...more });

/** A projector that has seen these events, one a line. */
export function projectorOf(events: readonly JsonObject[]): NoesisProjector {
  const projector = new NoesisProjector();
  for (const [index, one] of events.entries()) projector.addEvent(one, index + 1);
  return projector;
}
