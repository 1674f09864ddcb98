import type { CatalogueEntry } from '../catalogue-entry.ts';

/** One event: its fields, its type, its payload, its times. */
export const EVENT = [
  {
    code: 'event/missing-field',
    severity: 'error',
    varies:
      'info in a noesis log for timestamp, episode_id and evidence_ids, which the documents leave out; warn in a noesis log for id in insight and memory events, where older runtimes wrote none; warn in a log of exarchos, fishbowl or coordinator for a field that their readers do not need, or fill in; info for the session of events that an older coordinator wrote; warn in the sessions of coding agents for an id, a time or a parent; info in these sessions for a field that the program may leave out.',
    meaning: 'A field that every event needs is missing or empty.',
    why: 'Without a phase or a payload nobody can say what the event records, and an event without an id can be neither cited nor named as a cause. A runtime event without its event_type does not say what happened to the run.',
    example:
      '{"id":"3524d42a","episode_id":"ep_legacy","evidence_ids":[],"payload":{"outcome":"ok"},"timestamp":"2026-03-02T13:00:00Z"}',
    fix: 'If the finding is an error, ask the owner of the program that wrote the event: the runtime refuses to write it. If it is a warning or a note on an old episode, the runtime of that time wrote it like this, and `--rule event/missing-field=off` accepts it.',
  },
  {
    code: 'event/wrong-type',
    severity: 'error',
    varies:
      'warn in a log of exarchos, fishbowl or coordinator for a value that their readers accept; info in the sessions of coding agents, whose programs may change the type of a field; error in a trajectory (atif).',
    meaning: 'A field that every event has, such as its id or its time, has the wrong JSON type.',
    why: 'Filters, lineage and projection compare these fields as text. A number where an id belongs never matches, and the event drops out of every answer without a message.',
    example:
      '{"id":7,"episode_id":"ep_legacy","evidence_ids":"event:plan:1","phase":"act","payload":{},"timestamp":"2026-03-02T13:00:00Z"}',
    fix: 'The finding names the field, its type and the expected type. Correct the program that wrote the event: ids are strings, evidence_ids is an array of strings, payload is an object.',
  },
  {
    code: 'event/payload',
    severity: 'error',
    varies:
      'warn in a log of exarchos, fishbowl or coordinator: their writers do not check every payload against its schema; info in a noesis log for fields that only the documents require: the reason of a reflect event, `applied` and a list in `basis` of a learn event, and the status of a run event; info in a log whose records have no ids, for the id and the duration at its end.',
    meaning:
      'A field that both the documents and the runtime require in this phase is missing, or has the wrong type.',
    why: 'The event takes part in the history, but does not show what was done: an act without an outcome does not say whether the action succeeded.',
    example: '{"id":"act-0001","phase":"act","payload":{"input_excerpt":"restart billing","tool":"shell"}}',
    fix: 'Look at the whole event: `noesis events <episode> --phase act -j` (with the phase of the finding). If your own adapter wrote it, correct the adapter; the event itself cannot be completed later.',
  },
  {
    code: 'event/vocabulary',
    severity: 'warn',
    meaning:
      'A field has a word that is not allowed there, or a step label does not begin with an allowed word.',
    why: 'Readers ignore unknown words: an unknown step kind becomes `plan`, an unknown step status becomes `pending`, and a decision other than allow, audit or veto blocks nothing.',
    example:
      '{"id":"gov-0001","phase":"governance","payload":{"decision":"deny","governance_id":"gov-1","policy_id":"p"}}',
    fix: 'The finding lists the words that are allowed; case counts. Correct the program that writes the word, or update noesis if a newer runtime has added it.',
  },
  {
    code: 'event/duplicate-id',
    severity: 'error',
    varies:
      'info in a fishbowl ledger if both events are equal, because its store keeps the first; warn in the session of an agent if both records are equal.',
    meaning: 'Two events of one log have the same id.',
    why: 'Readers resolve this id to the first event, even if a cause or a citation means the second. So lineage can be wrong although it looks complete.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"outcome":"ok"}}\n{"id":"act-0001","phase":"act","payload":{"outcome":"error"}}',
    fix: 'Compare the two lines: `noesis show <episode> LINE` prints an event. If they are equal, a retry or a copy appended the event twice. If they differ, the writer takes ids from a counter that was reset, for example after a restart: have it use UUIDs.',
  },
  {
    code: 'event/repeated-record',
    severity: 'warn',
    meaning: 'A record without an id is in the log again, byte for byte.',
    why: 'A retry or a copy appended it twice. In the session of an agent only records with a time are compared, because no program writes the same record twice at one time; the session counts such a record once. In other logs it is compared with the one before it, and counts twice.',
    example: 'Lines 12 and 13 are equal.',
    fix: 'Compare the log with another copy of it. If such records are usual in this format, turn the finding off: `--rule event/repeated-record=off`.',
  },
  {
    code: 'event/timestamp',
    severity: 'error',
    varies:
      'warn in an exarchos log for a time that can be read but is not in the usual form; info in a fishbowl ledger for such a time.',
    meaning: 'A time is not in ISO 8601.',
    why: 'The event has no place in time: `--since` and `--until` leave it out, durations cannot be computed, and it cannot be matched with logs of other systems.',
    example: '{"id":"act-0001","phase":"act","timestamp":"02/03/2026 13:00","payload":{"outcome":"ok"}}',
    fix: 'Have the writer store times with an offset, such as `2026-03-02T13:00:00.230857+00:00`; in Python, `datetime.now(timezone.utc).isoformat()`. The order of the lines still shows the order of the events.',
  },
  {
    code: 'event/time-order',
    severity: 'warn',
    varies:
      'info for an event that sums up others (`synthetic` in its payload), because the runtime gives it an earlier time; info in a fishbowl ledger, where clocks may differ and the order of the file counts, and in an atif, codex, gemini, pi or qwen log.',
    meaning: 'The time of an event is before that of the previous record.',
    why: 'Two clocks wrote the times of the log, or its lines are not in the order in which they were written. Sorting by time gives another order than that of the file.',
    example:
      '{"id":"act-0001","phase":"act","timestamp":"2026-03-02T13:00:04Z","payload":{}}\n{"id":"act-0002","phase":"act","timestamp":"2026-03-02T13:00:01Z","payload":{}}',
    fix: 'Trust the order of the file. A jump of seconds is a clock that was set back; a jump of hours is a time zone or a simulated clock. If one block of lines is out of order, compare with a backup: lines may have been moved.',
  },
  {
    code: 'event/range',
    severity: 'warn',
    meaning:
      'A number is outside its documented range, such as a governance score or an intuition confidence that is not between 0 and 1; or a text is longer than documented.',
    why: 'Thresholds are set on that scale. A confidence of 85 passes every threshold, and an action that should have been held back goes through.',
    example: '{"id":"int-0001","phase":"intuition","payload":{"kind":"hint","confidence":85}}',
    fix: 'Ask the owner of the policy in payload.policy_id whether it answers in percent, and look at every decision in this episode that was taken with the number: `noesis events <episode> --descendants <id>`.',
  },
  {
    code: 'event/field-type',
    severity: 'warn',
    varies: 'info in a coordinator log for null, which says nothing in most details.',
    meaning: 'A documented payload field has a type that neither the documents nor the runtime use.',
    why: 'The event can be read, but the field cannot be used: readers drop it, so it is missing from state and reports.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"input_excerpt":"ls","outcome":"ok","tool":"shell","step_id":1}}',
    fix: 'The finding names the field and the type it expected. A number instead of a string in step_id or action_id is the usual case: the act then belongs to no step of the plan.',
  },
  {
    code: 'event/unknown-type',
    severity: 'info',
    varies: 'warn in a coordinator log for a type that none of its documents emits.',
    meaning: 'The type of an event is not one of those the dialect defines.',
    why: 'It may be an extension, or a misspelt name that no projection will ever count.',
    example: '"type":"task.compleeted"',
    fix: 'Compare the name with the list that `noesis schema types` prints. Types of your own are registered in `noesis.toml`: `custom_types` in the table `exarchos`.',
  },
  {
    code: 'event/type-changed',
    severity: 'warn',
    meaning: 'A record that replaces a message differs from it in type or time.',
    why: 'The program writes a message again when it learns more, and keeps its type and time. Another message was given this id, or the record was changed.',
    example: 'On line 5 the message is of the type `gemini`, and on line 7 of the type `user`.',
    fix: 'Compare the two records with a copy of the log: `noesis show <log> LINE` prints a record.',
  },
  {
    code: 'event/upsert-lost',
    severity: 'warn',
    meaning: 'A record that replaces a message lacks calls or tokens that the message had.',
    why: 'The program only adds to a message. The later record counts, so the calls and tokens are missing from the session.',
    example: 'On line 7 the message has a call, and on line 9 it has none.',
    fix: 'Look at both records: `noesis show <log> LINE` prints a record. The earlier one has what was lost.',
  },
  {
    code: 'event/type-format',
    severity: 'error',
    meaning: 'The type of an event does not have the form that the dialect defines.',
    why: 'The writers of this dialect refuse such a name, so the record was written by something else or changed later.',
    example: '"kind":"Agent_Spoke"; a kind is lower-case words joined by dots.',
    fix: 'Find out which program wrote the record: `noesis show <log> LINE` prints it.',
  },
  {
    code: 'event/schema-version',
    severity: 'warn',
    varies: 'info in a trajectory (atif), whose versions only add to each other.',
    meaning: 'The version of an event is not known.',
    why: 'It is read as if it had the known version. A newer writer may have given its fields another meaning.',
    example: '"schema_version":2; only version 1 exists.',
    fix: 'Look for a newer noesis, or for the notes of the program that wrote the event. A table `[[upcast]]` in noesis.toml makes it readable (docs/dialects.md).',
  },
  {
    code: 'event/unknown-key',
    severity: 'error',
    varies: 'info in a trajectory (atif), where other programs add fields.',
    meaning: 'An event has a field that its format does not know.',
    why: 'Strict readers refuse such an event, and with it the whole store. No program reads the field.',
    example: '"created_at":"2026-06-01T00:00:00Z","schema_version":1,"offset":17',
    fix: 'Find out what exported the log. In a ledger (fishbowl), the row number of a database, `offset`, is the usual case: it orders the rows and does not belong to the event.',
  },
  {
    code: 'event/agent-only',
    severity: 'error',
    meaning: 'A step of the user or the system has a field that only steps of the agent have.',
    why: 'Readers refuse such a trajectory, and metrics count what no model used.',
    example: 'Step 1 has the source `user`, and `metrics`.',
    fix: 'Correct the program that wrote the trajectory: the source is wrong, or the field is.',
  },
  {
    code: 'event/llm-count',
    severity: 'warn',
    meaning: 'A step says that it asked no model, but has data that only a model returns.',
    why: 'Its tokens or its reasoning are counted, or the number of requests is wrong.',
    example: '"llm_call_count":0 in a step with `metrics`.',
    fix: 'Correct the program that wrote the trajectory.',
  },
] as const satisfies readonly CatalogueEntry[];
