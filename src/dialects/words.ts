import type { LEVELS } from '../findings/level.ts';
import type { VERDICTS as VERDICT_WORDS } from '../findings/report-words.ts';
import type { Severity } from '../findings/severity.ts';
import type { TurnStatus } from './sessions/kit/session.ts';

/** A word that commands print, and what it means. */
export interface Word {
  readonly word: string;
  readonly kind: 'verdict' | 'level' | 'severity' | 'status' | 'word';
  /** For a status: whose runs have it. */
  readonly of?: string;
  readonly meaning: string;
}

type Meanings<Words extends string> = Readonly<Record<Words, string>>;

const VERDICTS: Meanings<(typeof VERDICT_WORDS)[number]> = {
  ok: 'no finding of this run counts',
  warn: 'the run has warnings, and no error',
  fail: 'the run has an error, or lacks something that an option such as --strict or --require-seal asks for',
};

/** What each level proves. A level includes those before it. */
export const LEVEL_MEANINGS: Meanings<(typeof LEVELS)[number]> = {
  none: 'not every record could be read',
  readable: 'every record could be read',
  consistent: 'the records, and the files next to the log, agree with each other',
  sealed: 'the files are those that the manifest lists',
  signed: 'the manifest, or the chain of the records, was signed with a key that you named',
  anchored: 'a signed statement that was kept elsewhere says the same',
};

const SEVERITIES: Meanings<Severity> = {
  error: 'the log or a file is damaged, or two of them contradict each other; the run fails',
  warn: 'this is unusual, but can happen in an intact run; the run fails only with --strict or --max-warnings',
  info: 'this is a note; it never fails a run',
};

const SESSIONS: Meanings<TurnStatus> = {
  done: 'the last prompt was answered',
  open: 'the last answer is not complete: the program still works, or was stopped without a word',
  interrupted: 'the user interrupted the last answer',
  error: 'the last prompt ended with an error',
  withdrawn: 'the user took the last prompt back',
  continued: 'the session goes on in another log',
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
};

const FISHBOWL: Meanings<string> = {
  running: 'the run has no end in the log',
  verdict: 'the judge gave a verdict',
  budget: 'the tokens or the money for the run were used up',
  tick_cap: 'the run had as many turns as it may have',
  user_stop: 'a user stopped the run',
};

const AT_LEAST = 'the real number may be larger, because the log lacks tokens or a model has no price';

const OUTPUTS: Meanings<string> = {
  cost: 'the tokens of a run times the prices of its models (see noesis help prices)',
  lasted: 'the time from the first record to the last one',
  worked: 'the time of the model and the tools, without waiting for a person and idle time',
  'waiting for you': 'the program waited for the answer of a person, such as a permission',
  idle: 'nothing happened: the time before the first turn and between turns',
  'at least': AT_LEAST,
  '≥': `at least: ${AT_LEAST}`,
  vetoes: 'the decisions of governance or the intuition that a step must not run',
  generic: 'the dialect of JSON Lines that no other dialect fits: verify only checks that the log is intact',
  meta: 'a record that is not part of the conversation, such as a setting or a summary',
  double: 'a record that repeats what another record says; it is not counted again',
};

const wordsOf = (kind: Word['kind'], meanings: Meanings<string>, of?: string): Word[] =>
  Object.entries(meanings).map(([word, meaning]) => ({ word, kind, ...(of && { of }), meaning }));

/** The words of reports and lists, as documented in docs/reports.md and docs/formats. */
export const WORDS: readonly Word[] = [
  ...wordsOf('verdict', VERDICTS),
  ...wordsOf('level', LEVEL_MEANINGS),
  ...wordsOf('severity', SEVERITIES),
  ...wordsOf('status', SESSIONS, 'sessions'),
  ...wordsOf('status', NOESIS, 'noesis'),
  ...wordsOf('status', COORDINATOR, 'coordinator'),
  ...wordsOf('status', EXARCHOS, 'exarchos'),
  ...wordsOf('status', FISHBOWL, 'fishbowl'),
  ...wordsOf('word', OUTPUTS, 'outputs'),
];
