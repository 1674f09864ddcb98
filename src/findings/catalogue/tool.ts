import type { CatalogueEntry } from '../catalogue-entry.ts';

/** Calls of tools and their results, if they are separate records. */
export const TOOL = [
  {
    code: 'tool/orphan-result',
    severity: 'error',
    meaning: 'A result names a call that the log does not have.',
    why: 'What the agent did to get this result is not recorded: the call was removed, or it was never written. Some services refuse to continue such a session.',
    example: '"type":"tool_result","tool_use_id":"toolu_01" in a log without the call toolu_01.',
    fix: 'Search for the id of the call in a copy of the log and in other sessions: `noesis search ID`. If it is in none of them, nobody can say what was run.',
  },
  {
    code: 'tool/duplicate-call',
    severity: 'error',
    varies:
      'warn in a copilot log, where a gateway may give ids that are not unique, and in a trajectory (atif); info once per log, if a Claude Code log repeats a call with the same content, or if the earlier call has its result or is of the same answer, because some models number the calls of each answer.',
    meaning: 'Two calls have one id.',
    why: 'While both wait for a result, nobody knows which of them it belongs to.',
    example: 'call_7 is on line 12 and on line 30.',
    fix: 'Compare the two records: `noesis show <log> LINE` prints a record. If they are equal, the record was appended twice, or its program writes a record several times while it grows. If they differ, the writer does not give unique ids.',
  },
  {
    code: 'tool/duplicate-result',
    severity: 'error',
    varies:
      'warn in a copilot log, where a gateway may give ids that are not unique, and in a trajectory (atif).',
    meaning: 'A call has two results.',
    why: 'A tool answers once. The second result was copied, or belongs to another call.',
    example: 'call_7 is answered on line 13 and on line 31.',
    fix: 'Compare the two records with the call that they name: `noesis show <log> LINE` prints a record.',
  },
  {
    code: 'tool/open',
    severity: 'info',
    meaning: 'A call has no result, and the log does not continue after it.',
    why: 'The tool was running when the log was copied or the program ended: whether it did its work is not recorded.',
    example: 'The last record of the log is the call of a shell command.',
    fix: 'If the session is over, look at the call with `noesis show <log> LINE`, and check what it may have done before it was interrupted.',
  },
  {
    code: 'tool/unanswered',
    severity: 'info',
    varies:
      'warn if the conversation continues as if the call had been answered, and nothing in the log explains why it was not.',
    meaning: 'A call has no result, and the log continues.',
    why: 'The agent continued without the result, or the result was lost.',
    example: 'call_7 is on line 12, the next answer on line 14, and no record is the result.',
    fix: 'An interrupted turn, an abandoned branch or a compaction leaves such calls: nothing is wrong then. A warning means that the log shows none of these: look for the result in a copy of the log. `noesis read <log> --from LINE` prints what followed.',
  },
  {
    code: 'tool/never-started',
    severity: 'info',
    meaning: 'An answer asks for a call that never began.',
    why: 'The answer was stopped or failed, the call was refused before it ran, or its records are missing.',
    example: 'An `assistant.message` asks for call_7, and no record begins it.',
    fix: 'Look at the permissions and the messages near this line: `noesis read <log> --all --from LINE`.',
  },
  {
    code: 'tool/name',
    severity: 'warn',
    meaning: 'A result names another tool than its call.',
    why: 'It is not the result of this call: two calls have one id, or lines of two logs were mixed.',
    example: 'The call call_7 is of `read`, and its result says `write`.',
    fix: 'Compare the two records with a copy of the log: `noesis show <log> LINE` prints a record.',
  },
  {
    code: 'tool/two-ids',
    severity: 'warn',
    meaning: 'A result names two different calls.',
    why: 'The program and the service read different fields, and assign the result to different calls.',
    example: '`functionResponse.id` is call_7, and `toolCallResult.callId` is call_8.',
    fix: 'Compare with a copy of the log: one of the ids was changed.',
  },
  {
    code: 'tool/interleaved',
    severity: 'warn',
    meaning: 'A prompt, an answer or a message comes between a call and its result.',
    why: 'Services refuse such a conversation: the session cannot be continued past this place.',
    example: 'The call is on line 6, a message of an extension on line 7, and the result on line 8.',
    fix: 'Go back to the call with the command of the program for that, or begin another session. Report it to the owner of the extension that wrote the message.',
  },
] as const satisfies readonly CatalogueEntry[];
