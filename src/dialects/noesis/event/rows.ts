import type { JsonObject } from '../../../base/json/value.ts';
import type { LogRecord } from '../../../log/record.ts';
import type { Row } from '../../../log/row.ts';
import { layoutOf } from '../../../log/row-layout.ts';
import { ANY, at, both, either, like, NEVER, type Shape, unlike } from '../../../log/schema/shape.ts';
import { shapeOf } from '../../../log/schema/zod-shape.ts';
import { END_MEMBERS, isTruthy } from './kinds.ts';
import { type PayloadRules, payloadRules, runtimeRules } from './payloads.ts';
import { eventSchema, expectedSchema, runtimeEventSchema } from './schema.ts';
import { PHASES, type Phase } from './vocabulary.ts';

/** The columns that a projection reads. */
const PROJECTED = {
  phase: 'phase',
  id: 'id',
  timestamp: 'timestamp',
  eventType: ['event_type', 'word'],
  completed: 'metrics.completed_at',
  payload: 'payload',
  kind: 'payload.kind',
  type: 'payload.type',
  event: 'payload.event',
  synthetic: 'payload.synthetic',
  action: 'payload.action_id',
  tool: 'payload.tool',
  input: 'payload.input_excerpt',
  outcome: 'payload.outcome',
  result: 'payload.result_status',
  step: ['payload.step_id', 'word'],
  stepStatus: ['payload.step_status', 'word'],
  provenance: 'payload.provenance',
  artifacts: 'payload.result_artifacts',
  governedBy: 'payload.x-action_candidate_id',
  others: ['payload', 'others'],
} as const;

/** The columns that checks read: those of the projection, some with other kinds, and more. */
const COLUMNS = {
  ...PROJECTED,
  phase: ['phase', 'word'],
  id: ['id', 'id'],
  cause: ['caused_by', 'id'],
  episode: ['episode_id', 'word'],
  timestamp: ['timestamp', 'time'],
  evidence: 'evidence_ids',
  started: ['metrics.started_at', 'time'],
  completed: ['metrics.completed_at', 'time'],
  duration: ['metrics.duration_ms', 'number'],
  observed: ['payload.timestamp', 'time'],
  status: ['payload.status', 'word'],
  kind: ['payload.kind', 'word'],
  type: ['payload.type', 'word'],
  event: ['payload.event', 'word'],
  checkpoint: 'payload.checkpoint_id',
  candidate: ['payload.action_candidate_id', 'id'],
  ownCause: ['payload.caused_by', 'id'],
  ended: ['payload.episode_id', 'word'],
  governance: ['payload.governance_id', 'id'],
  stateHash: 'payload.state_hash',
  adapterLabel: 'payload.payload.adapter_label',
  decision: ['payload.decision', 'word'],
  enforced: 'payload.enforced',
  mode: ['payload.mode', 'word'],
  failurePolicy: ['payload.failure_policy', 'word'],
  message: 'payload.message',
  blocking: 'payload.blocking',
  applied: 'payload.applied',
  reason: 'payload.reason',
  tool: ['payload.tool', 'word'],
  outcome: ['payload.outcome', 'word'],
  error: 'payload.error',
  result: ['payload.result_status', 'word'],
} as const;

/** The shape of payloads that cause no findings. */
function payloadShape(rules: PayloadRules | undefined): Shape {
  if (rules === undefined) return ANY;
  const { forms, documented, fields } = rules;
  const oneOf = (some: PayloadRules['forms']) => (some ? either(some.map(shapeOf)) : ANY);
  return both(both(oneOf(forms), oneOf(documented)), shapeOf(fields));
}

/** The shape of runtime events. Their rules depend on the type: the first matching pattern counts. */
function runtimeShape(): Shape {
  const cases = runtimeRules.map(([pattern, rules], index) => {
    const others = runtimeRules.slice(0, index).map(([earlier]) => unlike(earlier));
    return both(
      at(['event_type'], others.reduce(both, like(pattern))),
      at(['payload'], payloadShape(rules())),
    );
  });
  return both(shapeOf(runtimeEventSchema), either(cases));
}

function shapesOf(phase: Phase): readonly Shape[] {
  const expected = shapeOf(expectedSchema);
  if (phase === 'runtime') return [expected, runtimeShape()];
  return [expected, shapeOf(eventSchema), at(['payload'], payloadShape(payloadRules(phase)))];
}

/** The build replaces this with the table of the layout (scripts/tables.ts). */
declare const NOESIS_TABLE_NOESIS: string | undefined;

/** How verification reads records. It rejects unknown phases, so that they are reported. */
export const LAYOUT = layoutOf(
  'phase',
  COLUMNS,
  PHASES.map((phase) => [phase, () => shapesOf(phase)] as const),
  () => [NEVER],
  /* v8 ignore next -- only the build puts it in place */
  typeof NOESIS_TABLE_NOESIS === 'string' ? NOESIS_TABLE_NOESIS : undefined,
);

/** How a projection alone reads records: with the same column numbers, and without rejecting any record. */
export const PROJECTED_LAYOUT = layoutOf(
  'phase',
  PROJECTED,
  PHASES.map((phase) => [phase, () => []] as const),
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** The number of a phase among the types of the layout. */
export const PHASE = Object.fromEntries(PHASES.map((phase, number) => [phase, number])) as Record<
  Phase,
  number
>;

const END_COLUMNS = END_MEMBERS.map((name) => COLUMN[name]);

/** Whether the event of a row ends the run, as `isTerminate` says of a parsed one. */
export function endsRun(row: Row): boolean {
  if (row.type !== PHASE.runtime) return row.type === PHASE.terminate;
  return END_COLUMNS.some((column) => row.text(column) === 'terminate');
}

/** Whether an event is about the run itself, such as a checkpoint. */
export function isAboutRun(row: Row): boolean {
  return row.text(COLUMN.eventType)?.startsWith('run.') === true;
}

/** Whether an event says that state.json was written. */
export function isStateProjectionRow(row: Row): boolean {
  return row.type === PHASE.runtime && row.text(COLUMN.eventType) === 'run.state_projection';
}

/** Whether an act is a roll-up; see `isSynthetic`. */
export function isRollUp(row: Row): boolean {
  return row.kind(COLUMN.synthetic) !== undefined && isTruthy(row.value(COLUMN.synthetic));
}

/** By the number of a phase: whether the projection ignores its events. */
const IGNORED = PHASES.map((phase) => !['start', 'plan', 'act', 'runtime', 'terminate'].includes(phase));

export const isIgnored = (row: Row): boolean => row.isAccepted && IGNORED[row.type] === true;

/** An event other than an act, as the projection needs it. `whole` parses the record. */
export function projectedEvent(row: Row, whole: (record: LogRecord) => JsonObject): JsonObject {
  const needsOnlyType = row.isAccepted && row.type === PHASE.runtime && !isAboutRun(row) && !endsRun(row);
  return needsOnlyType
    ? { phase: 'runtime', event_type: row.text(COLUMN.eventType) ?? null }
    : whole(row.record);
}
