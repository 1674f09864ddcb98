import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for workflow event stores. */
export const EXARCHOS = [
  {
    code: 'sequence/counter',
    severity: 'warn',
    meaning: 'The cached counter of a stream does not agree with its log.',
    why: 'The next append may take its number from the counter, and then skips numbers or uses them twice. A counter below the log is a known effect of two writers.',
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
  {
    code: 'order/task',
    severity: 'info',
    meaning: 'An event about a task does not follow from the events before it.',
    why: 'The program tolerates it, but its views ignore work on tasks that nobody assigned, and keep only the last of several claims.',
    example:
      'A `task.completed` of t1 in a stream that never assigned it; a second `task.claimed` by another agent.',
    fix: 'Compare the ids of the tasks. `noesis show` lists every task with its holder, and says which were never assigned.',
  },
  {
    code: 'consistency/totals',
    severity: 'info',
    meaning:
      'The numbers in an event about a team or an evaluation are not those of the events before it, or an event says that something passed or is complete, and that it failed.',
    why: 'Readers that use the sum or the result report other results than those that read the rest.',
    example: 'A `team.disbanded` with "tasksCompleted":7 after one `team.task.completed`.',
    fix: 'Count the events with `noesis events <log> --type <type>`. Some may be in a sidecar that was not merged.',
  },
  {
    code: 'consistency/synthesis',
    severity: 'info',
    meaning: 'A oneshot workflow lacks its policy for synthesis, or does what the policy excludes.',
    why: 'The policy decides whether the workflow opens a pull request. Without it a rebuilt state decides differently.',
    example:
      '"workflowType":"oneshot" without synthesisPolicy; a `synthesize.requested` although the policy is never.',
    fix: 'Look at the start of the workflow, and at the transition to synthesize.',
  },
  {
    code: 'consistency/patch',
    severity: 'info',
    meaning:
      'A patch of the state names a place that cannot exist or that it must not set, or `fields` does not name what it sets.',
    why: 'The program never writes such a patch, or ignores a part of it, so the state lacks what the event says.',
    example: '"patch":{"tasks[9].status":"complete"} in a workflow without tasks.',
    fix: 'Compare the patch with the state. Patches of lists can only append one element.',
  },
  {
    code: 'consistency/feature',
    severity: 'warn',
    meaning: 'An event of a stream is about another feature than its workflow.',
    why: 'Each workflow has its own stream, so the event was written to the wrong one, or lines of two logs were merged.',
    example: '"featureId":"checkout" in a stream that started with "featureId":"login-page".',
    fix: 'Look for the event in the log of the other feature.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof EXARCHOS)[number]['code'], unknown> {}
}
