import { valueAt } from '../../../base/json/path.ts';
import type { EventReporter } from '../../../findings/check.ts';
import type { Document } from '../../../findings/document.ts';
import type { Course } from '../course/course.ts';
import type { LogStatements } from './log-statements.ts';

/** The readable artifacts of one episode, the course of its run, and what its log says. */
export interface EpisodeView {
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  readonly course: Course;
  readonly said: LogStatements;
  readonly log: EventReporter;
  readonly state: Document | undefined;
  readonly summary: Document | undefined;
  readonly final: Document | undefined;
  readonly manifest: Document | undefined;
  /** Paths of state.json already reported as different from the log. */
  readonly differing: ReadonlySet<string>;
}

/**
 * Whether state.json was written at the end of the run: after terminate and before any other event, together
 * with its links (noesis.md §14).
 */
export const isLastState = ({ course, state }: EpisodeView): boolean =>
  course.hasLaterEvents || valueAt(state?.value, ['links', 'summary']) !== undefined;
