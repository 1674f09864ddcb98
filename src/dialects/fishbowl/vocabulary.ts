/** A kind: two or more words of a–z and 0–9 joined by dots, each starting with a letter (fishbowl.md §2). */
export const KIND = /^[a-z][a-z0-9]*(\.[a-z][a-z0-9]*)+$/;

/** The kinds the engine treats specially. No allow-list: any other well-formed kind is as good (fishbowl.md §2). */
export const CORE_KINDS = [
  'run.started',
  'run.finished',
  'world.observed',
  'agent.thought',
  'agent.spoke',
  'agent.reflected',
  'judge.verdict',
  'user.injected',
] as const;

/** The eleven members of an event; the document lists the first eight (fishbowl.md §1). */
export const EVENT_KEYS = [
  'id',
  'run_id',
  'turn',
  'kind',
  'actor',
  'payload',
  'created_at',
  'schema_version',
  'session_id',
  'model_profile',
  'model_id',
] as const;

/** The only version there is. */
export const SCHEMA_VERSION = 1;

/** Who may speak in a run besides its cast and its scenario; `system` by the document alone (fishbowl.md §2). */
export const STANDING_ACTORS: readonly string[] = ['conductor', 'visitor', 'system'];
