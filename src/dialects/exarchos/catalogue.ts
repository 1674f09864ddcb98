import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for workflow event stores. */
export const EXARCHOS = [
  {
    code: 'sequence/counter',
    severity: 'warn',
    meaning: 'The cached counter of a stream does not agree with its log.',
    why: 'The next append may take its number from this file: then numbers are skipped or handed out twice. A counter below the log is a known effect of two writers.',
    example:
      'my-feature.seq says {"sequence":41}; the last event of my-feature.events.jsonl has sequence 134.',
    fix: 'Look for two processes that write to this store. The file is only a cache, and the store rebuilds it from the log; a counter beyond the log may mean that the log was cut or replaced by an older copy.',
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
  {
    code: 'idempotency/duplicate',
    severity: 'warn',
    varies: 'info where both records say the same, and where the store had forgotten the key by then.',
    meaning: 'Several records have the same idempotency key.',
    why: 'The key promises that a retried append is stored once. Where the records differ, one of two different facts was meant to replace the other.',
    example: '"idempotencyKey":"task-7:completed" on lines 9 and 14, with different data.',
    fix: 'Compare the records. A retry after a crash is harmless when they agree; otherwise ask the owner of the writer which one holds.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof EXARCHOS)[number]['code'], unknown> {}
}
