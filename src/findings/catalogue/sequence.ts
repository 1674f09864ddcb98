import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Findings of dialects that number their records or mark repeats. */
export const SEQUENCE = [
  {
    code: 'sequence/gap',
    severity: 'warn',
    varies:
      'info in a coordinator log, whose documents allow gaps, and at the beginning of the exarchos stream telemetry, which is rotated.',
    meaning: 'Numbers are missing in the sequence of a stream.',
    why: 'Records may have been lost, and whatever is rebuilt from the rest lacks them. Some writers also burn a number when an append fails.',
    example: 'sequence 4 is followed by 7: the records 5 and 6 are not there.',
    fix: 'Look for the missing numbers in a copy or in the sidecar of the stream. Where the writer is known to burn numbers, turn the finding off with `--rule sequence/gap=off`.',
  },
  {
    code: 'sequence/duplicate',
    severity: 'warn',
    meaning: 'A number stands twice in the sequence of a stream.',
    why: 'Two writers appended at once, or a batch was written twice. Readers that resume after a number skip one of the two records.',
    example: 'sequence 12 stands on line 12 and on line 13, with different records.',
    fix: 'Compare both records. Two writers on one stream need a lock between them.',
  },
  {
    code: 'sequence/backwards',
    severity: 'warn',
    meaning: 'A sequence number is smaller than one before it.',
    why: 'The order of the file and the order of the numbers disagree, so readers that sort and readers that do not see different histories.',
    example: 'sequence 20 on line 20 is followed by 3 on line 21.',
    fix: 'Look for a writer that started to count anew, or for lines that were merged from another file.',
  },
  {
    code: 'idempotency/duplicate',
    severity: 'warn',
    varies: 'info where both records say the same, and where the store had forgotten the key by then.',
    meaning: 'One idempotency key stands on several records.',
    why: 'The key promises that a retried append is stored once. Where the records differ, one of two different facts was meant to replace the other.',
    example: '"idempotencyKey":"task-7:completed" on lines 9 and 14, with different data.',
    fix: 'Compare the records. A retry after a crash is harmless when they agree; otherwise ask the owner of the writer which one holds.',
  },
  {
    code: 'event/unknown-type',
    severity: 'info',
    varies: 'warn in a coordinator log for a type that none of its documents emits.',
    meaning: 'The type of an event is none of those the dialect defines.',
    why: 'It may be an extension, or a misspelt name that no projection will ever count.',
    example: '"type":"task.compleeted"',
    fix: 'Compare the name with the list that `noesis schema types` prints. Types of your own are registered in `noesis.toml`: `custom_types` in the table `exarchos`.',
  },
  {
    code: 'event/type-format',
    severity: 'error',
    meaning: 'The type of an event is not written in the form the dialect defines.',
    why: 'The writers of this dialect refuse such a name, so the record was written by something else or changed later.',
    example: '"kind":"Agent_Spoke"; a kind is lower-case words joined by dots.',
    fix: 'Find out what wrote the record.',
  },
] as const satisfies readonly CatalogueEntry[];
