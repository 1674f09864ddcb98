/** The log in a plan's folder, and what stands beside it (coordinator.md §1). */
export const LOG_FILE = 'event-log.jsonl';
export const STATE_FILE = 'state.json';
