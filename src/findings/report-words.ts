// The words of a report. They are not in its schema, because most commands do not load zod.

/** fail: any error. warn: any warning. ok: neither; info does not count. */
export const VERDICTS = ['ok', 'warn', 'fail'] as const;

/** The stages of a verification, in report order. */
export const STAGES = [
  'log',
  'events',
  'lineage',
  'governance',
  'state',
  'projection',
  'artifacts',
  'manifest',
  'consistency',
] as const;

/** The reason for skipping a stage that has no checks for a dialect. */
export const DOES_NOT_APPLY = 'does not apply';
