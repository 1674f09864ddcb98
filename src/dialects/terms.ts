/** The terms of the pages and messages of noesis, as docs/glossary.md explains them, with others that users look up. */
export const TERMS: Readonly<Record<string, string>> = {
  log: 'the file to which the events of a run are appended',
  record: 'one line of a log, or one entry of a log that is a single JSON document',
  episode: 'the folder of a Noēsis run, with its log and its other files',
  session: 'a run of a coding agent such as Claude Code',
  'output format': 'how a command prints its result, such as JSON or SARIF (see noesis verify --help)',
  stream: 'the ordered events of one workflow of Exarchos',
  ledger: 'a log of Fishbowl, which has several runs: FILE#RUN names one of them',
  target: 'the argument that names what a command reads (see noesis help targets)',
  root: 'the folder in which noesis looks for runs (see noesis help targets)',
  field: 'a named value of a record, a state or a manifest',
  cause: 'the earlier event that led to this event',
  parent: 'the record that a record of a session follows; noesis events --tree shows the tree of all records',
  payload: 'the part of an event that depends on its type',
  state: 'what the agent stored about its run (state.json)',
  'rebuilt state': 'the state that noesis project computes from the events alone',
  artifact: 'a file of an episode next to the log',
  manifest: "the list of an episode's files with their hashes",
  seal: 'the files that close an episode; nothing may be appended after them',
  signature:
    'what proves that somebody with a key wrote a manifest, a log checkpoint or an attestation (see noesis seal --help)',
  key: 'a secret, or a pair of a private and a public key, that signs or checks signatures (see noesis keygen --help)',
  check: 'a test of one rule by verify, with a finding for each violation',
  stage: 'a group of checks that verify runs or skips together',
  note: 'a finding of severity info; it never fails a run',
  rule: 'a setting of the severity of findings: noesis verify --rule CODE=SEVERITY',
  baseline: 'a file of known findings that verify ignores (see noesis verify --help)',
  shard: 'one part of the targets, when several machines verify them (see noesis merge --help)',
  'log checkpoint':
    'a signed count and hash of the lines of a log, kept in another place (see noesis help checkpoint)',
  attestation: 'a signed statement of a verdict and of the hash of every file (see noesis verify --help)',
  'error of a command': 'why a command could not do its work; never a finding',
  filter:
    'an option that selects runs, such as list --failed, or events, such as events --type (see noesis help list, noesis help events)',
  trace: 'a run as spans, for programs that show traces (see noesis help export)',
  span: 'a call, a turn or a step with its beginning and end, in a trace',
};

/** Other forms of the terms. */
export const OTHER_FORMS: Readonly<Record<string, readonly string[]>> = {
  target: ['argument'],
  'rebuilt state': ['projection', 'projected'],
  'log checkpoint': ['checkpoint'],
  root: ['runs_dir'],
  signature: ['signed by'],
  shard: ['sharding'],
};
