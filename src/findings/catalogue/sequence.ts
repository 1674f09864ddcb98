import type { CatalogueEntry } from '../catalogue-entry.ts';

/** The numbers that some dialects give their records. */
export const SEQUENCE = [
  {
    code: 'sequence/gap',
    severity: 'warn',
    varies:
      'info at the beginning of the exarchos stream telemetry, which is rotated, and in a codex log, where gaps are legal; error in a trajectory (atif).',
    meaning: 'Numbers are missing in the sequence of a stream.',
    why: 'Records may have been lost, and whatever is rebuilt from the rest lacks them. Some writers also skip a number when an append fails.',
    example: 'sequence 4 is followed by 7: the records 5 and 6 are missing.',
    fix: 'Look for the missing numbers in a copy or in the sidecar of the stream. If the writer is known to skip numbers, turn the finding off with `--rule sequence/gap=off`.',
  },
  {
    code: 'sequence/duplicate',
    severity: 'warn',
    varies: 'error in a trajectory (atif).',
    meaning: 'A sequence number of a stream is used twice.',
    why: 'Two writers appended at once, or a batch was written twice. Readers that resume after a number skip one of the two records.',
    example: 'sequence 12 is on line 12 and on line 13, with different records.',
    fix: 'Compare both records: `noesis show <log> LINE` prints a record. Two writers on one stream need a lock.',
  },
  {
    code: 'sequence/backwards',
    severity: 'warn',
    varies: 'error in a trajectory (atif).',
    meaning: 'A sequence number is smaller than one before it.',
    why: 'The order of the file and the order of the numbers disagree, so readers that sort and readers that do not see different histories.',
    example: 'sequence 20 on line 20 is followed by 3 on line 21.',
    fix: 'Look for a writer that started counting again, or for lines that were merged from another file.',
  },
] as const satisfies readonly CatalogueEntry[];
