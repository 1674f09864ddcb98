import { isObject, type JsonObject } from '../../../base/json/value.ts';

/** The outcome that a `run.state_projection` event says was stored (noesis.md §5.2). */
export interface PersistedOutcome {
  outcomes: { status: string; summary: string | null; metrics: JsonObject };
  links: Record<string, string>;
}

/** Reads a `run.state_projection` event. Returns null for an invalid payload, which has its own finding. */
export function persistedOutcome(event: JsonObject): PersistedOutcome | null {
  const { payload } = event;
  if (!isObject(payload)) return null;
  const { outcomes, links } = payload;
  if (!isObject(outcomes) || !isObject(links) || typeof outcomes['status'] !== 'string') return null;
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
