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

/** The documents of an episode, and what is said of one that holds no JSON. */
export const DOCUMENTS = [
  [STATE_FILE, 'state/invalid-json'],
  [SUMMARY_FILE, 'artifact/corrupt'],
  [FINAL_FILE, 'artifact/corrupt'],
  [MANIFEST_FILE, 'manifest/invalid'],
] as const;

/** The files of which each has checks of its own. */
export const KNOWN_FILES: ReadonlySet<string> = new Set([
  LOG_FILE,
  LEARN_FILE,
  PROMPTS_FILE,
  ...DOCUMENTS.map(([name]) => name),
]);
