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
] as const satisfies readonly CatalogueEntry[];
