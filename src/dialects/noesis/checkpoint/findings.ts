import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** The loop, the seal and the checkpoints of an episode. */
export const ORDER = [
  {
    code: 'order/phase',
    severity: 'info',
    meaning:
      'An event comes too late: a phase after one that builds on it, a decision after its act, or a run.state_projection whose cause is not the event before it.',
    why: 'Not every order of phases is fixed, so this may be legal. The runtime may also use another order, or lines were moved.',
    example:
      '{"id":"ref-0001","phase":"reflect","payload":{"success":true}}\n{"id":"act-0001","phase":"act","payload":{"input_excerpt":"ls","outcome":"ok"}}',
    fix: 'Compare with other episodes of the same runtime: if it always writes this order, silence the finding with `--rule order/phase=off`. Otherwise look at the timestamps of the two events.',
  },
  {
    code: 'order/after-seal',
    severity: 'error',
    altered: true,
    meaning: 'The log is longer than the manifest says: something was appended after the seal.',
    why: 'The sealed part may be intact, but no hash covers the events after it. The runtime refuses to write to a sealed episode, so another program did.',
    example: 'events.jsonl has 9,812 bytes, manifest.json says "size_bytes": 9499: 313 bytes were added.',
    fix: 'Print what was added with `tail -c +OFFSET events.jsonl`, where OFFSET is the size in the manifest + 1. `head -c SIZE events.jsonl | sha256sum` shows whether the sealed part is unchanged. Find the program, and keep the file as it is until you have.',
  },
  {
    code: 'checkpoint/unknown',
    severity: 'warn',
    meaning: 'The run continues from a checkpoint that no earlier event has written.',
    why: 'The approval at that checkpoint is not in the log, or the run continued from the checkpoint of another run.',
    example:
      '{"id":"r-1","phase":"runtime","event_type":"run.resume","payload":{"kind":"run.resume","status":"resuming","checkpoint_id":"chk_000000000000"}}',
    fix: "List the run's own events: `noesis events <episode> --type 'run.*'`. A run.checkpoint with this checkpoint_id is missing before the resume: look for it in a copy of the log.",
  },
] as const satisfies readonly CatalogueEntry[];
