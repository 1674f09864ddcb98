import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Evidence } from '../../projection/evidence.ts';
import { isSynthetic, isTruthy } from './event-kinds.ts';

/** What a `run.state_projection` event says was persisted (noesis.md §5.2). */
export interface PersistedOutcome {
  outcomes: { status: string; summary: string | null; metrics: JsonObject };
  links: Record<string, string>;
}

/** Whether an event records that state.json was persisted. */
export function isStateProjection(event: JsonObject): boolean {
  return event['phase'] === 'runtime' && event['event_type'] === 'run.state_projection';
}

/**
 * The outcome a `run.state_projection` event carries; null where its payload is not of the form: what is not whole is
 * said of the event, and nothing of it is projected.
 */
export function persistedOutcome(event: JsonObject): PersistedOutcome | null {
  const { payload } = event;
  if (!isObject(payload)) return null;
  const { outcomes, links, status: said } = payload;
  if (!isObject(outcomes) || !isObject(links) || typeof outcomes['status'] !== 'string') return null;
  if (said !== undefined && typeof said !== 'string') return null;
  const { status, summary, metrics } = outcomes;
  const texts = Object.entries(links).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return {
    outcomes: {
      status,
      summary: typeof summary === 'string' ? summary : null,
      metrics: isObject(metrics) ? metrics : {},
    },
    links: Object.fromEntries(texts),
  };
}

/** An action as the log gives it, in the shape of state.json. */
export interface ProjectedAction {
  readonly action: JsonObject;
  readonly source: Evidence;
}

/** When an event happened: its timestamp, else when its work was completed. */
export function timeOf(event: JsonObject): string | undefined {
  const { timestamp, metrics } = event;
  if (typeof timestamp === 'string') return timestamp;
  const completed = isObject(metrics) ? metrics['completed_at'] : undefined;
  return typeof completed === 'string' ? completed : undefined;
}

const isThere = (value: JsonValue | undefined): value is NonNullable<JsonValue> =>
  value !== undefined && value !== null;

/**
 * The action record that an act event mirrors; undefined for acts without an `action_id` and for the roll-up acts
 * marked `synthetic` (noesis.md §5.2).
 */
export function projectAction(event: JsonObject): JsonObject | undefined {
  const { payload } = event;
  if (event['phase'] !== 'act' || !isObject(payload) || isSynthetic(payload)) return undefined;
  const { action_id: id, result_status: status, outcome, step_id: step } = payload;
  if (typeof id !== 'string') return undefined;
  // Each member by its name: a hundred thousand of these may be made, and keys that change make it slow.
  const action: JsonObject = { id };
  const { kind, tool, input_excerpt: input, provenance, result_artifacts: artifacts } = payload;
  if (isThere(kind)) action['kind'] = kind;
  if (isThere(tool)) action['tool'] = tool;
  if (isThere(input)) action['input_excerpt'] = input;
  const result = status ?? outcome;
  if (isThere(result)) action['result_status'] = result;
  const time = timeOf(event);
  if (time !== undefined) action['timestamp'] = time;
  if (typeof step === 'string' && step !== '') action['step_id'] = step;
  if (isThere(provenance) && isTruthy(provenance)) action['provenance'] = provenance;
  if (isThere(artifacts) && isTruthy(artifacts)) action['result_artifacts'] = artifacts;
  for (const key of Object.keys(payload)) if (key.startsWith('x-')) action[key] = payload[key] ?? null;
  return action;
}
