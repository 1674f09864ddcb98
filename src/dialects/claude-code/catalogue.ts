import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';

/** Findings for transcripts of Claude Code. */
export const CLAUDE_CODE = [
  {
    code: 'session/mixed',
    severity: 'info',
    meaning: 'The records of one log name several sessions.',
    why: 'The file holds the history of another session too, or two sessions wrote to it. Counts and times are of both.',
    example: '"sessionId":"1111…" on line 1 and "sessionId":"2222…" on line 90.',
    fix: 'Nothing needs to be wrong: some versions go on in the file of the session that they resume. `noesis events <log> --session ID` shows one of them.',
  },
] as const satisfies readonly CatalogueEntry[];

/** Their codes. */
export type ClaudeCodeCode = (typeof CLAUDE_CODE)[number]['code'];

declare module '../../findings/codes.ts' {
  interface FindingCodes extends Record<ClaudeCodeCode, unknown> {}
}
