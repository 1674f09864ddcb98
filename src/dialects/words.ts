import type { LEVELS } from '../findings/level.ts';
import type { VERDICTS as VERDICT_WORDS } from '../findings/report-words.ts';
import type { Severity } from '../findings/severity.ts';
import { OUTPUTS } from './output-words.ts';
import type { TurnStatus } from './sessions/kit/session.ts';
import { OTHER_FORMS, TERMS } from './terms.ts';

/** A word that commands print, and what it means. */
export interface Word {
  readonly word: string;
  readonly kind: 'verdict' | 'level' | 'severity' | 'status' | 'word';
  /** For a status: whose runs have it. */
  readonly of?: string;
  /** Other forms of the word, which outputs print or people type. */
  readonly also?: readonly string[];
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
  none: 'not every record could be read, or the log has no record',
  readable: 'every record could be read',
  consistent: 'the records, and the files next to the log, agree with each other',
  sealed: 'the files are those that the manifest lists',
  signed: 'the manifest, or the chain of the records, was signed with a key that you named',
  anchored: 'a signed statement that was kept elsewhere says the same',
};

/** What each severity of a finding means. */
export const SEVERITY_MEANINGS: Meanings<Severity> = {
  error: 'the log or a file is damaged, or two of them contradict each other; the run fails',
  warn: 'this is unusual, but can happen in an intact run; the run fails only with --strict or --max-warnings',
  info: 'this is a note; it never fails a run',
};

const SESSIONS: Meanings<TurnStatus> = {
  done: 'the last prompt was answered',
  open: 'the last prompt has no complete answer, or the session has no prompt yet. The program still works, or was stopped without a word.',
  interrupted:
    'the last answer was interrupted, mostly by the user; some programs only store that it was cut off. No answer: the next prompt followed, and the log does not say why.',
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

/** Other forms of words. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  ...OTHER_FORMS,
  'taken back': ['took back', 'take back', 'rolled back', 'rewind', 'reverted_to', 'rewound'],
  withdrawn: ['withdrew', 'withdraw'],
  'not sealed': ['unsealed', 'intact, consistent, not sealed'],
  'further logs': ['other logs', 'further'],
  'waiting for you': ['waits for you', 'waited for you', 'waiting'],
  subagents: ['sub-agent', 'sidechain'],
  'at least': ['minimum'],
  compaction: ['compacted', 'compact', 'context', 'size of the context'],
  vetoes: ['vetoed by'],
  continued: ['continues', 'continued_in'],
  thinking: ['think', 'thought'],
  finding: ['code'],
  price: ['prices of', 'priced'],
  cwd: ['working folder', 'folder'],
  branch: ['branches'],
  'the same': ['in both', '='],
  a: ['in a only'],
  b: ['in b only'],
  'not compared': ['not compared here'],
  'skipped stages': ['skipped stage'],
  'repair with': ['repair', 'repair a copy with', 'continue or repair with'],
  torn: ['truncated', 'breaks off'],
  glued: ['same line', 'a second record begins here'],
  repeated: ['written again', 'repeats', 'repeated records counted once'],
  copied: ['copy', 'copied_messages', 'copied_answers', 'copied_tokens'],
  leaderboard: ['leaderboard of models'],
  k: ['m'],
  interrupted: ['no answer'],
  resumed: ['resumes after'],
  durations: ['metrics'],
  'left out': ['leaves out', 'not counted'],
  intact: ['undamaged', 'edits may go unseen'],
  rejected: ['account'],
  'led to': ['effects'],
  none: ['nothing proven'],
  'not verified': ['logs not checked'],
  page: ['html', 'report'],
  timeline: ['lane', 'lanes', 'agents and tools'],
  paused: ['interrupt', 'interrupts'],
  path: ['place', 'places'],
  '≠': ['different', 'differs', 'with different content', 'different content'],
  open: ['may have failed', 'its log does not say'],
  latest: ['latest (line)'],
  result: ['unnamed_results'],
  completed: ['cleanup'],
  key: ['key id', 'private key', 'public key'],
  attestation: ['attested'],
  'continue with': ['continue or repair'],
  help: ['what to do'],
  why: ['why it matters'],
  prompt: ['you'],
  opening: ['before the first turn'],
  refused: ['denied'],
  'not opened': ['no folder', 'api refuses'],
  session: ['thread'],
  log: ['transcript', 'rollout', 'trajectory'],
  'cut off': ['cut'],
  header: ['session header'],
  damaged: ['damaged line'],
  unknown: ['around damaged lines'],
  idle: ['outside turns'],
  'not checked': ['events not checked'],
  chain: ['chained'],
  cost_usd: ['as name wrote it'],
  ord: ['ordinal'],
  failed: ['calls without success'],
  lasted: ['duration'],
  detail: ['details'],
  start: ['started'],
  max: ['longest'],
  p95: ['95th percentile'],
  p50: ['median'],
  line: ['at'],
  warn: ['warned'],
  meta: ['not conversation'],
  double: ['repeats another record'],
  stated_tokens: ['requested_tokens', 'stated_cost_usd'],
  tokens_of_answers: ['cost_of_answers'],
  'other commands': ['other commands, whose effects the log does not show'],
  'may have changed files': [
    'may have changed a repository, the machine or a service',
    'may have changed more',
    'may have changed it',
    'may have changed something',
  ],
  'last test run': ['the last test run'],
  fork: ['forked', 'forked from', 'forked_from', 'fork of'],
  original: ['copy of'],
  placeholder: ['redacted', 'replaced'],
  cached: ['cache read'],
  level: ['lowest level'],
  stored: ['stored records'],
  'raw events': ['stored json', 'as it is stored', 'as json'],
  state: ['the whole state'],
  'they part': ['where they part'],
  'what changed': ['changed by this event', 'what differs'],
  actual: ['found'],
  integrity: ['verification'],
  repaired: ['repaired copy', 'repaired as'],
};

const wordsOf = (kind: Word['kind'], meanings: Meanings<string>, of?: string): Word[] =>
  Object.entries(meanings).map(([word, meaning]) => {
    const also = ALSO[word];
    return { word, kind, ...(of && { of }), ...(also && { also }), meaning };
  });

/** The words of reports and lists, and the terms of docs/glossary.md, as documented in docs/reports.md and docs/formats. */
export const WORDS: readonly Word[] = [
  ...wordsOf('verdict', VERDICTS),
  ...wordsOf('level', LEVEL_MEANINGS),
  ...wordsOf('severity', SEVERITY_MEANINGS),
  ...wordsOf('status', SESSIONS, 'sessions'),
  ...wordsOf('status', NOESIS, 'noesis'),
  ...wordsOf('status', COORDINATOR, 'coordinator'),
  ...wordsOf('status', EXARCHOS, 'exarchos'),
  ...wordsOf('status', FISHBOWL, 'fishbowl'),
  ...wordsOf('word', TERMS, 'the glossary'),
  ...wordsOf('word', OUTPUTS, 'outputs'),
];
