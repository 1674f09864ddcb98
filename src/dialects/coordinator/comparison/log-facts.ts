import type { JsonValue } from '../../../base/json/value.ts';
import type { Delegation, ExpertRow } from '../folds/experts.ts';
import type { Usage } from '../folds/facts.ts';
import type { GuidanceRow } from '../folds/guidance.ts';
import type { Infrastructure } from '../folds/infrastructure.ts';
import type { OpenedSession } from '../folds/sessions.ts';
import type { Lingering, TaskRow } from '../folds/tasks.ts';
import type { Change } from './state-differences.ts';

/** What a log says about the parts of a state file. */
export interface LogFacts {
  readonly tasks: ReadonlyMap<string, TaskRow>;
  readonly experts: ReadonlyMap<string, ExpertRow>;
  /** The experts that an event created. */
  readonly created: ReadonlySet<string>;
  /** The delegations without a result, by run. */
  readonly delegations: ReadonlyMap<string, Delegation>;
  /** The tasks of the business analysts, also of those that are done. */
  readonly analysts: ReadonlyMap<string, string>;
  /** The agents that may still be listed, although their task is held. */
  readonly lingering: ReadonlyMap<string, Lingering>;
  readonly infrastructure: Infrastructure;
  readonly lastRemedy: string | undefined;
  readonly questions: readonly GuidanceRow[];
  /** The indexes of the questions that an agent asked. */
  readonly asked: ReadonlySet<number>;
  /** What events say about the use of the session. The last check and the last pause may both have been stored. */
  readonly usage: readonly Usage[];
  readonly definitions: ReadonlyMap<string, JsonValue>;
  readonly isAssessed: boolean;
  readonly session: OpenedSession;
  readonly resumes: number;
  readonly compactions: { readonly started: number; readonly complete: number };
  /**
   * The last change of a part: `tasks`, `experts`, `infrastructure`, `guidance`, `usage`, `session` and others. With an id:
   * of one task, expert or question.
   */
  change(part: string, id?: string | number): Change | undefined;
  /** The time at which a session began, as stored. For an unknown session, the time at which the log began. */
  startOf(session: JsonValue | undefined): string | undefined;
}
