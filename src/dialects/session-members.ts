import type { Abridge, Dialect } from './dialect.ts';
import { type SessionDocument, toneOfTurn } from './session.ts';
import { viewOfSession } from './session-account.ts';
import {
  SessionAccount,
  SessionProjector,
  type SessionReader,
  SessionSpans,
  summaryOfSession,
} from './session-reader.ts';
import type { SessionStory } from './session-story.ts';
import type { DialectStates } from './states.ts';

/** What of a dialect follows from how its sessions are read. */
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

/**
 * The members that the dialects of coding agents share. `open` begins to read a session; `calls` finds its calls;
 * `abridge` says of which records a list needs little.
 */
export const sessionMembers = (
  open: (story?: SessionStory) => SessionReader,
  calls: ConstructorParameters<typeof SessionSpans>[0],
  abridge: Abridge,
): SessionMembers => ({
  storesMuch: true,
  // A session keeps its state in the log alone.
  stateFile: () => undefined,
  summary: (ends) => summaryOfSession(open(), ends, abridge),
  statusTone: toneOfTurn,
  stateView: async (state) => viewOfSession(state as SessionDocument),
  spans: () => new SessionSpans(calls),
  account: async () => new SessionAccount(open()),
  story: async () => new (await import('./session-story.ts')).SessionStoryBuilder(open),
  projector: async () => new SessionProjector(open()),
});

/** States of a session as the events of its log give them, for pages. */
export const sessionStates = (open: () => SessionReader): DialectStates => ({
  plainNumbers: true,
  fold: () => new SessionProjector(open()),
  view: (state) => viewOfSession(state as SessionDocument),
});
