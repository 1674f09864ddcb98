import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Contradictions between artifacts of one episode. */
export const CONSISTENCY = [
  {
    code: 'consistency/episode-id',
    severity: 'error',
    meaning:
      'The events, the other files and the name of the folder do not all name the same episode (a folder counts if its name is an id).',
    why: 'A file of another episode is here, or the folder was renamed. What you read may have happened in another run.',
    example:
      'The folder is ep_01KJPWD6M0GKJVH2GKEFTDNN55; summary.json says "episode_id":"ep_01KJPZV2802JY40PMHQ0XAGQMH".',
    fix: 'The finding shows both ids with their places. If one file differs from the rest, take that file from the right episode or a backup. If only the name of the folder differs, restore its name.',
  },
  {
    code: 'consistency/task',
    severity: 'error',
    meaning: 'The start event, the observations, state and summary do not name the same task.',
    why: 'Approvals and audits refer to a task. If the artifacts disagree, nobody can show which task the actions were for.',
    example:
      'start says "Rotate the staging certificates"; goal.task in state.json says "Rotate the production certificates".',
    fix: 'The start event is the first record and the hardest to change: take its task as the right one. Check the hash of the other file in manifest.json. Fields that were cut or translated on the way come from your own adapter.',
  },
  {
    code: 'consistency/seed',
    severity: 'error',
    meaning: 'The start event, state and summary have different seeds.',
    why: 'A replay with the wrong seed gives another result, and the agent is blamed for the difference.',
    example: '"seed":15 in the start event, "seed":0 in summary.json.',
    fix: 'Use the seed of the start event for a replay. A 0 on one side is usually a default that replaced the real value: look for code that writes that artifact without the seed.',
  },
  {
    code: 'consistency/tags',
    severity: 'error',
    meaning: 'The observations, state and summary have different tags.',
    why: 'Reports group and filter by tags, so this run is counted under one team or environment in one report and under another in the next.',
    example: '"tags":{"env":"prod"} in the observe event, "tags":{"env":"staging"} in state.json.',
    fix: 'Compare `noesis events <episode> --phase observe -j` with `noesis state <episode> episode.tags`. Tags that a script adds after the run belong outside the episode.',
  },
  {
    code: 'consistency/using',
    severity: 'error',
    meaning: 'The start event, state and summary name different adapters.',
    why: 'The adapter is the code that acted. If it is not certain which one it was, neither its permissions nor its bugs can be traced.',
    example: '"using":"core.minimal" in the start event, "using":"adapter:langgraph" in state.json.',
    fix: 'A leading `adapter:` is ignored, so this is a real difference. Look at `agent_id` and `tool` of the acts: `noesis events <episode> --phase act -j`. An adapter that was switched between a pause and its resume shows here too.',
  },
  {
    code: 'consistency/started-at',
    severity: 'warn',
    meaning:
      'State and summary do not give the same start time, or in newer episodes not that of the start event.',
    why: 'Lists are sorted and durations are counted from this time, so the run appears in two places, or with two lengths.',
    example:
      'started_at is 2026-03-02T13:00:00.009513+00:00 in state.json and 2026-03-02T13:00:05+00:00 in summary.json.',
    fix: 'Older runtimes wrote times that differ by some milliseconds. If they differ by minutes or hours, the run was resumed or its summary was rebuilt: use the time of the start event.',
  },
  {
    code: 'consistency/status',
    severity: 'error',
    varies:
      'warn if outcomes.summary of the state is not the message of the terminate event, or if a run that succeeded has an error; info for the contradiction that the runtime writes in every run whose tool failed: terminate says error, summary.json success_unverified, final.json success and unverified.',
    meaning: 'The terminate event, state, summary and final.json do not report the same outcome.',
    why: 'One part of the episode says that the run succeeded and another that it did not, so a gate that reads only one of them decides by chance.',
    example: '"status":"vetoed" in the terminate event, "outcome":"success" in final.json.',
    fix: 'Words of the same meaning count as equal: completed and success as ok, failed and errored as error, cancelled as aborted. `noesis events <episode> --last 5` shows how the run really ended. Treat it as failed until the difference is explained.',
  },
  {
    code: 'consistency/finalized-at',
    severity: 'warn',
    meaning: 'According to final.json, the episode was closed before its last event happened.',
    why: 'The runtime writes final.json last. A time before the last event was changed, or belongs to another run, so sorting or expiring episodes by it gives wrong results.',
    example:
      '"finalized_at":"2026-03-02T09:00:00Z" in final.json; the last event has the time 2026-03-02T14:30:00Z.',
    fix: 'Compare with `noesis events <episode> --last 1`, and the hash of final.json with the manifest. If the hash matches, either the clock of the machine was set back during the run, or the file was replaced before the seal.',
  },
  {
    code: 'consistency/mode',
    severity: 'warn',
    meaning:
      'The episode names different modes for one run: of intuition in state.json and summary.json, or of governance in its first decision and summary.json.',
    why: 'The mode decides whether advice or a veto may stop a run. A report that shows another mode misleads anyone who asks why the run was stopped, or was not.',
    example:
      '"intuition_mode":"hybrid" in state.json, "flags":{"intuition":true,"mode":"advisory"} in summary.json.',
    fix: 'Both come from one setting of the run: compare with its configuration, and the hashes of both files with the manifest. The one that does not match was changed.',
  },
  {
    code: 'consistency/metrics',
    severity: 'warn',
    meaning: 'A number in summary.json, such as the count of acts or vetoes, differs from the events.',
    why: 'Dashboards are fed from the summary. They show more or fewer actions than were taken.',
    example: '"act_count":5 in summary.json; the log has 6 act events, without the one that sums them up.',
    fix: 'Count for yourself: `noesis events <episode> --phase act -j | wc -l`, without those whose payload has "synthetic":true, which sum up other acts. A summary with too few was written before the last events.',
  },
  {
    code: 'consistency/learn',
    severity: 'warn',
    meaning: 'The learn events contradict learn.jsonl.',
    why: 'A proposal that is announced but not stored cannot be reviewed. One that is stored but not announced may be applied unnoticed.',
    example:
      '"learn_path":"learn.jsonl","proposal_ids":["planner:ep_legacy"] in a learn event; learn.jsonl is empty.',
    fix: 'Compare `noesis events <episode> --phase learn -j` with learn.jsonl. A missing file in an old episode is common. In a new one, look for a failed write, or a clean-up that took learn.jsonl for a temporary file because it was empty.',
  },
  {
    code: 'consistency/process',
    severity: 'error',
    meaning: 'Two artifacts name different processes, or different run numbers, for one episode.',
    why: 'Runs are grouped by process. An episode that belongs to two of them is counted for the wrong one, or has files of two runs.',
    example: '"process_id":"a1b2c3d4e5f6" in final.json; "process":{"id":"0f1e2d3c4b5a"} in summary.json.',
    fix: 'Compare final.json, summary.json and the process block of state.json with the record of the process next to the episodes. Files that were copied in from another run are the usual cause.',
  },
  {
    code: 'consistency/action',
    severity: 'error',
    varies: 'warn for an act that succeeded and has an error.',
    meaning:
      'An act reports two results: `outcome` and `result_status` differ, or it succeeded and has an error.',
    why: 'The state uses result_status, other readers use outcome. The same action counts as done in one place and as failed in the other.',
    example:
      '{"id":"act-0001","phase":"act","payload":{"input_excerpt":"deploy","tool":"ci","outcome":"ok","result_status":"error"}}',
    fix: 'Check what really happened in the system that was acted on. Then ask the owner of the adapter: outcome must repeat result_status, and free text belongs in another field.',
  },
] as const satisfies readonly CatalogueEntry[];
