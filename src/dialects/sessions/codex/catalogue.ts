import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings for rollouts of Codex: ordinals, turns, copied histories. */
export const CODEX = [
  {
    code: 'order/meta-not-first',
    severity: 'warn',
    meaning: 'The log of a thread does not begin with the record that identifies the thread.',
    why: 'The head of the log is missing: when the thread began, where, and with which version is not recorded.',
    example: 'The first record is a `response_item`, where a `session_meta` belongs.',
    fix: 'Look for the beginning in a copy of the log: the first lines were cut off.',
  },
  {
    code: 'sequence/missing',
    severity: 'warn',
    meaning: 'A record has no number, although others in its log have one.',
    why: 'An older version of the program, which does not number records, appended after a newer one. The newer version may refuse to continue the thread.',
    example: 'No `ordinal` on line 50, where line 49 has 48.',
    fix: 'Do not resume a thread with an older version. The records themselves can be read.',
  },
  {
    code: 'tool/result-first',
    severity: 'warn',
    meaning: 'A result comes before its call.',
    why: 'The program writes a call before it runs it: lines were moved, or two logs were merged.',
    example: 'The output of call_7 is on line 12, and the call on line 15.',
    fix: 'Compare the order with the times, and with a copy of the log.',
  },
  {
    code: 'turn/open',
    severity: 'info',
    meaning: 'The last turn of the thread has no end.',
    why: 'The agent was at work when the log was copied, or the program was killed.',
    example: 'A `task_started` without a `task_complete` after it.',
    fix: 'If the thread is over, its last calls show how far the agent got: `noesis events <log> --last 10`.',
  },
  {
    code: 'turn/unfinished',
    severity: 'info',
    meaning: 'A turn has no end, and another one follows.',
    why: 'The program died in the middle of the turn and was started again, or the history was copied while the turn went on.',
    example: '`task_started` on line 4 and again on line 15, with no end between them.',
    fix: 'Nothing is wrong with the log. Look at what the last call of that turn may have done: `noesis read <log>` prints the turns.',
  },
  {
    code: 'session/copied-history',
    severity: 'info',
    meaning: 'A part of the log was copied from another thread.',
    why: 'Its records, their tokens and their turns belong to the other thread, but have the time of the copy.',
    example: 'A second `session_meta`, with another id than the first.',
    fix: 'Nothing is wrong with the log: a fork begins like this. Count its turns and tokens from its own first turn.',
  },
  {
    code: 'usage/decreasing',
    severity: 'info',
    meaning: 'The total of the tokens is smaller than before.',
    why: 'The total only grows. A reader that uses the last one counts too few tokens.',
    example: '`total_tokens` is 5700 on line 49 and 900 on line 60.',
    fix: 'Add the totals before and after this line.',
  },
  {
    code: 'session/missing-log',
    severity: 'warn',
    meaning: 'A log of a thread goes on from another log of the thread, which is missing.',
    why: 'A thread may have several logs. Without one of them, its turns, calls and tokens are missing, and every total is a minimum.',
    example:
      'The third log of a thread goes on from the second one, and only the first and the third are there.',
    fix: 'Look for the log in a backup, among archived threads and in the folders of other days: its name ends with the id.',
  },
  {
    code: 'consistency/history-base',
    severity: 'warn',
    meaning:
      'A fork, or a further log of a thread, names a record of the log that it goes on from and the byte at which it ends, but no record ends there.',
    why: 'It does not continue from the place it names: the earlier log was cut or rewritten.',
    example: '`end_byte_offset` is 30509, and the record 50 of the parent ends at 29000.',
    fix: 'Compare the earlier log with a copy from the time at which the later one began.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof CODEX)[number]['code'], unknown> {}
}
