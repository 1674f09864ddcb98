import type { CatalogueEntry } from '../catalogue-entry.ts';

/** The sessions of coding agents: whose they are, and what they say of themselves. */
export const SESSION = [
  {
    code: 'session/file-name',
    severity: 'info',
    meaning: 'The name of the log is not that of the session in it.',
    why: 'The program finds a session by the name of its file: this one cannot be resumed under its own id.',
    example: '11111111-….jsonl holds the records of the session 22222222-….',
    fix: 'Find out who renamed or copied the file. Its records are not in doubt.',
  },
  {
    code: 'session/resume-reach',
    severity: 'info',
    meaning: 'A session that is continued from its last record does not reach its first prompt.',
    why: 'The program follows parents from the last record, and loads nothing else: what is on other branches is not part of the conversation that goes on.',
    example: '`--resume` reaches 12 of 40 records: the parent of the record on line 29 is null.',
    fix: 'Nothing is wrong with the log. `noesis events <log> --chain ID` shows the chain of a record; the program can go back to another branch, where it has a command for that.',
  },
  {
    code: 'session/mixed',
    severity: 'info',
    varies: 'warn in a gemini or qwen log, where each session has its own file.',
    meaning: 'The records of one log name several sessions.',
    why: 'The file holds the history of another session too, or two sessions wrote to it. Counts and times are of both.',
    example: '"sessionId":"1111…" on line 1 and "sessionId":"2222…" on line 90.',
    fix: 'Nothing needs to be wrong: some versions go on in the file of the session that they resume. `noesis events <log> --session ID` shows one of them.',
  },
  {
    code: 'session/rewind-unknown',
    severity: 'warn',
    meaning: 'The conversation goes back to a message that it does not have.',
    why: 'The program forgets the whole conversation then. Lines are missing before this one, or the id was changed.',
    example: 'Line 36 goes back to a message, and no line before it has that id.',
    fix: 'Compare with a copy of the log. If the id has a typing error, correct it before the session is continued.',
  },
  {
    code: 'session/history-replaced',
    severity: 'info',
    meaning: 'A list of messages takes the place of the conversation, and leaves out some of it.',
    why: 'The program writes such a list after a prompt that failed or was cancelled, after a compaction and when the user goes back. A continued session has only the messages of the list.',
    example: 'The list on line 25 leaves out 4 messages that come before it.',
    fix: 'Nothing is wrong with the log: the messages are still in it.',
  },
  {
    code: 'session/two-writers',
    severity: 'info',
    meaning: 'Two programs seem to have written to one session at once.',
    why: 'The log goes back to branches that had ended, again and again. A session that is continued has the last record only, and lacks what the other program wrote.',
    example: 'The parent of line 9 is on line 7, and that of line 12 on line 8: the branches alternate.',
    fix: 'Nothing is wrong with the records. Look at both branches: the answer that you miss may be on the other one.',
  },
  {
    code: 'usage/total',
    severity: 'warn',
    varies: 'info in a gemini or qwen log, whose way to count is not known well enough.',
    meaning: 'The total of the tokens of an answer is not the sum of its parts.',
    why: 'Statistics add up the parts. One of the numbers was changed, or the program counts in a way that is not known here.',
    example: '`totalTokens` is 1042, and input, cache and output are 1041.',
    fix: 'Compare with a copy of the log. Where no copy says otherwise, report the record, so that the rule can be corrected.',
  },
] as const satisfies readonly CatalogueEntry[];
