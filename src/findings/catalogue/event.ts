import type { CatalogueEntry } from '../catalogue-entry.ts';

/** What a single event says about itself, and its time beside that of the one before. */
export const EVENT = [
  {
    code: 'event/missing-field',
    severity: 'error',
    varies:
      'info for timestamp, episode_id and evidence_ids, which the documents leave out, and warn for id in insight and memory events, where older runtimes wrote none; warn in a log of exarchos, fishbowl or coordinator for a field that readers there do without or fill in, and info for the session of events that an older coordinator wrote.',
    meaning: 'An event lacks a field that every event needs, or holds it empty.',
    why: 'Without a phase or a payload nobody can say what the event records, and an event without an id can be neither cited nor named as a cause. A runtime event without its event_type does not say what happened to the run.',
    example:
      '{"id":"3524d42a","episode_id":"ep_legacy","evidence_ids":[],"payload":{"outcome":"ok"},"timestamp":"2026-03-02T13:00:00Z"}',
    fix: 'If the finding is an error, ask the owner of the program that wrote the event: the runtime refuses to write it. If it is a warning or a note on an old episode, the runtime of that time wrote it so, and `--rule event/missing-field=off` accepts it.',
  },
  {
    code: 'event/wrong-type',
    severity: 'error',
    varies:
      'warn in a log of exarchos, fishbowl or coordinator for a value that readers there take all the same.',
    meaning: 'A field of the envelope has the wrong JSON type.',
    why: 'Filters, lineage and projection compare these fields as text. A number where an id belongs never matches, and the event drops out of every answer without a message.',
    example:
      '{"id":7,"episode_id":"ep_legacy","evidence_ids":"event:plan:1","phase":"act","payload":{},"timestamp":"2026-03-02T13:00:00Z"}',
    fix: 'The finding names the field, the type it found and the one it expected. Mend the program that wrote the event: ids are strings, evidence_ids is an array of strings, payload is an object.',
  },
  {
    code: 'event/unknown-phase',
    severity: 'info',
    meaning: 'The phase is none of the 17 that the format knows.',
    why: 'Extensions may add phases, and readers treat them as doing nothing. If it is a misspelling, the event is left out of plan, actions and counts without an error.',
    example: '{"id":"act-0001","phase":"action","payload":{"outcome":"ok"}}',
    fix: 'Compare with the known phases: start, observe, intuition, interpret, plan, direction, action_candidate, governance, act, reflect, learn, runtime, terminate, insight, memory, reason, error. If the extension is yours, silence it with `--rule event/unknown-phase=off`.',
  },
  {
    code: 'event/payload',
    severity: 'error',
    varies:
      'warn in a log of exarchos, fishbowl or coordinator: their writers do not hold every payload against its schema.',
    meaning:
      'The payload lacks a field that its phase requires, or holds it in the wrong type, in the documented form and in the emitted one alike.',
    why: 'The event takes part in the history, but what it did cannot be taken from it: an act without an outcome does not say whether the action succeeded.',
    example: '{"id":"act-0001","phase":"act","payload":{"input_excerpt":"restart billing","tool":"shell"}}',
    fix: 'Look at the whole event: `noesis events <episode> --phase act -j` (with the phase of the finding). If an adapter of your own wrote it, mend the adapter; the event itself cannot be completed later.',
  },
  {
    code: 'event/vocabulary',
    severity: 'warn',
    meaning: 'A field holds a word that is not in its list, or a step label that begins with no such word.',
    why: 'Readers treat an unknown word as no word: a step kind they do not know becomes `plan`, an unknown step status becomes `pending`, and a decision other than allow, audit or veto blocks nothing.',
    example:
      '{"id":"gov-0001","phase":"governance","payload":{"decision":"deny","governance_id":"gov-1","policy_id":"p"}}',
    fix: 'The finding lists the words that are allowed; case counts. Correct the program that writes the word, or update noesis if a newer runtime has added it.',
  },
  {
    code: 'event/duplicate-id',
    severity: 'error',
    varies: 'info in a fishbowl ledger where both events are the same: its store keeps the first.',
    meaning: 'Two events of one log have the same id.',
    why: 'A cause or a citation that names this id means the first event to every reader, even where the second was meant. Lineage that looks whole can then be wrong.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"outcome":"ok"}}\n{"id":"act-0001","phase":"act","payload":{"outcome":"error"}}',
    fix: 'Compare the two lines. If they are equal, a retry or a copy appended the event twice. If they differ, the writer mints ids from a counter that was reset, for example after a restart: have it use UUIDs.',
  },
  {
    code: 'event/timestamp',
    severity: 'error',
    varies:
      'warn in an exarchos log and info in a fishbowl ledger for a time that can be read, though it is not in the form that is written there.',
    meaning: 'A time is not ISO 8601.',
    why: 'The event has no place in time: `--since` and `--until` leave it out, durations cannot be computed, and it cannot be matched with logs of other systems.',
    example: '{"id":"act-0001","phase":"act","timestamp":"02/03/2026 13:00","payload":{"outcome":"ok"}}',
    fix: 'Have the writer store times with an offset, such as `2026-03-02T13:00:00.230857+00:00`; in Python, `datetime.now(timezone.utc).isoformat()`. The order of the lines still tells the order of the events.',
  },
  {
    code: 'event/time-order',
    severity: 'warn',
    varies:
      'info for an event whose payload is marked synthetic: the runtime stamps its roll-up with an earlier time; info in a fishbowl ledger, where clocks may differ and the order of the file counts.',
    meaning: 'An event is stamped earlier than the record before it.',
    why: 'The log was put together from two clocks, or its lines are not in the order in which they were written. Sorting by time then tells another story than reading the file.',
    example:
      '{"id":"act-0001","phase":"act","timestamp":"2026-03-02T13:00:04Z","payload":{}}\n{"id":"act-0002","phase":"act","timestamp":"2026-03-02T13:00:01Z","payload":{}}',
    fix: 'Trust the order of the file. A jump of seconds is a clock that was set back; a jump of hours is a time zone or a simulated clock. If one block of lines is out of order, compare with a backup: lines may have been moved.',
  },
  {
    code: 'event/time',
    severity: 'warn',
    meaning: 'An act is stamped with another time than its own completion.',
    why: 'The state repeats the time of the act as the time of the action. When the two times of one event differ, nobody can say which of them the state must have.',
    example:
      '{"id":"act-0001","phase":"act","timestamp":"2026-03-02T13:00:09Z","metrics":{"started_at":"2026-03-02T13:00:00Z","completed_at":"2026-03-02T13:00:02Z","duration_ms":2000},"payload":{"input_excerpt":"ls","outcome":"ok","tool":"shell"}}',
    fix: 'Runtimes of today set the timestamp to metrics.completed_at when they write the event; older ones set it to the start. If the episode is new, ask who else wrote or changed the event.',
  },
  {
    code: 'event/metrics',
    severity: 'warn',
    meaning:
      "An event's own timing contradicts itself: completed before it started, or a duration_ms that is not the time in between.",
    why: 'Latencies computed from duration_ms and from the two times differ, so at least one chart built on this trace is wrong.',
    example:
      '"metrics":{"started_at":"2026-03-02T13:00:00Z","completed_at":"2026-03-02T13:00:02Z","duration_ms":0.9}',
    fix: 'Check the units first: duration_ms is in milliseconds, and seconds in its place are the usual mistake. A difference of more than 50 ms and 1 % is reported: smaller ones come from a writer that takes the duration from a monotonic clock and the times from the wall clock.',
  },
  {
    code: 'event/range',
    severity: 'warn',
    meaning:
      'A number is outside its documented range, such as a governance score or an intuition confidence that is not between 0 and 1.',
    why: 'Thresholds are set on that scale. A confidence of 85 passes every threshold, and an action that should have been held back goes through.',
    example: '{"id":"int-0001","phase":"intuition","payload":{"kind":"hint","confidence":85}}',
    fix: 'Ask the owner of the policy in payload.policy_id whether it answers in percent, and look at every decision in this episode that was taken with the number: `noesis events <episode> --descendants <id>`.',
  },
  {
    code: 'event/field-type',
    severity: 'warn',
    meaning:
      'A documented field of the payload has another type than both the documents and the runtime give it.',
    why: 'The event can be read, but the field cannot be used: readers drop it, and what it was meant to say is missing from state and reports.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"input_excerpt":"ls","outcome":"ok","tool":"shell","step_id":1}}',
    fix: 'The finding names the field and the type it expected. A number instead of a string in step_id or action_id is the usual case: the act then counts for no step of the plan.',
  },
] as const satisfies readonly CatalogueEntry[];
