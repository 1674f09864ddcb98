/** The verdict on a session that is continued, in one word, the best first. */
export const VERDICTS = ['resumes', 'behind', 'lost', 'refused', 'danger'] as const;

export type Verdict = (typeof VERDICTS)[number];

/** What the verdict on a session depends on. */
interface Judged {
  /** Whether the program opens the session. */
  readonly isFound: boolean;
  /** The number of things that the API refuses. */
  readonly refused: number;
  /** The number of things that the next start of the program destroys. */
  readonly dangers: number;
  /** The number of turns that are newer than the one from which the program continues. */
  readonly newer: number;
  /** How many parts of the conversation are loaded, and of how many. */
  readonly parts: number;
  readonly of: number;
}

/**
 * What happens when a session is continued: `lost` if a part of the conversation is not loaded, `behind` if its newest turns
 * are on another branch.
 */
export function verdictOn({ isFound, refused, dangers, newer, parts, of }: Judged): Verdict {
  if (dangers > 0) return 'danger';
  if (!isFound || refused > 0) return 'refused';
  if (parts < of) return 'lost';
  return newer > 0 ? 'behind' : 'resumes';
}

/** Whether all is loaded of the branch that continues. */
export const isWhole = (verdict: Verdict): boolean => verdict === 'resumes' || verdict === 'behind';

/** Whether a session can be continued as it is, so that a command may be named that does so. */
export const isContinuable = (verdict: Verdict): boolean => isWhole(verdict) || verdict === 'lost';
