import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings that compare the log with state.json. */
export const PROJECTION = [
  {
    code: 'projection/plan',
    severity: 'error',
    meaning: 'The plan in state.json contradicts the plan and act events.',
    why: 'One of the two is wrong about which steps were planned or done. People look at the state; the log was recorded as things happened.',
    example:
      'plan.steps[1].status is "done" in state.json; but no act event after the last plan names step-2.',
    fix: '`noesis project <episode> --diff` shows each field with both values and the event behind the rebuilt one. If the log is intact and its hash fits the manifest, state.json was changed or written too early. The steps come from step_records of the last plan event, else from its labels, and plan.source from its source, else its agent_id. An act changes a status only if it has both step_id and step_status; --diff names an act that has the step_id alone.',
  },
  {
    code: 'projection/outcomes',
    severity: 'error',
    meaning: "The outcome in state.json differs from the log's last run.state_projection event.",
    why: 'The run recorded one status, summary or set of metrics in its log and another in its state. A gate that reads state.json may pass a run that failed.',
    example: 'outcomes.status is "ok" in state.json and "error" in the run.state_projection on line 21.',
    fix: '`noesis project <episode> --diff` names the line, and `noesis events <episode> --type run.state_projection -j` prints all of them. Check the hash of state.json in manifest.json. If it fits, the runtime itself wrote two outcomes: report that as a bug.',
  },
  {
    code: 'projection/links',
    severity: 'error',
    meaning: "The links in state.json differ from those in the log's last run.state_projection event.",
    why: 'The links of the state and of the log differ, so somebody who follows the state may read a summary or a manifest of another run.',
    example: 'links.summary is "summary-v2.json" in state.json and "summary.json" in the log.',
    fix: 'Run `noesis project <episode> --diff`, then open the file that each side names. Links are plain names of files in the same folder; a script that renames artifacts, or a state.json taken from another episode, is the usual cause.',
  },
  {
    code: 'projection/actions',
    severity: 'error',
    meaning: 'The actions in state.json are not those of the act events.',
    why: 'An action is missing from the state, exists only there, or has another result than in the log. Reviews that read only state.json then miss what was really done.',
    example:
      'outcomes.actions has act-1 and act-2; the log has act events with the action_id act-1, act-2 and act-3.',
    fix: '`noesis project <episode> --diff` lists the differences, matched by action_id. Actions must be in the order of their acts. Synthetic acts and acts without an action_id are not counted. If state.json lacks the last acts, the final write failed: check the disk and how the run ended.',
  },
  {
    code: 'projection/started-at',
    severity: 'error',
    meaning: 'The start time in state.json, episode.started_at, differs from the time of the start event.',
    why: 'The start time must survive pausing and resuming. If it moves, durations are wrong, and the run is sorted and expired by the wrong time.',
    example: 'started_at is 2026-03-02T14:30:00Z in state.json; the start event says 2026-03-02T12:00:00Z.',
    fix: 'If the two are hours apart in a resumed run, the resume has reset started_at: report it to the owner of the runtime. The time of the start event is the one to use.',
  },
  {
    code: 'projection/status',
    severity: 'warn',
    meaning:
      'A run.state_projection event contradicts itself: payload.status is not outcomes.status, payload.kind is not run.state_projection, or outcomes has the status of a success and an error.',
    why: 'Some readers take the status of the run from payload.status and others from outcomes.status, and here they disagree.',
    example:
      '{"id":"sp-1","phase":"runtime","event_type":"run.state_projection","payload":{"kind":"run.state_projection","status":"paused","outcomes":{"status":"ok","summary":null,"metrics":{}},"links":{}}}',
    fix: 'The projection uses outcomes.status. Compare it with the terminate event, if there is one, and report the event to the owner of the program that wrote it: both fields come from one value in the runtime.',
  },
] as const satisfies readonly CatalogueEntry[];
