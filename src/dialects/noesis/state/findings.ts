import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** state.json on its own. */
export const STATE = [
  {
    code: 'state/missing',
    severity: 'warn',
    meaning: 'The episode has no state.json.',
    why: 'The runtime writes it as soon as a run starts, so the file was lost or not copied. The log can no longer be compared with it.',
    example: 'ep_01KJPWD6M0GKJVH2GKEFTDNN55/\n  events.jsonl\n  summary.json',
    fix: 'Copy the episode again, whole, from where it was written. `noesis project <episode>` prints the plan, the outcome and the actions that the log implies; that does not replace the file, because beliefs and memory are only in state.json.',
  },
  {
    code: 'state/vocabulary',
    severity: 'error',
    varies:
      'warn for interrupted and paused, which only events say of a run; warn for a version that no program wrote; warn for the result of an action and the type of a fact, which only the schema of the runtime limits.',
    meaning: 'A status, a step kind or a mode in state.json is not one of the allowed words.',
    why: 'A dashboard or a gate that looks for `error` or `vetoed` does not recognise `blocked`, and lets the run pass.',
    example: '"plan":{"steps":[{"id":"step-1","kind":"act","description":"deploy","status":"blocked"}]}',
    fix: 'The finding lists the words that are allowed. `noesis events <episode> --phase act` shows what the steps did. Correct the program that wrote the word; old test data of the runtime has `blocked` too.',
  },
  {
    code: 'state/links',
    severity: 'warn',
    meaning:
      'The links of state.json do not fit the episode: a link is missing, is not the plain file name, or does not fit the stage of the run.',
    why: 'Tools follow the links to find the log, the summary and the manifest. A wrong link hides a file that exists, or points to one that does not.',
    example: '"links":{"events":"events.jsonl","summary":"../ep_other/summary.json"}',
    fix: 'The runtime sets the links when the run ends: events, learn, summary and manifest, each by its plain file name; a paused run has the first two. Compare with the files that are there; if the episode was moved or renamed by a script, have the script copy it unchanged.',
  },
] as const satisfies readonly CatalogueEntry[];
