import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Evidence, EvidenceMap } from '../../projection/evidence.ts';
import { isOneOf, STEP_KINDS, STEP_STATUSES } from './vocabulary.ts';

/** A step of a projected plan, in the shape of state.json; further keys are optional ones and `x-` extensions. */
export interface PlanStep {
  id: string;
  kind: (typeof STEP_KINDS)[number];
  description: string;
  status: (typeof STEP_STATUSES)[number];
  [optional: string]: JsonValue;
}

/** A plan as the log gives it, in the shape of state.json. `rationale` is left out where it is empty. */
export interface PlanState {
  steps: PlanStep[];
  source: string;
  /** The plan event's timestamp, or '' where it has none. */
  updated_at: string;
  rationale?: string;
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';

const kindOfStep = (word: unknown) => (isOneOf(STEP_KINDS, word) ? word : 'plan');
const statusOfStep = (word: unknown) => (isOneOf(STEP_STATUSES, word) ? word : 'pending');

function stepFromRecord(record: JsonObject, position: number): PlanStep {
  const { id, kind, description, status, rationale, depends_on, inputs, outputs } = record;
  const step: PlanStep = {
    id: isFilled(id) ? id : `step-${position}`,
    kind: kindOfStep(kind),
    description: isFilled(description) ? description : '',
    status: statusOfStep(status),
  };
  if (isFilled(rationale)) step['rationale'] = rationale;
  if (Array.isArray(depends_on)) {
    const names = [...new Set(depends_on.filter((item) => typeof item === 'string'))];
    if (names.length > 0) step['depends_on'] = names;
  }
  if (isObject(inputs) && Object.keys(inputs).length > 0) step['inputs'] = inputs;
  if (isObject(outputs) && Object.keys(outputs).length > 0) step['outputs'] = outputs;
  for (const [key, value] of Object.entries(record)) if (key.startsWith('x-')) step[key] = value;
  return step;
}

/** A legacy label, `<kind>:<description>`, split at the first colon; without one the whole is the description. */
function stepFromLabel(label: string, position: number): PlanStep {
  const colon = label.indexOf(':');
  return {
    id: `step-${position}`,
    kind: colon === -1 ? 'plan' : kindOfStep(label.slice(0, colon)),
    description: label.slice(colon + 1),
    status: 'pending',
  };
}

/** The steps of a plan payload; positions count dropped items too. */
function stepsOf(payload: JsonObject): PlanStep[] {
  const { step_records: records, steps: labels } = payload;
  if (Array.isArray(records)) {
    return records.flatMap((item, index) => (isObject(item) ? [stepFromRecord(item, index + 1)] : []));
  }
  if (!Array.isArray(labels)) return [];
  return labels.flatMap((item, index) => (typeof item === 'string' ? [stepFromLabel(item, index + 1)] : []));
}

/**
 * Rebuilds the plan from events handed over in the order of the file (noesis.md §5.1): the last `plan` event gives
 * the steps, and the acts after it that carry both `step_id` and `step_status` change their status.
 */
export class PlanFold {
  /** Whether there was a plan event at all. */
  seen = false;
  /** Whether the last plan event carries `step_records`, the evidence that newer runtimes write. */
  hasStepRecords = false;
  /** Which event each part comes from; paths begin with `plan`. */
  evidence = new EvidenceMap();
  #plan: PlanState | null = null;
  #indexById = new Map<string, number>();

  add(event: JsonObject, source: Evidence): void {
    if (event['phase'] === 'plan') this.#adopt(event, source);
    else if (event['phase'] === 'act') this.#apply(event['payload'], source);
  }

  /** The plan, or null where there is no plan event, or its payload holds no steps. */
  result(): PlanState | null {
    return this.#plan;
  }

  #adopt(event: JsonObject, source: Evidence): void {
    const { payload, agent_id: agent, timestamp } = event;
    this.seen = true;
    this.hasStepRecords = isObject(payload) && Array.isArray(payload['step_records']);
    this.evidence = new EvidenceMap();
    this.evidence.set('plan', source);
    this.#plan = null;
    this.#indexById = new Map();
    if (!isObject(payload)) return;
    const steps = stepsOf(payload);
    if (steps.length === 0) return;
    const { source: planner, rationale } = payload;
    this.#plan = {
      steps,
      source: isFilled(planner) ? planner : isFilled(agent) ? agent : 'system',
      updated_at: isFilled(timestamp) ? timestamp : '',
      ...(isFilled(rationale) && { rationale }),
    };
    steps.forEach((step, index) => {
      if (!this.#indexById.has(step.id)) this.#indexById.set(step.id, index);
    });
  }

  #apply(payload: JsonValue | undefined, source: Evidence): void {
    if (isObject(payload)) this.applyStatus(payload['step_id'], payload['step_status'], source);
  }

  /** What an act after the plan says about one of its steps. */
  applyStatus(id: unknown, status: unknown, source: Evidence): void {
    if (!isFilled(id) || !isFilled(status)) return;
    const index = this.#indexById.get(id);
    const step = index === undefined ? undefined : this.#plan?.steps[index];
    if (step === undefined) return;
    step.status = statusOfStep(status);
    this.evidence.set(`plan.steps[${index}].status`, source);
  }
}

/**
 * The plan that a list of events gives, in their order: `state.plan` of a run whose log holds the evidence.
 * Null where no plan event is among them, or the last one holds no steps. Never throws. (noesis.md §5.1)
 */
export function projectPlanState(events: Iterable<JsonObject>): PlanState | null {
  const fold = new PlanFold();
  let line = 0;
  for (const event of events) fold.add(event, { line: ++line });
  return fold.result();
}
