/** The files of an episode that the runtime writes (noesis.md §1.3). */
export const LOG_FILE = 'events.jsonl';
export const STATE_FILE = 'state.json';
export const SUMMARY_FILE = 'summary.json';
export const FINAL_FILE = 'final.json';
export const MANIFEST_FILE = 'manifest.json';
export const LEARN_FILE = 'learn.jsonl';
export const PROMPTS_FILE = 'prompts.jsonl';
export const CHECKPOINT_FILE = /^checkpoints\/([^/]+)\/checkpoint\.json$/;

/** What state.json links, by the name of the link. */
export const LINKED_FILES = {
  events: LOG_FILE,
  learn: LEARN_FILE,
  summary: SUMMARY_FILE,
  manifest: MANIFEST_FILE,
} as const;
