import type { CatalogueEntry } from '../catalogue-entry.ts';

/** The lifecycle of a run, and the checkpoints in it. */
export const ORDER = [
  {
    code: 'order/start-not-first',
    severity: 'warn',
    meaning: 'The log does not begin with a start event.',
    why: 'Task, seed and adapter are recorded by the start event. Without it, or with events before it, what the run was asked to do is not proven by its own log.',
    example: 'On line 1:\n{"id":"plan-0001","phase":"plan","payload":{"steps":["act:deploy"]}}',
    fix: 'Look at the first lines with `noesis events <episode> --limit 3`. If `caused_by` of the first event names a missing id, the head of the log was cut off: restore it. Some demo and test logs never had a start event.',
  },
  {
    code: 'order/start-repeated',
    severity: 'error',
    varies:
      'warn in an exarchos log and in a fishbowl ledger, where the later one counts, and in a pi log, where the first one does; info in a gemini log, where a session was resumed, and in an atif log.',
    meaning: 'The run starts more than once.',
    why: 'A run has one task and one seed. A second start means a log of two runs, or two writers, and nobody can say to which run an act belongs.',
    example:
      '{"id":"s-1","phase":"start","payload":{"task":"deploy","seed":1}}\n{"id":"s-2","phase":"start","payload":{"task":"delete","seed":2}}',
    fix: 'Compare task, seed and time of the two: `noesis events <episode> --phase start -j`. A run that continues after a pause writes run.resume, not start. Two equal events are a retry; otherwise look for two processes with the same id.',
  },
  {
    code: 'order/terminate-missing',
    severity: 'info',
    varies: 'warn if the episode is sealed: the run has ended, and its log should say how.',
    meaning: 'The log has no terminate event.',
    why: 'The run is still going, is paused, or died. An action that is missing from the log may still have been taken.',
    example: 'The last event is an act; no terminate follows it, and the process that wrote it is gone.',
    fix: '`noesis events <episode> --last 3` shows where it stopped. A run.checkpoint as one of the last events means a paused run. Otherwise look for the process of the run, and for a crash at the time of the last event.',
  },
  {
    code: 'order/terminate-repeated',
    severity: 'error',
    varies: 'warn in a fishbowl ledger, where the last one counts.',
    meaning: 'The run ends more than once.',
    why: 'A run has one outcome. Two terminate events mean two writers, a log of two runs, or an outcome that somebody changed by adding a better one.',
    example:
      '{"id":"t-1","phase":"terminate","payload":{"status":"error"}}\n{"id":"t-2","phase":"terminate","payload":{"status":"ok"}}',
    fix: 'Compare status, message and time of the events: `noesis events <episode> --phase terminate -j`. The first one is what the run said when it ended. Look for two processes with the same episode id.',
  },
  {
    code: 'order/after-terminate',
    severity: 'error',
    varies: 'warn in a fishbowl ledger and in a coordinator log: their writers do not forbid it.',
    meaning:
      'An event of a known phase other than insight, memory, learn or runtime follows the terminate event.',
    why: 'The run continued after it had reported its end, so its outcome, its counts and its state do not cover everything it did.',
    example:
      '{"id":"t-1","phase":"terminate","payload":{"status":"ok"}}\n{"id":"act-0009","phase":"act","payload":{"outcome":"ok"}}',
    fix: 'Look at what happened late: `noesis events <episode> --last 10`. An act here is real work outside the recorded outcome; find the thread or process that was still running, and have the agent wait for it before it terminates.',
  },
  {
    code: 'order/lifecycle',
    severity: 'warn',
    varies: 'info for a run that interrupted itself, without a veto, and continued without a resume.',
    meaning:
      'The run makes a transition that its lifecycle does not allow, such as resuming without having been paused.',
    why: 'Pausing and resuming is how people approve risky actions. A step out of order can mean that an approval was skipped, or that events of it are missing.',
    example:
      '{"id":"t-1","phase":"terminate","payload":{"status":"vetoed"}}\n{"id":"r-1","phase":"runtime","event_type":"run.resume","payload":{"kind":"run.resume","status":"resuming"}}',
    fix: "List the run's own events with `noesis events <episode> --type 'run.*'`: running, interrupted, paused, resuming and running again is the full course. After success, failed, vetoed, cancelled or error nothing may follow.",
  },
  {
    code: 'checkpoint/mismatch',
    severity: 'warn',
    meaning: 'A checkpoint does not fit the log or the state that it was taken from, or does not exist.',
    why: 'A resume from this checkpoint is refused, or continues from a history other than the one that was approved.',
    example:
      'checkpoint.json says "event_offset":16, "last_event_id":"1ede49e1"; record 16 of the log has the id 76587aa3.',
    fix: 'The finding says which of event_offset, last_event_id, state_hash and artifact_manifest_hash differs. A hash that differs while log and offset fit often means that state.json was written once more after the checkpoint; a wrong last_event_id means that the log was changed before it. A checkpoint that is missing was left out of a copy or removed: the run cannot continue from it.',
  },
] as const satisfies readonly CatalogueEntry[];
