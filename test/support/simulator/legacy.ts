import { type Json, type JsonObject, stringify, unsorted } from './canonical.ts';
import type { Encoder } from './events.ts';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The payload as older runtimes wrote it: without the fields from which newer ones can be projected. */
function legacyPayload(phase: Json | undefined, payload: JsonObject): JsonObject {
  switch (phase) {
    case 'plan':
      return { steps: payload['steps'], rationale: payload['rationale'] };
    case 'act': {
      const { input_excerpt, outcome, tool, action_candidate_id, adapter, reasons, synthetic } = payload;
      return { input_excerpt, outcome, tool, action_candidate_id, adapter, reasons, synthetic };
    }
    case 'learn':
      return { policy_id: 'policy:core.minimal', basis: [], proposal: [], applied: false, scope: 'episode' };
    case 'insight':
      return { schema_version: '1.0.0', ...(isObject(payload['metrics']) ? payload['metrics'] : {}) };
    default:
      return payload;
  }
}

/**
 * Writes events as older runtimes did: keys in their own order, spaces after the separators, `insight` and `memory`
 * without an id, no state projections, and the roll-up act stamped before the acts it sums up.
 */
export function createLegacyEncoder(): Encoder {
  let planMetrics: Json | undefined;
  return (event) => {
    const { id, timestamp, episode_id, agent_id, phase, evidence_ids, caused_by, metrics, event_type } =
      event;
    if (event_type === 'run.state_projection') return undefined;
    const payload = isObject(event['payload']) ? legacyPayload(phase, event['payload']) : undefined;
    if (phase === 'plan') planMetrics = metrics;
    const times = payload?.['synthetic'] === true ? planMetrics : metrics;
    const stamp = isObject(times) ? times['completed_at'] : timestamp;
    const named = phase === 'insight' || phase === 'memory' ? {} : { id };
    const head = { ...named, timestamp: stamp, episode_id };
    const tail = { phase, event_type, payload, evidence_ids, caused_by };
    return stringify(
      times === undefined ? { ...head, agent_id, ...tail } : { ...head, ...tail, metrics: times, agent_id },
      unsorted,
    );
  };
}
