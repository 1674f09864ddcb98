import type { CatalogueEntry } from '../catalogue-entry.ts';

/** What only logs of workflow event stores have. */
export const EXARCHOS = [
  {
    code: 'sequence/counter',
    severity: 'warn',
    meaning: 'The cached counter of a stream does not agree with its log.',
    why: 'The next append may take its number from this file: then numbers are skipped or handed out twice. A counter below the log is a known effect of two writers.',
    example:
      'my-feature.seq says {"sequence":41}; the last event of my-feature.events.jsonl has sequence 134.',
    fix: 'Look for two processes that write to this store. The file is only a cache, and the store makes it anew from the log; a counter beyond the log may mean that the log was cut or replaced by an older copy.',
  },
  {
    code: 'projection/state',
    severity: 'warn',
    meaning: 'A part of the stored workflow state is not what the events of the log give.',
    why: 'The program changes its state file directly and logs the change beside it, so one of the two has missed something. Readers of the log and readers of the file see different workflows.',
    example:
      'phase is "completed" in my-feature.state.json; the last event that sets a phase is a transition to delegate.',
    fix: '`noesis project <log> --diff` shows each difference with the event behind it. A change to the file that no event mentions came from outside; an event that the file does not show is often an append that was retried after a crash.',
  },
  {
    code: 'consistency/stream-id',
    severity: 'warn',
    meaning: 'An event belongs to another stream than the file is named after.',
    why: 'The store never compares the two, so that a renamed or merged log is read as the history of the wrong feature.',
    example: '"streamId":"login-page" in the file checkout.events.jsonl.',
    fix: 'Give a copied log the name of its stream, followed by .events.jsonl. If one file holds several streams, lines were merged from elsewhere.',
  },
  {
    code: 'artifact/pending-events',
    severity: 'info',
    varies: 'warn where the merge was cut off, so that nothing will take the events up any more.',
    meaning: 'Events are recorded in a sidecar and not yet in the log.',
    why: 'What the log says is not the latest. The events get their numbers only when they are merged, and some are thrown away then.',
    example: 'my-feature.hook-events.jsonl holds 3 events; my-feature.events.jsonl has none of them.',
    fix: 'Verify again when the program has merged them, which it does at its next start and every few seconds. A file with drain in its name is left from a merge that died: keep it, for it holds the only copy.',
  },
] as const satisfies readonly CatalogueEntry[];
