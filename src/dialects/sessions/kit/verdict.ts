/** The verdict on a session that is continued, in one word, the best first. */
export const VERDICTS = ['intact', 'lost', 'refused', 'danger'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** What the verdict on a session depends on. */
interface Judged {
  /** Whether the program opens the session. */
  readonly isFound: boolean;
  /** The number of things that the API refuses. */
  readonly refused: number;
  /** The number of things that the next start of the program destroys. */
  readonly dangers: number;
  /** How many parts of the conversation are loaded, and of how many. */
  readonly parts: number;
  readonly of: number;
}

/** What happens when a session is continued: `lost` if a part of the conversation is not loaded. */
export function verdictOn({ isFound, refused, dangers, parts, of }: Judged): Verdict {
  if (dangers > 0) return 'danger';
  if (!isFound || refused > 0) return 'refused';
  return parts < of ? 'lost' : 'intact';
}
