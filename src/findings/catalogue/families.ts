/** What each family of findings is about, in the order of the catalogue. */
export const FAMILIES: ReadonlyMap<string, string> = new Map([
  ['log', 'bytes, lines and JSON of the event log'],
  ['event', 'one event: its fields, its payload, its times'],
  ['lineage', 'which event led to which'],
  ['order', 'the course of the run, from start to seal'],
  ['checkpoint', 'where a paused run goes on'],
  ['governance', 'who allowed an action, and whether a refusal was obeyed'],
  ['state', 'state.json on its own'],
  ['projection', 'what the log implies, beside what state.json says'],
  ['manifest', 'the list of files, their hashes and its signature'],
  ['seal', 'whether the episode is closed'],
  ['consistency', 'what several artifacts say about the same thing'],
  ['artifact', 'the other files, each on its own'],
  ['sequence', 'the numbers that some dialects give their records'],
  ['idempotency', 'keys that mark a repeated append'],
  ['verify', 'what kept the verification from looking at something'],
]);
