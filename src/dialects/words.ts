import type { LEVELS } from '../findings/level.ts';
import type { VERDICTS as VERDICT_WORDS } from '../findings/report-words.ts';
import type { Severity } from '../findings/severity.ts';
import { OUTPUTS } from './output-words.ts';
import { type Meanings, STATUS_MEANINGS } from './status-words.ts';
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

const VERDICTS: Meanings<(typeof VERDICT_WORDS)[number]> = {
  ok: 'no finding of this run counts',
  warn: 'the run has warnings, and no error',
  fail: 'the run has an error, or lacks something that an option such as --strict or --require-seal asks for',
};

/** What each level proves. A level includes those before it. */
export const LEVEL_MEANINGS: Meanings<(typeof LEVELS)[number]> = {
  none: 'nothing proven: not every record could be read, or the log has no record',
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
  refused: ['denied', 'refused call', 'denied call'],
  'not opened': ['no folder', 'api refuses'],
  session: ['thread'],
  log: ['transcript', 'rollout', 'trajectory'],
  'cut off': ['cut'],
  header: ['session header'],
  damaged: ['damaged line'],
  unknown: ['around damaged lines'],
  idle: ['outside turns', 'without events', 'without selected events'],
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
  ...Object.entries(STATUS_MEANINGS).flatMap(([of, meanings]) => wordsOf('status', meanings, of)),
  ...wordsOf('word', TERMS, 'the glossary'),
  ...wordsOf('word', OUTPUTS, 'outputs'),
];
