// The names and words of the envelope and of the payloads that the fast way knows (noesis.md §2).

import { ascii, Word } from './words';

/** The first bytes of values, which tell their kind. */
export const QUOTE: u32 = 0x22;
export const BRACE: u32 = 0x7b;
export const BRACKET: u32 = 0x5b;
export const COLON: u32 = 0x3a;

export const PHASES: StaticArray<Word> = [
  ascii('start'), ascii('observe'), ascii('interpret'), ascii('plan'), ascii('direction'), ascii('governance'),
  ascii('action_candidate'), ascii('act'), ascii('reflect'), ascii('learn'), ascii('runtime'), ascii('terminate'),
  ascii('insight'), ascii('memory'), ascii('intuition'), ascii('reason'), ascii('error'),
];
export const OBSERVE: i32 = 1;
export const INTERPRET: i32 = 2;
export const PLAN: i32 = 3;
export const GOVERNANCE: i32 = 5;
export const CANDIDATE: i32 = 6;
export const ACT: i32 = 7;
export const REFLECT: i32 = 8;
export const LEARN: i32 = 9;
export const RUNTIME: i32 = 10;
export const TERMINATED: i32 = 11;
export const INSIGHT: i32 = 12;
export const MEMORY: i32 = 13;
export const INTUITION: i32 = 14;
export const REASON: i32 = 15;
export const ERROR: i32 = 16;

export const ID = ascii('id');
export const PHASE = ascii('phase');
export const PAYLOAD = ascii('payload');
export const TIMESTAMP = ascii('timestamp');
export const EPISODE = ascii('episode_id');
export const EVIDENCE = ascii('evidence_ids');
export const AGENT = ascii('agent_id');
export const CAUSED_BY = ascii('caused_by');
export const EVENT_TYPE = ascii('event_type');
export const FACULTY = ascii('faculty');
export const METRICS = ascii('metrics');
export const STARTED = ascii('started_at');
export const COMPLETED = ascii('completed_at');
export const DURATION = ascii('duration_ms');

export const FACULTIES: StaticArray<Word> = [ascii('intuition'), ascii('direction'), ascii('governance'), ascii('insight')];
export const STEP_STATUSES: StaticArray<Word> = [
  ascii('pending'), ascii('running'), ascii('done'), ascii('skipped'), ascii('failed'), ascii('vetoed'),
];
export const POLICY_KINDS: StaticArray<Word> = [ascii('llm'), ascii('rules'), ascii('hybrid')];
export const MILD_DECISIONS: StaticArray<Word> = [ascii('allow'), ascii('audit')];
export const CANDIDATE_VERSION: StaticArray<Word> = [ascii('action_candidate/1.0.0')];
export const SHA256 = ascii('sha256:');
/** What the types of the runtime's own lifecycle events begin with. */
export const RUN_DOT = ascii('run.');
/** The words of a status that move a run from one state to another (noesis.md §9). */
export const RUN_STATES: StaticArray<Word> = [
  ascii('running'), ascii('interrupted'), ascii('paused'), ascii('resuming'), ascii('success'), ascii('failed'),
  ascii('vetoed'), ascii('cancelled'), ascii('error'),
];
export const TERMINATE: StaticArray<Word> = [ascii('terminate')];
export const TERMINATE_STATUSES: StaticArray<Word> = [
  ascii('completed'), ascii('errored'), ascii('vetoed'), ascii('aborted'), ascii('ok'), ascii('error'),
];
export const STATE_PROJECTION: StaticArray<Word> = [ascii('run.state_projection')];
export const STEP_KINDS: StaticArray<Word> = [
  ascii('detect'), ascii('analyze'), ascii('plan'), ascii('act'), ascii('verify'), ascii('review'),
];
export const ADVICE_KINDS: StaticArray<Word> = [ascii('hint'), ascii('intervention'), ascii('veto')];
export const RISK_LEVELS: StaticArray<Word> = [ascii('low'), ascii('moderate'), ascii('high'), ascii('critical')];
export const SCRUTINY_LEVELS: StaticArray<Word> = [ascii('normal'), ascii('elevated'), ascii('strict')];

export const SIGNALS = ascii('signals');
export const INTENT = ascii('intent');
export const SUCCESS = ascii('success');
export const GOVERNANCE_ID = ascii('governance_id');
export const DECISION = ascii('decision');
export const POLICY_ID = ascii('policy_id');
export const POLICY_KIND = ascii('policy_kind');
export const SCORE = ascii('score');
export const DETAILS = ascii('details');
export const ENFORCED = ascii('enforced');
export const RULE_ID = ascii('rule_id');
export const CANDIDATE_ID = ascii('action_candidate_id');
export const KIND = ascii('kind');
export const STATE_REF = ascii('state_ref');
export const STATE_HASH = ascii('state_hash');
export const REDACTION = ascii('redaction');
export const SCHEMA_VERSION = ascii('schema_version');
export const INPUT_EXCERPT = ascii('input_excerpt');
export const OUTCOME = ascii('outcome');
export const RESULT_STATUS = ascii('result_status');
export const ACTION_ID = ascii('action_id');
export const TOOL = ascii('tool');
export const ADAPTER = ascii('adapter');
export const STEP_ID = ascii('step_id');
export const STEP_STATUS = ascii('step_status');
export const PROVENANCE = ascii('provenance');
export const ARTIFACTS = ascii('result_artifacts');
export const STATUS = ascii('status');
export const TYPE = ascii('type');
export const EVENT = ascii('event');
export const TASK = ascii('task');
export const TAGS = ascii('tags');
export const CONTEXT = ascii('context');
export const CONFIDENCE = ascii('confidence');
export const BLOCKING = ascii('blocking');
export const RISK_LEVEL = ascii('risk_level');
export const SCRUTINY = ascii('scrutiny_level');
export const SALIENCE = ascii('salience_signals');
export const STRATEGIES = ascii('strategy_hints');
export const TOOL_CONSTRAINTS = ascii('tool_constraints');
export const STEPS = ascii('steps');
export const STEP_RECORDS = ascii('step_records');
export const SOURCE = ascii('source');
export const RATIONALE = ascii('rationale');
export const LEARN_PATH = ascii('learn_path');
export const LEARN_SCHEMA = ascii('learn_schema');
export const PROPOSAL_COUNT = ascii('proposal_count');
export const PROPOSAL_IDS = ascii('proposal_ids');
export const APPLIED = ascii('applied');
export const APPLIED_COUNT = ascii('applied_count');
export const SCOPE = ascii('scope');
export const OUTCOMES = ascii('outcomes');
export const SYNTHETIC = ascii('synthetic');
