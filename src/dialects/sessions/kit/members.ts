import type { Dialect } from '../../dialect.ts';
import type { Copied } from '../../kit/copied.ts';
import type { Abridge } from '../../kit/log-summary.ts';
import type { DialectStates } from '../../kit/states.ts';
import { viewOfSession } from './account.ts';
import {
  type LinkOf,
  SessionAccount,
  SessionProjector,
  type SessionReader,
  SessionSpans,
  summaryOfSession,
} from './reader.ts';
import { type SessionDocument, toneOfTurn } from './session.ts';
import type { SessionStory } from './story.ts';

/** The members of a dialect that can be derived from its session reader. */
type SessionMembers = Pick<
  Dialect,
  | 'storesMuch'
  | 'stateFile'
  | 'summary'
  | 'statusTone'
  | 'stateView'
  | 'spans'
  | 'account'
  | 'story'
  | 'projector'
>;

/** Starts reading a session. `isOutline`: only what a list shows is asked for, and why the run ended. */
type OpenReader = (story?: SessionStory, isOutline?: boolean) => SessionReader;

/**
 * The members that dialects of coding agents share. `open` starts reading a session; `calls` finds its calls;
 * `abridge` shortens records that a list need not parse; `linkOf` reads the ids that connect records.
 */
export const sessionMembers = (
  open: OpenReader,
  calls: ConstructorParameters<typeof SessionSpans>[0],
  abridge: Abridge,
  linkOf?: LinkOf,
): SessionMembers => ({
  storesMuch: true,
  // The state of a session is only in its log.
  stateFile: () => undefined,
  summary: (ends) => summaryOfSession(() => open(undefined, true), ends, abridge),
  statusTone: toneOfTurn,
  stateView: async (state) => viewOfSession(state as SessionDocument),
  spans: () => new SessionSpans(calls),
  account: async (_run, use) => new SessionAccount(open(), use === undefined ? linkOf : undefined),
  story: async (_run, isFolded) => new (await import('./story.ts')).SessionStoryBuilder(open, isFolded),
  projector: async () => new SessionProjector(open()),
});

/** Rebuilds session states from events, for HTML pages. */
export const sessionStates = (open: (copied?: Copied) => SessionReader): DialectStates => ({
  plainNumbers: true,
  fold: (_run, _upcasts, copied) => new SessionProjector(open(copied)),
  view: (state) => viewOfSession(state as SessionDocument),
});
