import type { Statement } from './statement.ts';

/** The ledger of runs (fishbowl). */
export const LEDGER_STATEMENTS: readonly Statement[] = [
  {
    id: 'RL-001',
    wording:
      'Envelope of exactly eight fields, which is the contract other parts may rely on: id, run_id, turn, kind, actor, payload, created_at, schema_version…',
  },
  {
    id: 'RL-002',
    wording:
      'id: unique event id, the idempotency handle: re-appending the same id does not make a second event.',
  },
  {
    id: 'RL-003',
    wording: 'run_id: groups events into one run; selecting a run gives all its events and no others.',
  },
  { id: 'RL-004', wording: 'turn: logical (simulated-time) turn counter, not wall clock.' },
  {
    id: 'RL-005',
    wording:
      'kind: namespaced event kind, checked by pattern. actor: the emitter: an agent, the scenario, a visitor or the system. payload: JSON data particular…',
  },
  { id: 'RL-006', wording: 'created_at: UTC timestamp.' },
  {
    id: 'RL-007',
    wording:
      'schema_version: marker for additive evolution; 1 at present, also with the verdict and run payload keys added.',
  },
  {
    id: 'RL-008',
    wording:
      'Pattern: ^[a-z][a-z0-9]*(\\.[a-z][a-z0-9]*)+$; agent.spoke, clue.found, episode.published, a.b.c → accepted.',
  },
  {
    id: 'RL-009',
    wording:
      'No dot (spoke), uppercase (Agent.spoke) or symbols (agent-x.spoke, agent_x.spoke) → rejected; also empty segment, leading digit in a segment…',
  },
  {
    id: 'RL-010',
    wording:
      'kind is not a closed list: a well-formed kind never seen before is accepted with no code or config change.',
  },
  {
    id: 'RL-011',
    wording:
      "The schema checks shape only; who may emit which kind is settled per turn by the agent manifest's may_emit, so ledger validation does not reject on…",
  },
  {
    id: 'RL-012',
    wording:
      'Core kinds (8): run.started, run.finished, world.observed, agent.thought, agent.spoke, agent.reflected, judge.verdict, user.injected; specially…',
  },
  {
    id: 'RL-013',
    wording:
      'Any other well-formed kind with a text payload is rendered by the generic projection fallback (oracle.spoke, crier.announced).',
  },
  {
    id: 'RL-014',
    wording:
      'Verdict and run keys are additive data in competition scenarios; a payload without them stays valid.',
  },
  {
    id: 'RL-015',
    wording:
      'judge.verdict text (spoken verdict) plus manifest extras such as mood stand beside the keys below.',
  },
  {
    id: 'RL-016',
    wording:
      'judge.verdict winner — string or null; in judged and versus modes: judged = validated agent name picked by the model; versus = team label stamped by…',
  },
  {
    id: 'RL-017',
    wording:
      "judge.verdict accused — string, versus only: the judge's own pick, kept before code overwrites winner, both readable. correct — boolean, versus…",
  },
  {
    id: 'RL-018',
    wording:
      "judge.verdict scores — map of agent name to float; only when the judge's output_extra_fields lists it; unknown names dropped, values clamped to 0–10…",
  },
  {
    id: 'RL-019',
    wording:
      'judge.verdict no_contest — only ever true; set when the winner stayed invalid after one corrective re-ask; then winner is absent and text is still…',
  },
  {
    id: 'RL-020',
    wording:
      'Invalid winner = neither cast name nor team label → exactly one re-ask; token use of both calls is summed, so usage totals count the retry (a…',
  },
  { id: 'RL-021', wording: 'An absent winner passes validation (offline stub does not emit it).' },
  { id: 'RL-022', wording: 'run.finished winner — string or null: display name, agent name or team label.' },
  {
    id: 'RL-023',
    wording:
      'run.finished winner_kind — "agent" | "team" | null; lookup in the cast map goes before lookup in the team labels (a name in both → agent).',
  },
  {
    id: 'RL-024',
    wording:
      'run.finished winning_model — string or null, legacy key: endpoint of a single agent winner; null for a team win.',
  },
  {
    id: 'RL-025',
    wording:
      "run.finished winning_models — list of strings: the winner's endpoint, or those of all winning-team members; null entries dropped.",
  },
  {
    id: 'RL-026',
    wording:
      'The run summary mirrors these run.finished keys; kind and models are resolved when run.finished is stamped: a projected summary equals the event.',
  },
  {
    id: 'RL-027',
    wording: 'Fields are added, never renamed; history is immutable: old records are not rewritten.',
  },
  { id: 'RL-028', wording: 'A new kind needs no schema change and no version bump.' },
  {
    id: 'RL-029',
    wording:
      'Every event is validated before append; an unknown envelope field → rejected (extra="forbid"), nothing written.',
  },
  {
    id: 'RL-030',
    wording:
      'On a schema_version bump, older records pass through upcasters before reading: an old record reads in the new shape while its stored bytes stay.',
  },
];
