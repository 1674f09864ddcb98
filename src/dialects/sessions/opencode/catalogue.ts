import type { CatalogueEntry } from '../../../findings/catalogue-entry.ts';

/** Findings for sessions of opencode: messages and their parts, answers, and what the database says twice. */
export const OPENCODE = [
  {
    code: 'lineage/orphan-part',
    severity: 'error',
    meaning: 'A part of a message belongs to no message, or to another one than the one it is in.',
    why: 'The message was lost, or somebody moved the part. opencode does not show such a part, and does not say so.',
    example: 'The part prt_3 names msg_2, but the session has no such message.',
    fix: 'Look for the message in a backup or an export: the part is only a piece of it.',
  },
  {
    code: 'session/id-wrap',
    severity: 'info',
    meaning: 'The ids of messages begin again at the smallest number while the session goes on.',
    why: 'The ids count time and start again every 795 days, most recently on 14 August 2026. Versions before 1.18.18 order by id: in such a session they store a prompt and never answer it.',
    example: 'msg_fffff2… of 11:19 is followed by msg_000002… of 11:20.',
    fix: 'Continue the session with version 1.18.18 or newer. noesis orders by time, so nothing is wrong with what it shows.',
  },
  {
    code: 'session/unfinished-answer',
    severity: 'info',
    meaning: 'An answer was never completed, and the session continues after it.',
    why: 'The program was killed while the model answered or a tool ran, and the session was resumed later. Its tokens are not known.',
    example: 'msg_4 has no `time.completed`, and msg_5 is a prompt.',
    fix: 'Nothing is wrong with the log. The text that was lost is stored nowhere.',
  },
  {
    code: 'session/unfinished-turn',
    severity: 'info',
    meaning: 'A turn ends with calls of tools, without a final answer, and another prompt follows.',
    why: 'The program was killed between two steps, or two programs worked on the session at once.',
    example: 'The last answer to msg_7 has `finish: tool-calls`, and msg_12 is the next prompt.',
    fix: 'Nothing is wrong with the log. `noesis read <log>` shows how far the turn got.',
  },
  {
    code: 'session/answer-without-parts',
    severity: 'info',
    varies: 'warn if the answer ended normally and used tokens: then its parts are lost.',
    meaning: 'A completed answer has no parts.',
    why: 'After an overflow of the context, opencode leaves an empty answer and compacts the session. An answer with tokens had a text.',
    example: 'msg_9 has `finish: stop` and 1,315 tokens, and `parts` is empty.',
    fix: 'If it used tokens, look for its parts in a backup: the text of the answer is missing here.',
  },
  {
    code: 'session/double-answer',
    severity: 'info',
    meaning: 'One prompt has two final answers.',
    why: 'The clocks of two computers differ, or two programs worked on the session at once: opencode then takes an answered prompt for an open one.',
    example: 'msg_5 and msg_8 both end the turn of msg_4.',
    fix: 'Nothing is wrong with the records. Both answers were paid for.',
  },
  {
    code: 'tool/hidden-failure',
    severity: 'warn',
    meaning: 'A subagent failed, but its call looks as if it had succeeded.',
    why: 'Versions before 1.18 complete the call with an empty result. The model of the session did not learn of the failure either.',
    example: 'The call of `task` is completed, and the last answer of the subagent is an APIError.',
    fix: 'Do not trust what the session says about this task. `noesis read` of the subagent shows the error.',
  },
  {
    code: 'state/projection',
    severity: 'warn',
    meaning: 'A row of the database is not what the last event about it says.',
    why: 'The program writes each change as an event and as a row, in one transaction. A row that differs was changed by another program.',
    example: 'The text of prt_6 in the table `part` is not that of its last `message.part.updated`.',
    fix: 'Compare the row with the event, and both with a backup. Do not edit the database by hand.',
  },
] as const satisfies readonly CatalogueEntry[];

declare module '../../../findings/codes.ts' {
  interface FindingCodes extends Record<(typeof OPENCODE)[number]['code'], unknown> {}
}
