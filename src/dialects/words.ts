import type { LEVELS } from '../findings/level.ts';
import type { VERDICTS as VERDICT_WORDS } from '../findings/report-words.ts';
import type { Severity } from '../findings/severity.ts';
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
  open: 'the last prompt has no complete answer, or the session has no prompt yet: the program still works, or was stopped without a word',
  interrupted:
    'the last answer was interrupted, mostly by the user; some programs only store that it was cut off',
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

const AT_LEAST = 'the real number may be larger, because the log lacks tokens or a model has no price';

const OUTPUTS: Meanings<string> = {
  cost: 'the tokens of a run times the prices of its models (see noesis help prices)',
  lasted: 'the time from the first record to the last one',
  worked: 'the time of the model and the tools, without waiting for a person and idle time',
  'waiting for you':
    'the program waited for the answer of a person, such as a permission; if the log only says how long the program worked on a turn, the rest of the turn is inferred to be such a wait',
  idle: 'nothing happened: the time before the first turn, between turns and after the last one',
  wait: 'the bar ░: the program waited for the answer of a person, such as a permission',
  work: 'the bar █ in the rows of a timeline: what a turn, a call or a step did without waiting; in the line Time it is the model',
  '✗': 'it failed, or never got a result',
  '⊘': 'a person, a rule or a limit refused or stopped it, so it did not fail by itself',
  '✓': 'it succeeded',
  '█': 'in the rows of a timeline the work of a turn, a call or a step; in the line Time the time of the model',
  '▒': 'the time of the tools; calls at the same time count once',
  '░': 'the time in which the program waited for a person',
  '·': 'in the rows of a timeline an instant; in the line Time idle time',
  'at least': AT_LEAST,
  '≥': `at least: ${AT_LEAST}`,
  vetoes: 'the decisions of governance or the intuition that a step must not run',
  generic: 'the dialect of JSON Lines that no other dialect fits: verify only checks that the log is intact',
  meta: 'a record that is not part of the conversation, such as a setting, an instruction or a summary',
  double: 'a record that repeats what another record says; it is not counted again',
  'time utc': 'the time in UTC; without --utc, times are local',
  entrypoint: 'how the program was started, such as cli or sdk-cli',
  format: 'the version of the format of the log',
  links: 'the pull requests that the session opened',
  '!': 'after a status in a list: the log has damaged lines and is not repaired, so the run may have ended in another way',
  '?': 'unknown: in a bar, nobody knows if the program worked, because lines are damaged or a call may have run; before an event or a call, the log does not say how it ended',
  '…': 'before a call, a turn or an event: it has not ended; at the end of a text: the text goes on, and -j has all of it',
  '≠': 'in a diff: both runs have it, and it differs',
  '+': 'in a diff: only run B has it',
  '-': 'in a diff: only run A has it',
  '~': 'in a diff: both runs have the event, and it differs',
  '│': 'before the lines of an output, or of a text that a call wrote',
  '[x]': 'a task of a plan that is done; [>] is the one that the agent works on, [ ] is open',
  '≤': 'at most: the log only says how long a call took together with the wait for a person',
  p50: 'the median: half of the durations are not longer',
  p95: '95 of 100 durations are not longer',
  max: 'the longest duration',
  took: 'how long it took; for a run from its first record to its last one, with waiting and idle time',
  time: 'when something happened, or where the time of a run went: model, tools, waiting for you, idle',
  age: 'the time since the last record of the run; the time of its file if no record has a time',
  start: 'the time of the first record',
  started: 'the time of the first record',
  duration: 'the time from the first record to the last one',
  'no time': 'what --since and --until leave out because the log has no time for it',
  offset: 'the time since the beginning of the run',
  'taken back': 'a rewind took the turn out of the conversation; the log still has it, and its tokens count',
  'not sealed':
    'nothing closes the log: verify cannot tell if its texts were changed or its end is missing (see noesis help checkpoint)',
  waited:
    'how long it waited for the answer of a person; of a turn, this may be inferred: what its duration has beyond the work that the program measured',
  id: 'the name of a run for other commands, or of an event in its log',
  name: 'a tool, or a type of records',
  line: 'the number of the line in the log; noesis show RUN LINE shows it',
  run: 'one execution of an agent; a session of a coding agent is a run',
  runs: 'the number of runs; logs of subagents and further logs belong to a run and are not counted as runs',
  'further logs': 'more logs of one session, which its program began when the session went on',
  subagents: 'agents that the run started and that have their own logs',
  agent: 'main, or a subagent with its own log',
  main: 'everything that no subagent did',
  project: 'the name of the folder in which the agent worked',
  dialect: 'the format of the log',
  model:
    'the model that answered; +1 if there is another one; in the time of a run, turns without calls and waits',
  unknown:
    'the log does not say it; in the time of a run, what is around damaged lines or while a call or a hook may have worked',
  title: 'the first prompt, or the title that the program gave the session',
  task: 'what the run was asked to do',
  what: 'what failed or happened: a tool, a type of records, a text',
  why: 'the reason, as the log has it',
  latest: 'the newest case: the run, and its line',
  'latest (line)': 'the newest case: the run, and its line',
  count: 'how often it happened',
  status: 'how the run ended, or what it does now; noesis explain STATUS explains one',
  result: 'what a call returned; in list, the outcome of a run in a few words, such as who won',
  success: 'of the runs that have ended, how many succeeded',
  chain: 'the profile of hashes that seems to link the records; list does not verify it',
  seal: 'whether the run was closed with final.json and a manifest',
  log: 'the size of the log, without those of subagents',
  path: 'where the log is',
  turn: 'a prompt of the user and everything until the next one',
  step: 'a part of a run: a turn, a task, a call or an event',
  phase: 'the kind of work that an event belongs to, such as plan or act; in a session the kind of record',
  type: 'what a record is called in its log',
  event: 'a record of the log; several records can be one call',
  call: 'the use of a tool, with its result',
  tool: 'what the agent can use, such as a shell; in the time of a run, its calls',
  copies: 'calls that several logs of one session contain, as after a fork',
  day: 'a day in UTC: runs count on the day of their start, tokens on the day of the answer',
  tokens:
    'the tokens of all models together: input, cached input, cache writes and output; reasoning is part of the output',
  usage: 'the tokens of a request or of a run, or a record with them',
  input: 'tokens of the request that were not in the cache',
  cached: 'tokens of the request that the cache had; they cost less',
  'cache write': 'tokens that were written to the cache, for 5 minutes or for 1 hour',
  output: 'tokens of the answer, with reasoning',
  reasoning: 'tokens with which the model thought before its answer; they are part of the output',
  total: 'all tokens of the run, with those of its subagents and further logs',
  'no price':
    'no price of the model is known, so its tokens are not part of the cost (see noesis help prices)',
  compaction: 'the program replaced the beginning of the conversation by a summary, to make room',
  edits: 'how often the run changed the file',
  files: 'the files that calls changed; noesis show RUN --changes has the differences',
  failures: 'calls and events that failed; noesis lists those that were refused or stopped apart',
  'refused or stopped':
    'calls and events that a person, a rule or a limit refused or stopped, so they did not fail by themselves',
  'edits that failed': 'calls that were to change a file and failed, so the file stayed as it was',
  failed:
    'how many calls failed or have no result; 3 + 1 refused: a person or a policy did not allow one more; + 1 interrupted: the user or a limit stopped one',
  'failed call': 'a call that ended with an error',
  refused:
    'a person or a policy did not allow the call; in doctor, the program does not open the session, or the API refuses what it sends',
  resumes:
    'in doctor, the program loads everything on the branch that continues, and the API accepts it; the log may be damaged elsewhere',
  intact: 'every line of the log is a complete JSON object',
  behind:
    'in doctor, the program continues from an earlier place than the newest turns, which are on another branch',
  lost: 'in doctor, the program opens the session without a part of the conversation; in salvage, what the copy will lack',
  damaged:
    'a line of a log that is not a complete JSON object; it is left out, and in diff what only one run has may have been in it',
  danger: 'in doctor, the next start of the program destroys something of the session',
  verdict: 'what doctor and verify found: noesis explain explains each one',
  loads: 'in doctor, how many parts of the conversation a resume loads, of how many',
  program: 'the program that wrote the session and can continue it',
  denied: 'refused: a person or a policy did not allow the call',
  'no result': 'the log has no result of the call: it was cut off, or the program was stopped',
  'open call': 'the last call, which has no result yet',
  'interrupted call': 'a call that the user stopped',
  'api error': 'the program got an error instead of an answer of the model',
  'last answer': 'the last text of the model',
  'last event': 'the last record of a run that has not ended',
  veto: 'a decision that a step must not run',
  'why it ended': 'the event that ended the run, with its line',
  'so far': 'what the run has come to, as its log has no end',
  'on the way': 'failures after which the run went on; they did not end it',
  slowest: 'the calls or events that took longest',
  session: 'what the program wrote about itself: versions, folder, branch',
  integrity: 'what a verification of the log found, and how much it proves',
  state: 'the result of the run that the agent stored next to the log',
  resume:
    'the command that continues the session; not shown for the log of a subagent, a log that is not in a folder of its program, an id that a shell could misread, or a program that cannot resume',
  a: 'the first run of a diff; what is in A only is not in B',
  b: 'the second run of a diff',
  'they part': 'the first step that differs between two runs',
  tests: 'the calls that ran tests, and how many failed',
  texts: 'prompts, answers and errors of a session',
  outcome: 'why the runs ended, where they differ',
  stored: 'how many stored records are the same; they may differ although the runs did the same',
  kind: 'what a record is: its phase, or its part in a conversation such as prompt, answer, call or result',
  detail: 'the most informative part of a record, such as a text or the arguments of a call',
  details: 'the most informative part of a record, such as a task or a reason',
  text: 'a text of the log, cut to the width of the terminal',
  prompt: 'what a person, or another agent, asked the agent to do',
  ord: 'the number that the program gave the record (ordinal)',
  seq: 'the number that the program gave the event (sequence)',
  actor: 'who did it: a player, an agent or the program',
  group: 'events of one kind, in the list of types',
  fields: 'the fields that an event of this type can have',
  meaning: 'what the program means by a type of events',
  source: 'which part of the program writes events of this type',
  doc: 'whether the documents of the program describe this type of events',
  ms: 'milliseconds',
  scores: 'how the judge rated a run',
  gate: 'a check that work has to pass before it goes on',
  passed: 'how often the work passed the check',
  'waits for': 'the tasks that must be done first',
  'going on': 'what the run does or waits for now, as its log has no end',
  cast: 'the roles of the players',
  said: 'how often a player spoke',
  level:
    'how much a verification proves: none, readable, consistent, sealed, signed or anchored, the lowest first',
  severity: 'how serious a finding is: error, warn or info',
  finding: 'one thing that verify reports, with a code, a severity and a place',
  price: 'what a model costs per million tokens (see noesis help prices)',
  thinking: 'what the model thought before an answer or a call',
  answer: 'what the model said; an answer is counted once, although a log may repeat it',
  request: 'one call of the model by the program; each one has its own tokens',
  header: 'the first record of a log, with its version and the id of the session',
  part: 'a piece of a session, such as a prompt, an answer, a call or a result; in doctor, what a resume loads',
  branch:
    'the branch of the repository in which the agent worked; in doctor, one way of a conversation that was rewound',
  cwd: 'the working folder of the session',
  versions: 'the versions of the program that wrote the session',
  originator: 'the program, or part of it, that started the session',
  closed: 'whether the program wrote the end of the session',
  warning: 'what the program warned of; the run went on',
  you: 'a prompt that the user wrote',
  'before the first turn': 'what the log has before the first prompt',
  user: 'a record with what the user, or a program for them, sent',
  assistant: 'a record with what the model said or called',
  system: 'a record that the program wrote about itself',
  permission: 'a question to the user whether a call may run, or the answer',
  hook: 'a command of the user that the program ran at an event',
  role: 'who said it: user, assistant or tool',
  'left out': 'what is not in the output, and why',
  counts: 'how many events of each phase, name and reason a run has, where two runs differ',
  durations: 'how long the events of two runs took, where they differ',
  median: 'half of the durations are not longer',
  '95th percentile': '95 of 100 durations are not longer',
  longest: 'the longest duration',
  'the same': 'in a diff: both runs have it, and nothing that is compared differs',
  'not compared': 'what diff or project left out, with the reason',
  'logs not checked': 'list reads only parts of the logs; noesis verify reads and checks all of them',
  'not checked': 'what verify or doctor left out, with the reason',
  'not examined': 'sessions that doctor does not know how to load, such as those in a database',
  'not read': 'files that noesis left out, with the reason',
  'cannot read': 'the log or a file of it cannot be opened, or its format is not known',
  'not shown': 'what the short form leaves out; the same line names the option that shows it',
  'skipped stages': 'the groups of checks that verify did not run, with the reason',
  expected: 'in a finding: what the rule, or the other place, says it must be',
  actual: 'in a finding: what the log or the file has',
  help: 'what to do about an error or a finding',
  'other branches': 'parts of a conversation that a rewind or a fork left, so a resume does not load them',
  repeated: 'a record that is in the log twice, such as after a copy; it is not counted again',
  copied: 'records or tokens that a log took over from the session that it continues; they count once',
  glued: 'two records on one line: the first one was cut off, and the next one was written behind it',
  torn: 'a record that breaks off, because a write was interrupted',
  'cut off': 'a record or an answer that ends before it is complete',
  skipped: 'a line, a file or a check that was left out, with the reason',
  kept: 'what salvage takes into the copy unchanged',
  repaired: 'a place that salvage or doctor --fix mends in the copy',
  'its place': 'in doctor: the path at which the program looks for the session',
  'continue with': 'in doctor: the command that continues the session',
  'repair with': 'in doctor: the command that repairs the session, or a copy of it',
  'resume not possible': 'the program does not continue the session, with its own message',
  usd: 'US dollars; a cost is an estimate from prices, unless the program wrote it',
  k: '1,000, such as 1.7k tokens; M is 1,000,000',
  'calls without success': 'calls that failed, were refused or interrupted, or have no result',
  goal: 'what the run was to achieve, as its state says',
  plan: 'the steps that the agent intends to do',
  actions: 'what the agent did, as its state says',
  rationale: 'why the plan is as it is, as the agent wrote it',
  updated: 'when the state was last changed',
  created: 'when the run or its state was made',
  feature: 'the id of the workflow, by which its program names it',
  scenario: 'the situation that the players of Fishbowl are put in',
  scene: 'what the players of Fishbowl see of the world at the end of the log',
  seed: 'the number or text that a run was started with',
  end: 'why the run ended, such as a verdict or a used budget',
  winner: 'who won, as the end of the run says',
  judge: 'the last notes of the judge, who may name a winner',
  visitor: 'the last notes of visitors',
  leaderboard: 'how often each agent or model won, over all runs of the log',
  profile: 'the name of the model of a player, as its program lists it',
  wins: 'how many runs an agent or model won',
  plays: 'in how many runs an agent or model took part',
  share: 'the wins as a part of the plays',
  finished: 'when the run ended',
  opening: 'what a run has before its first turn',
  resumed: 'an interrupted run went on',
  'continue or repair': 'the command that continues the session, or repairs it first',
};

/** Other forms of words. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  ...OTHER_FORMS,
  'taken back': ['took back', 'take back', 'rolled back', 'rewind'],
  withdrawn: ['withdrew', 'withdraw'],
  'not sealed': ['unsealed', 'intact, consistent, not sealed'],
  'further logs': ['other logs', 'further'],
  'waiting for you': ['waits for you', 'waited for you', 'waiting'],
  subagents: ['sub-agent'],
  'at least': ['minimum'],
  compaction: ['compacted', 'compact'],
  vetoes: ['vetoed by'],
  continued: ['continues'],
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
  repeated: ['written again', 'repeats'],
  copied: ['copy'],
  leaderboard: ['leaderboard of models'],
  k: ['m'],
  resumed: ['resumes after'],
  durations: ['metrics'],
  'left out': ['leaves out'],
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
