import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { layoutOf } from '../../log/row-layout.ts';
import { ANY, at, both, either, like, NEVER, type Shape, unlike } from '../../schema/shape.ts';
import { shapeOf } from '../../schema/zod-shape.ts';
import { isTruthy } from './event-kinds.ts';
import { eventSchema, expectedSchema, runtimeEventSchema } from './schema/event.ts';
import { type PayloadRules, payloadRules, runtimeRules } from './schema/payloads.ts';
import { PHASES, type Phase } from './vocabulary.ts';

/** What the checks look at in every record. */
const COLUMNS = {
  phase: 'phase',
  id: ['id', 'id'],
  cause: ['caused_by', 'id'],
  episode: ['episode_id', 'id'],
  timestamp: ['timestamp', 'time'],
  eventType: ['event_type', 'word'],
  evidence: 'evidence_ids',
  started: ['metrics.started_at', 'time'],
  completed: ['metrics.completed_at', 'time'],
  duration: ['metrics.duration_ms', 'number'],
  payload: 'payload',
  observed: ['payload.timestamp', 'time'],
  status: ['payload.status', 'word'],
  kind: ['payload.kind', 'word'],
  type: ['payload.type', 'word'],
  event: ['payload.event', 'word'],
  checkpoint: 'payload.checkpoint_id',
  candidate: ['payload.action_candidate_id', 'id'],
  ownCause: ['payload.caused_by', 'id'],
  ended: ['payload.episode_id', 'id'],
  decision: ['payload.decision', 'word'],
  enforced: 'payload.enforced',
  synthetic: 'payload.synthetic',
  action: 'payload.action_id',
  tool: ['payload.tool', 'word'],
  input: 'payload.input_excerpt',
  outcome: ['payload.outcome', 'word'],
  result: ['payload.result_status', 'word'],
  step: ['payload.step_id', 'word'],
  stepStatus: ['payload.step_status', 'word'],
  provenance: 'payload.provenance',
  artifacts: 'payload.result_artifacts',
  others: ['payload', 'others'],
} as const;

/** What a payload must be for there to be nothing to say about it alone. */
function payloadShape(rules: PayloadRules | undefined): Shape {
  const { forms, fields } = rules ?? {};
  return both(forms ? either(forms.map(shapeOf)) : ANY, fields ? shapeOf(fields) : ANY);
}

/** Of the runtime's events the rules depend on their type: the first pattern that it matches says which. */
function runtimeShape(): Shape {
  const cases = runtimeRules.map(([pattern, rules], index) => {
    const others = runtimeRules.slice(0, index).map(([earlier]) => unlike(earlier));
    return both(at(['event_type'], others.reduce(both, like(pattern))), at(['payload'], payloadShape(rules)));
  });
  return both(shapeOf(runtimeEventSchema), either(cases));
}

function shapesOf(phase: Phase): readonly Shape[] {
  const expected = shapeOf(expectedSchema);
  if (phase === 'runtime') return [expected, runtimeShape()];
  return [expected, shapeOf(eventSchema), at(['payload'], payloadShape(payloadRules[phase]))];
}

/** How verification reads the records of a log. A phase that nobody knows is something to say. */
export const LAYOUT = layoutOf(
  'phase',
  COLUMNS,
  PHASES.map((phase) => [phase, () => shapesOf(phase)] as const),
  () => [NEVER],
);

/** The numbers of the columns. */
export const COLUMN = LAYOUT.at;

/** The number of a phase among the types of the layout. */
export const PHASE = Object.fromEntries(PHASES.map((phase, number) => [phase, number])) as Record<
  Phase,
  number
>;

/** Whether an event ends the run; see `isTerminate`. */
export function endsRun(row: Row): boolean {
  if (row.type === PHASE.terminate) return true;
  return (
    row.type === PHASE.runtime &&
    (row.text(COLUMN.kind) === 'terminate' ||
      row.text(COLUMN.type) === 'terminate' ||
      row.text(COLUMN.event) === 'terminate')
  );
}

/** Whether an event is the runtime's own about the run: its checkpoints, its ends. */
export function isAboutRun(row: Row): boolean {
  return row.text(COLUMN.eventType)?.startsWith('run.') === true;
}

/** Whether an event records that state.json was persisted. */
export function isStateProjectionRow(row: Row): boolean {
  return row.type === PHASE.runtime && row.text(COLUMN.eventType) === 'run.state_projection';
}

/** Whether an act is a roll-up of others and no action of its own. */
export function isRollUp(row: Row): boolean {
  return row.kind(COLUMN.synthetic) !== undefined && isTruthy(row.value(COLUMN.synthetic));
}

/** What only the payload itself tells. */
const MORE_OF_AN_ACT = [COLUMN.synthetic, COLUMN.provenance, COLUMN.artifacts];

function actPayload(row: Row): JsonValue | undefined {
  if (row.hasOthers(COLUMN.others) || MORE_OF_AN_ACT.some((column) => row.kind(column) !== undefined))
    return row.value(COLUMN.payload);
  // All of one form, null for what is not there: a log may have a hundred thousand.
  const text = (column: number) => row.text(column) ?? null;
  return {
    action_id: text(COLUMN.action),
    kind: text(COLUMN.kind),
    tool: text(COLUMN.tool),
    input_excerpt: text(COLUMN.input),
    outcome: text(COLUMN.outcome),
    result_status: text(COLUMN.result),
    step_id: text(COLUMN.step),
    step_status: text(COLUMN.stepStatus),
  };
}

/** By the number of a phase: whether its events tell the projection nothing. */
const UNREAD = PHASES.map((phase) => !['start', 'plan', 'act', 'runtime', 'terminate'].includes(phase));

/** Whether an event surely tells nothing of the state. */
export const tellsNothing = (row: Row): boolean => row.isAccepted && UNREAD[row.type] === true;

/**
 * An event as far as the projection reads it: `whole` gives the record, with its numbers as that wants them. Nothing is
 * parsed for an event that tells nothing of the state, and of an act only what no column holds.
 */
export function projectedEvent(row: Row, whole: (record: LogRecord) => JsonObject): JsonObject {
  if (!row.isAccepted || row.record.mayRound || row.kind(COLUMN.timestamp) !== 'string')
    return whole(row.record);
  const phase = PHASES[row.type] ?? '';
  if (row.type === PHASE.act) {
    const [id, timestamp] = [row.text(COLUMN.id) ?? null, row.text(COLUMN.timestamp) ?? null];
    return { phase, id, timestamp, payload: actPayload(row) ?? null };
  }
  if (row.type === PHASE.runtime && !isAboutRun(row) && !endsRun(row))
    return { phase, event_type: row.text(COLUMN.eventType) ?? null };
  return whole(row.record);
}
