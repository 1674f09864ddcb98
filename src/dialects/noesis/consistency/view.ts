import type { EventReporter } from '../../../findings/check.ts';
import type { Document } from '../../../findings/document.ts';
import { valueAt } from '../../../json/path.ts';
import type { LogFacts } from '../facts.ts';

/** The artifacts of one episode that could be read, and what the log says. */
export interface EpisodeView {
  /** The episode's directory; undefined for a log alone. */
  readonly dir: string | undefined;
  readonly facts: LogFacts;
  readonly log: EventReporter;
  readonly state: Document | undefined;
  readonly summary: Document | undefined;
  readonly final: Document | undefined;
  readonly manifest: Document | undefined;
  /** Paths of state.json that differ from what the log gives: that has been said, and nobody else is to blame. */
  readonly told: ReadonlySet<string>;
}

/**
 * Whether state.json is that of the run's end: the last state is written after terminate and before any other event,
 * together with its links (noesis.md §14).
 */
export const isLastState = ({ facts, state }: EpisodeView): boolean =>
  facts.wentOn || valueAt(state?.value, ['links', 'summary']) !== undefined;
