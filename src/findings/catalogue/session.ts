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
] as const satisfies readonly CatalogueEntry[];
