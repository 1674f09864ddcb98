import type { TurnStatus } from './sessions/kit/session.ts';

/** What words mean. */
export type Meanings<Words extends string> = Readonly<Record<Words, string>>;

const SESSIONS: Meanings<TurnStatus> = {
  done: 'the last prompt was answered',
  open: 'the last prompt has no complete answer, or the session has no prompt yet. The program still works, or was stopped without a word.',
  interrupted:
    'the last answer was interrupted, mostly by the user, or cut at the limit of tokens; some programs only store that it was cut off. No answer: the next prompt followed, and the log does not say why.',
  error: 'the last prompt ended with an error',
  withdrawn: 'the last prompt was taken out of the conversation without an answer; the log does not say why',
  continued: 'the session goes on in another log',
  unknown: 'how the last prompt ended may be on a damaged line, or in a record that is missing',
};

const NOESIS: Meanings<string> = {
  running: 'the log has no end: the run goes on, or its process died',
  paused: 'the run was interrupted and can be resumed',
  pending: 'the run has begun and has no outcome yet',
  ok: 'the run succeeded',
  partial: 'the run did a part of its task',
  error: 'the run failed',
  vetoed: 'governance or the intuition vetoed a step, and the run ended because of it',
  aborted: 'the run was stopped before its end',
};

const COORDINATOR: Meanings<string> = {
  running: 'the work on the plan goes on, or was stopped without a word',
  paused: 'a session ended with a pause; another one can continue the work',
  complete: 'the workflow is complete',
  failed: 'the workflow failed',
};

const EXARCHOS: Meanings<string> = {
  completed: 'the workflow was cleaned up after its work was merged',
  cancelled: 'the workflow was cancelled, or removed because it was stale',
  ideate: 'the first phase of a workflow for a feature, in which its design is made',
  triage: 'the first phase of a workflow that finds an error',
  explore: 'the first phase of a workflow that changes the structure of code',
  gathering: 'the first phase of a workflow that looks for information',
  delegate: 'a phase of a workflow: agents work on its tasks',
  synthesize: 'a phase of a workflow: the work of its tasks is put together',
};

const FISHBOWL: Meanings<string> = {
  running: 'the run has no end in the log',
  verdict: 'the judge gave a verdict',
  budget: 'the tokens or the money for the run were used up',
  tick_cap: 'the run had as many turns as it may have',
  user_stop: 'a user stopped the run',
};

/** What each status means, by whose runs have it. */
export const STATUS_MEANINGS: Readonly<Record<string, Meanings<string>>> = {
  sessions: SESSIONS,
  noesis: NOESIS,
  coordinator: COORDINATOR,
  exarchos: EXARCHOS,
  fishbowl: FISHBOWL,
};
