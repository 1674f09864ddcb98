import type { CatalogueEntry } from '../catalogue-entry.ts';

/** A stored state by itself, and compared with the log. */
export const STATE = [
  {
    code: 'state/invalid-json',
    severity: 'error',
    hard: true,
    meaning: 'state.json is not JSON, or not an object.',
    why: 'It cannot be trusted, and a paused run cannot be resumed from it. The runtime replaces the file in one step, so half a file did not come from a crash of the runtime.',
    example: '{"beliefs":[],"episode":{"id":"ep_01KJPWD6M0GKJVH2GKEFTDNN55","seed":15,',
    fix: 'Restore it from a backup, and compare its sha256 with manifest.json if the episode is sealed. An empty or truncated file points at an interrupted copy or a full disk.',
  },
  {
    code: 'state/schema',
    severity: 'error',
    varies:
      'warn for keys that are not in the schema; info for optional fields that the runtime always writes.',
    meaning: 'state.json lacks a required field, or a field has the wrong type.',
    why: 'Readers of the field get a wrong value or none, and act on it. A confidence stored as text, for example, passes or fails a threshold by accident.',
    example:
      '"beliefs":[{"statement":"the disk is full","confidence":"high","provenance":{"source":"observe"}}]',
    fix: 'Print the part with `noesis state <episode> <path>`, using the path of the finding. If an extension of yours adds fields, let their keys begin with `x-`. `noesis schema state` prints the whole schema.',
  },
  {
    code: 'projection/not-derivable',
    severity: 'info',
    meaning: 'The log has no evidence for the listed parts of the state.',
    why: 'For these parts there is only state.json: nothing contradicts it, and nothing confirms it. The published runtime writes no run.state_projection. An older one also wrote no step_records, step_status or action_id: it set the statuses of steps and the time of the plan only in the state. If the run is not finished, the evidence may still come.',
    example:
      'Not derivable: outcomes, links, started_at. The log has plan and act events, and no run.state_projection.',
    fix: 'Nothing is wrong. If these parts must be confirmed, use `--rule projection/not-derivable=warn`, and a runtime that writes run.state_projection.',
  },
  {
    code: 'projection/state',
    severity: 'warn',
    meaning: 'A part of the stored workflow state contradicts the events of the log.',
    why: 'The program changes its state file directly and logs the change as well, so one of the two is incomplete. Readers of the log and readers of the file see different workflows.',
    example:
      'phase is "completed" in my-feature.state.json; the last event that sets a phase is a transition to delegate.',
    fix: '`noesis project <log> --diff` shows each difference with the event behind it. A change to the file that no event mentions came from outside; an event that the file does not show is often an append that was retried after a crash.',
  },
] as const satisfies readonly CatalogueEntry[];
