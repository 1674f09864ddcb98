import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings about members that only Noēsis events have: phase, metrics and causes. */
export const EVENT = [
  {
    code: 'event/unknown-phase',
    severity: 'info',
    meaning: 'The phase is not one of the 17 of the format.',
    why: 'Extensions may add phases, and readers ignore them. If it is a misspelling, the event is left out of plan, actions and counts without an error.',
    example: '{"id":"act-0001","phase":"action","payload":{"outcome":"ok"}}',
    fix: 'Compare with the known phases: start, observe, intuition, interpret, plan, direction, action_candidate, governance, act, reflect, learn, runtime, terminate, insight, memory, reason, error. If the extension is yours, silence it with `--rule event/unknown-phase=off`.',
  },
  {
    code: 'event/time',
    severity: 'warn',
    varies: 'info for acts of older runtimes, which lack action_id and have the time of their start.',
    meaning: 'The time of an act is not the time of its completion.',
    why: 'The state repeats the time of the act as the time of the action. When the two times of one event differ, nobody can say which of them the state must have.',
    example:
      '{"id":"act-0001","phase":"act","timestamp":"2026-03-02T13:00:09Z","metrics":{"started_at":"2026-03-02T13:00:00Z","completed_at":"2026-03-02T13:00:02Z","duration_ms":2000},"payload":{"input_excerpt":"ls","outcome":"ok","tool":"shell"}}',
    fix: 'Current runtimes set the timestamp to metrics.completed_at when they write the event; older ones set it to the start. If the episode is new, ask who else wrote or changed the event.',
  },
  {
    code: 'event/metrics',
    severity: 'warn',
    varies: 'info for a terminate event.',
    meaning:
      "An event's own timing contradicts itself: completed before it started, or a duration_ms that is not the time in between.",
    why: 'Latencies computed from duration_ms and from the two times differ, so at least one chart built on this log is wrong.',
    example:
      '"metrics":{"started_at":"2026-03-02T13:00:00Z","completed_at":"2026-03-02T13:00:02Z","duration_ms":0.9}',
    fix: 'Check the units first: duration_ms is in milliseconds, and seconds in its place are the usual mistake. A difference of more than 50 ms and 1 % is reported: smaller ones come from a writer that takes the duration from a monotonic clock and the times from the wall clock.',
  },
  {
    code: 'lineage/evidence',
    severity: 'warn',
    varies:
      'info for a direction that cites other evidence than its intuition; info for an empty list if the payload has evidence.',
    meaning:
      'A reference of the form `event:<phase>:<n>` points to an event that does not exist, or the evidence that a direction cites is not the evidence in its payload or in its intuition.',
    why: 'A decision claims support that the log does not have. An auditor cannot see what it was based on.',
    example: '"evidence_ids":["event:observe:3"] in an episode with one observe event.',
    fix: 'The number counts events of that phase from 1. List them with `noesis events <episode> --phase observe`, and ask the owner of the policy in payload.policy_id what it should cite. References of other forms are not checked.',
  },
  {
    code: 'lineage/content-id',
    severity: 'error',
    altered: true,
    meaning: 'A directive_id is not the hash of the directive that it names.',
    why: 'The runtime derives the id from policy, steps, status, reason and the changes to the plan. If the id does not match, one of them, or the id, was changed after the event was written.',
    example:
      '{"id":"dir-0001","phase":"direction","payload":{"directive_id":"dir-1439f8a255180698a21f9a5f","status":"blocked","applied":false,"steps":[],"diff":[]}}',
    fix: 'Compare the directive with a copy of the log, and its diff with the plan: `noesis events <episode> --phase direction -j`. The finding gives the id that the content would have. Only ids of the form `dir-` and 24 hex digits are recomputed.',
  },
  {
    code: 'lineage/duplicate-id',
    severity: 'warn',
    varies: 'info for a directive that has another id than an equal one before it.',
    meaning: 'Two directions with different content share a directive_id, or one directive has two.',
    why: 'The id is derived from the content of a directive, so two of them cannot share it. A report that cites the id does not say which change to the plan it means.',
    example:
      '{"id":"d-1","phase":"direction","payload":{"directive_id":"dir_1","status":"applied","reason":"a"}}\n{"id":"d-2","phase":"direction","payload":{"directive_id":"dir_1","status":"blocked","reason":"b"}}',
    fix: 'Compare the two: `noesis events <episode> --phase direction -j`. If one of them was edited, a copy of the log shows which. If the writer chose the id, it must derive it from policy, steps, status, reason and changes.',
  },
  {
    code: 'lineage/broken-link',
    severity: 'warn',
    meaning:
      'A direction names in `payload.intuition_event_id` an event that is not an earlier intuition, or a prompt names an event that the log does not have.',
    why: 'The change to the plan cannot be traced to the intuition that asked for it, so its reason and its confidence are unknown. Nobody can say what the prompt led to.',
    example:
      '{"id":"dir-0001","phase":"direction","payload":{"status":"applied","intuition_event_id":"obs-0001"}}',
    fix: 'List the candidates with `noesis events <episode> --phase intuition`. If one of them fits, the writer stored the wrong id. If none fits, intuition events were not logged or were removed. For a prompt, look for its event_id in a copy of the log: if only the prompt mentions the event, it was removed.',
  },
] as const satisfies readonly CatalogueEntry[];
