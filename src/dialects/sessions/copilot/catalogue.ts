import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings for sessions of the Copilot CLI: the chain of records, lengths, backups. */
export const COPILOT = [
  {
    code: 'event/ephemeral',
    severity: 'info',
    meaning: 'The type of a record is one that the program never stores.',
    why: 'The log was captured from the stream that the program sends to others. The stream lacks some of the stored records.',
    example: '"type":"assistant.message_delta" in a log.',
    fix: 'If the session is on this machine, look at `session-state/<id>/events.jsonl` there.',
  },
  {
    code: 'session/event-count',
    severity: 'warn',
    meaning: 'A resumed session states how many records precede it, and the log has another number.',
    why: 'Records were removed from the log or added to it since it was resumed.',
    example: '`eventCount` is 33 on line 36, but there are 35 records before it.',
    fix: 'Compare with a copy of the log. The finding shows the correct number.',
  },
  {
    code: 'session/file-size',
    severity: 'info',
    meaning: 'A record states a length of the log that does not match its place.',
    why: 'The log was rewritten since then: a tool took secrets out of it, or the program repaired it.',
    example: '`eventsFileSizeBytes` is 20354, but the record begins at byte 20168.',
    fix: 'This alone is no reason for doubt. With other findings it shows where the log was changed: before this record.',
  },
  {
    code: 'session/orphan-end',
    severity: 'warn',
    meaning: 'A permission, a hook, a subagent or an external call ends without having begun.',
    why: 'Its beginning was removed from the log, or never written.',
    example: 'A `hook.end` whose `hookInvocationId` no `hook.start` has.',
    fix: 'Compare with a copy of the log.',
  },
  {
    code: 'artifact/recovered',
    severity: 'info',
    varies: 'error if the bytes of the backup do not match its name.',
    meaning: 'There is a backup next to the log: the program found the log damaged and repaired it.',
    why: 'The repaired log may lack what the damaged one still has.',
    example: '`events.jsonl.backup-before-recovery-<hash>` next to `events.jsonl`.',
    fix: 'Verify the backup as well, because it is the log as it was before: `noesis verify FILE`.',
  },
  {
    code: 'consistency/session-id',
    severity: 'warn',
    meaning: 'The folder, its workspace and the log name different sessions.',
    why: 'The folder has files of two sessions, or it was renamed: the program will not find the session by its id.',
    example: 'The folder is 1111…, but `session.start` says 2222….',
    fix: 'Find out which of the files was copied here.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof COPILOT)[number]['code'], unknown> {}
}
