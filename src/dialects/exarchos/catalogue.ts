import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for workflow event stores. */
export const EXARCHOS = [
  {
    code: 'sequence/counter',
    severity: 'warn',
    meaning: 'The cached counter of a stream does not agree with its log.',
    why: 'The next append may take its number from this file: then it skips numbers or uses them twice. A counter below the log is a known effect of two writers.',
    example:
      'my-feature.seq says {"sequence":41}; the last event of my-feature.events.jsonl has sequence 134.',
    fix: 'Look for two processes that write to this store. The file is only a cache, and the store rebuilds it from the log; a counter beyond the log may mean that the log was cut or replaced by an older copy.',
  },
  {
    code: 'consistency/stream-id',
    severity: 'warn',
    meaning: 'An event belongs to another stream than the one in the file name.',
    why: 'The store never compares the two, so a renamed or merged log is read as the history of the wrong feature.',
    example: '"streamId":"login-page" in the file checkout.events.jsonl.',
    fix: 'Give a copied log the name of its stream, followed by .events.jsonl. If one file contains several streams, lines were merged from elsewhere.',
  },
  {
    code: 'artifact/pending-events',
    severity: 'info',
    varies: 'warn if the merge was interrupted, because nothing will finish it.',
    meaning: 'Events are recorded in a sidecar, but not yet in the log.',
    why: 'The log is not up to date. The events get their numbers only when they are merged, and the merge may discard some.',
    example: 'my-feature.hook-events.jsonl has 3 events that are not in my-feature.events.jsonl.',
    fix: 'Verify again when the program has merged them, which it does at its next start and every few seconds. A file with drain in its name is left from an interrupted merge: keep it, because it is the only copy.',
  },
  {
    code: 'idempotency/duplicate',
    severity: 'warn',
    varies: 'info if both records are equal, or if the store had already forgotten the key.',
    meaning: 'Several records have the same idempotency key.',
    why: 'The key promises that a retried append is stored once. If the records differ, the store should have refused the second one.',
    example: '"idempotencyKey":"task-7:completed" on lines 9 and 14, with different data.',
    fix: 'Compare the records. If they are equal, it was a retry after a crash, and harmless. Otherwise ask the owner of the writer which one is right.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof EXARCHOS)[number]['code'], unknown> {}
}
