import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for sessions of the Copilot CLI: the chain of records, lengths, backups. */
export const COPILOT = [
  {
    code: 'event/ephemeral',
    severity: 'info',
    meaning: 'A record is of a type that the program never stores.',
    why: 'The log was captured from the stream that other programs are sent: it may lack what the stored log has.',
    example: '"type":"assistant.message_delta" in a log.',
    fix: 'If the session is on this machine, look at `session-state/<id>/events.jsonl` there.',
  },
  {
    code: 'session/event-count',
    severity: 'warn',
    meaning: 'A resumed session states another number of earlier records than the log has.',
    why: 'Records were removed from the log or added to it since it was resumed.',
    example: '`eventCount` is 33 on line 36, and there are 35 records before it.',
    fix: 'Compare with a copy of the log. The finding shows the number that fits.',
  },
  {
    code: 'session/file-size',
    severity: 'info',
    meaning: 'A record says that the log had another length when it was written.',
    why: 'The log was rewritten since then: a tool took secrets out of it, or the program repaired it.',
    example: '`eventsFileSizeBytes` is 20354, and the record begins at byte 20168.',
    fix: 'Nothing needs to be wrong. Together with other findings it says where the log was changed: before this record.',
  },
  {
    code: 'session/orphan-end',
    severity: 'warn',
    meaning: 'A permission, a hook, a subagent or an external call ends that never began.',
    why: 'Its beginning was removed from the log, or never written.',
    example: 'A `hook.end` whose `hookInvocationId` no `hook.start` has.',
    fix: 'Compare with a copy of the log.',
  },
  {
    code: 'artifact/recovered',
    severity: 'info',
    varies: 'error where the bytes of the backup are not those that its name says.',
    meaning: 'There is a backup next to the log: the program found the log damaged and repaired it.',
    why: 'The repaired log may lack what the damaged one still has.',
    example: '`events.jsonl.backup-before-recovery-<hash>` beside `events.jsonl`.',
    fix: 'Verify the backup as well: it is the log as it was before.',
  },
  {
    code: 'consistency/session-id',
    severity: 'warn',
    meaning: 'The folder, its workspace and the log name different sessions.',
    why: 'Files of two sessions lie together, or the folder was renamed: the program will not find the session under its id.',
    example: 'The folder is 1111…, and `session.start` says 2222….',
    fix: 'Find out which of the files was copied here.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof COPILOT)[number]['code'], unknown> {}
}
