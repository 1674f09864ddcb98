import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Which event led to which. */
export const LINEAGE = [
  {
    code: 'lineage/dangling-cause',
    severity: 'error',
    hard: true,
    varies:
      'info in an exarchos log, where only agents set a cause, and events may be in a sidecar or another stream.',
    meaning: '`caused_by` names an id that no record of the log has.',
    why: 'The chain that should explain this event breaks off. Either the cause was removed from the log, or it was never written to it.',
    example:
      'In a log without gov-0001:\n{"id":"act-0001","caused_by":"gov-0001","phase":"act","payload":{"outcome":"ok"}}',
    fix: 'Search the other episodes for the id: `noesis search gov-0001`. If a backup of this log has the event, lines were removed, and the whole log is suspect. If no log has it, the writer created the id and lost the event.',
  },
  {
    code: 'lineage/forward-cause',
    severity: 'error',
    varies:
      'info in an exarchos log, where sidecars are merged late, and in a claude-code log, where several writers append: an effect may come before its cause; warn in a pi or qwen log.',
    meaning: '`caused_by` names an event that comes later in the log.',
    why: 'A cause cannot follow its effect. Lines were moved, two logs were merged, or a decision was recorded after the act that it should have allowed.',
    example:
      '{"id":"act-0001","caused_by":"gov-0001","phase":"act","payload":{"outcome":"ok"}}\n{"id":"gov-0001","phase":"governance","payload":{"decision":"allow"}}',
    fix: 'Compare the timestamps of the two events. If they contradict the order of the lines, the file was rearranged: restore it. If they agree with it, the writer records causes too late, and its owner must know.',
  },
  {
    code: 'lineage/cycle',
    severity: 'error',
    varies: 'warn in an exarchos log, where only agents set a cause.',
    meaning: 'Following `caused_by` from this event leads back to it.',
    why: 'The events on the cycle have no origin, so nothing explains them, and tools that follow the chain without a check never end.',
    example: '{"id":"plan-0001","caused_by":"plan-0001","phase":"plan","payload":{"steps":["act:deploy"]}}',
    fix: '`noesis events <episode> --chain <id>` prints the cycle and stops. An event names itself if the writer set caused_by after it assigned the new id; a longer cycle needs reused ids or an edited file.',
  },
  {
    code: 'lineage/begins-inside',
    severity: 'info',
    meaning: 'The first record of the log names a parent that is not in the log.',
    why: 'The log is the end of a longer one: what came before was cut off, or is stored elsewhere.',
    example: 'The first record has a parent, and no record has its id.',
    fix: 'Look for the beginning in the place where the log was copied from. `noesis search ID` finds the parent in another log. The records in this log are not in doubt.',
  },
  {
    code: 'lineage/missing-parent',
    severity: 'warn',
    varies:
      'info in a claude-code log for records of progress, whose parents the program drops when it compacts a session, and for a record whose parent is the head of the log.',
    meaning: 'A record names a parent that is not in the log.',
    why: 'Every record names the one before it. If that one is missing, it was removed or never written.',
    example: '"parentId":"2f1c…" on line 30, and no record has that id.',
    fix: 'Compare with a copy of the log: the missing record comes before the one that names it. `noesis search ID` finds it in another log.',
  },
  {
    code: 'lineage/not-the-previous',
    severity: 'warn',
    varies: 'info in a qwen log.',
    meaning: 'A record names another parent than the record before it.',
    why: 'In this format the parent of a record is the record before it. Lines were moved, removed or inserted.',
    example: '`parentId` on line 30 is the id of line 12.',
    fix: 'Compare the order of the lines with the order of the times, and the log with a copy.',
  },
  {
    code: 'lineage/unknown-target',
    severity: 'warn',
    meaning: 'A record refers to an earlier record, other than its parent, that is not in the log.',
    why: 'The program cannot apply the reference: a compaction keeps another part of the conversation than it says, or a label is lost.',
    example: '"firstKeptEntryId":"8f446aeb" in a compaction, and no entry before it has this id.',
    fix: 'Compare with a copy of the log, or with the log that this one was forked from.',
  },
  {
    code: 'lineage/subagent',
    severity: 'warn',
    meaning: 'The log does not identify the session of a subagent.',
    why: 'Nobody can say what the subagent did, or which of two sessions is meant.',
    example: 'A result refers to the trajectory t-2, and the document embeds only t-1.',
    fix: 'Correct the program that wrote the log. An embedded session needs its own id.',
  },
  {
    code: 'lineage/copied',
    severity: 'info',
    meaning:
      'A log has records that were copied from another one; in a trajectory (atif), they follow records that were not copied.',
    why: 'A fork of an opencode session begins with the messages of its origin, which count there. In a trajectory, copies belong at the beginning. A copied record anywhere else was moved or wrongly marked; it is not counted.',
    example: 'Step 4 has `is_copied_context`, and step 3 does not.',
    fix: 'Compare with the log that this one continues.',
  },
] as const satisfies readonly CatalogueEntry[];
