import type { EventReporter } from '../../../findings/check.ts';
import type { Document } from '../../../findings/document.ts';
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
