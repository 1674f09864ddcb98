/** The files of an episode that the runtime writes (noesis.md §1.3). */
export const LOG_FILE = 'events.jsonl';
export const STATE_FILE = 'state.json';
export const SUMMARY_FILE = 'summary.json';
export const FINAL_FILE = 'final.json';
export const MANIFEST_FILE = 'manifest.json';
export const LEARN_FILE = 'learn.jsonl';
export const PROMPTS_FILE = 'prompts.jsonl';
export const CHECKPOINT_FILE = /^checkpoints\/([^/]+)\/checkpoint\.json$/;

/** The files that state.json links to, by link. */
export const LINKED_FILES = {
  events: LOG_FILE,
  learn: LEARN_FILE,
  summary: SUMMARY_FILE,
  manifest: MANIFEST_FILE,
} as const;

/** The documents of an episode, with the code for one that is not JSON. */
export const DOCUMENTS = [
  [STATE_FILE, 'state/invalid-json'],
  [SUMMARY_FILE, 'artifact/corrupt'],
  [FINAL_FILE, 'artifact/corrupt'],
  [MANIFEST_FILE, 'manifest/invalid'],
] as const;

/** Files with their own checks. */
export const KNOWN_FILES: ReadonlySet<string> = new Set([
  LOG_FILE,
  LEARN_FILE,
  PROMPTS_FILE,
  ...DOCUMENTS.map(([name]) => name),
]);
