import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { textOf } from '../../../base/json/write.ts';
import { type Evidence, EvidenceMap } from '../../../findings/projection/evidence.ts';
import { timeOf } from '../event/kinds.ts';
import { isExtension, isOneOf, STEP_KINDS, STEP_STATUSES } from '../event/vocabulary.ts';

/** A step of a projected plan, in the shape of state.json. */
export interface PlanStep {
  id: string;
  kind: (typeof STEP_KINDS)[number];
  description: string;
  status: (typeof STEP_STATUSES)[number];
  rationale?: string;
  /** The ids of the steps it depends on. */
  depends_on?: string[];
  inputs?: JsonObject;
  outputs?: JsonObject;
  [extension: `x-${string}`]: JsonValue;
}

/** A plan in the shape of state.json. An empty `rationale` is left out. */
export interface PlanState {
  steps: PlanStep[];
  source: string;
  /** The time of the plan event; absent if it has none. */
  updated_at?: string;
  rationale?: string;
}

/** The number of unknown steps that are remembered. */
const MAX_UNKNOWN = 1000;

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
  if (isFilled(rationale)) step.rationale = rationale;
  if (Array.isArray(depends_on)) {
    const names = [...new Set(depends_on.filter((item) => typeof item === 'string'))];
    if (names.length > 0) step.depends_on = names;
  }
  if (isObject(inputs) && Object.keys(inputs).length > 0) step.inputs = inputs;
  if (isObject(outputs) && Object.keys(outputs).length > 0) step.outputs = outputs;
  for (const [key, value] of Object.entries(record)) if (isExtension(key)) step[key] = value;
  return step;
}

/** Splits a legacy label, `<kind>:<description>`, at the first colon. Without a colon it is all description. */
function stepFromLabel(label: string, position: number): PlanStep {
  const colon = label.indexOf(':');
  return {
    id: `step-${position}`,
    kind: colon === -1 ? 'plan' : kindOfStep(label.slice(0, colon)),
    description: label.slice(colon + 1),
    status: 'pending',
  };
}

/** The steps in a plan payload, and whether they come from labels. Undefined if it has no list of either. */
function stepsOf(payload: JsonObject): { steps: PlanStep[]; fromLabels: boolean } | undefined {
  const { step_records: records, steps: labels } = payload;
  // A position counts items that are left out.
  if (Array.isArray(records)) {
    const steps = records.flatMap((item, index) => (isObject(item) ? [stepFromRecord(item, index + 1)] : []));
    return { steps, fromLabels: false };
  }
  if (!Array.isArray(labels)) return undefined;
  const steps = labels.flatMap((item, index) =>
    typeof item === 'string' ? [stepFromLabel(item, index + 1)] : [],
  );
  return { steps, fromLabels: steps.length > 0 };
}

/** The plan of one event, before any act. */
interface PlannedState {
  readonly plan: PlanState | null;
  /** Whether the steps come from labels, which have no statuses. */
  readonly fromLabels: boolean;
  /** Whether the event names the planner. Only older runtimes omit it. */
  readonly namesSource: boolean;
}

/** The plan in a `plan` event; null if its payload has no list of steps. An empty list is a plan. */
function planOf(event: JsonObject): PlannedState {
  const { payload, agent_id: agent, timestamp } = event;
  const found = isObject(payload) ? stepsOf(payload) : undefined;
  if (found === undefined || !isObject(payload)) return { plan: null, fromLabels: false, namesSource: false };
  const { source: planner, rationale } = payload;
  const time = timestamp === '' ? timeOf({ ...event, timestamp: null }) : timeOf(event);
  const plan = {
    steps: found.steps,
    source: isFilled(planner) ? planner : isFilled(agent) ? agent : 'system',
    ...(time !== undefined && { updated_at: time }),
    ...(isFilled(rationale) && { rationale }),
  };
  return { plan, fromLabels: found.fromLabels, namesSource: isFilled(planner) };
}

/** The step that an act names, and its new status if there is one. */
export interface NamedStep {
  readonly id: string;
  readonly status: string | undefined;
}

export function stepOf(payload: JsonValue | undefined): NamedStep | undefined {
  if (!isObject(payload)) return undefined;
  const { step_id: id, step_status: status } = payload;
  return isFilled(id) ? { id, status: isFilled(status) ? status : undefined } : undefined;
}

/**
 * Rebuilds the plan from events in order (docs/formats/noesis.md §5.1): the last `plan` event sets the steps,
 * and later acts with both `step_id` and `step_status` change their status.
 */
export class PlanFold {
  /** Whether there was a plan event. */
  seen = false;
  fromLabels = false;
  /** Whether the last plan event names the planner. */
  namesSource = false;
  /** The line of a resume after the last plan event, at which the plan was read from state.json. */
  resumedAt: number | undefined;
  /** The event behind each part; paths begin with `plan`. */
  evidence = new EvidenceMap();
  #plan: PlanState | null = null;
  #indexById = new Map<string, number>();
  /** By the index of a step, the last act that names it without a status. */
  #namedWithoutStatus = new Map<number, Evidence>();
  /** The last statuses of steps whose ids the labels of the plan do not give. */
  #unknown = new Map<string, { readonly status: PlanStep['status']; readonly source: Evidence }>();
  /** The paths of statuses, by the index of a step. */
  readonly #paths: string[] = [];

  /** Adds the next event. Returns the index of the step whose status an act changed. */
  add(event: JsonObject, source: Evidence): number | undefined {
    const { phase, payload } = event;
    if (phase === 'plan') this.#adopt(planOf(event), source);
    else if (phase === 'runtime' && event['event_type'] === 'run.resume') this.resumedAt = source.line;
    else if (phase === 'act') {
      const named = stepOf(payload);
      return named && this.update(named, source);
    }
    return undefined;
  }

  /** Applies an act to its step. Returns the step's index, if it exists. */
  update({ id, status }: NamedStep, source: Evidence): number | undefined {
    const index = this.#indexById.get(id);
    const step = index === undefined ? undefined : this.#plan?.steps[index];
    if (index === undefined || step === undefined) {
      if (this.fromLabels && status !== undefined && this.#unknown.size < MAX_UNKNOWN)
        this.#unknown.set(id, { status: statusOfStep(status), source });
      return undefined;
    }
    if (status === undefined) {
      this.#namedWithoutStatus.set(index, source);
      return undefined;
    }
    step.status = statusOfStep(status);
    this.#paths[index] ??= `plan.steps[${index}].status`;
    this.evidence.set(this.#paths[index], source);
    return index;
  }

  /** Whether the last plan event has no list of steps. */
  get isMalformed(): boolean {
    return this.seen && this.#plan === null;
  }

  /** The last act that names this step but no status. It may explain an unexpected status. */
  namedWithoutStatus(index: number): Evidence | undefined {
    return this.#namedWithoutStatus.get(index);
  }

  /**
   * The plan as a state has it that names the steps of labels by `ids`: with the statuses that acts gave to these ids.
   */
  resultFor(ids: readonly unknown[]): PlanState | null {
    const plan = this.#plan;
    if (plan === null || this.#unknown.size === 0) return plan;
    const steps = plan.steps.map((step, index) => {
      const known = this.#unknown.get(textOf(ids[index]));
      if (known === undefined) return step;
      this.evidence.set(`plan.steps[${index}].status`, known.source);
      return { ...step, status: known.status };
    });
    return { ...plan, steps };
  }

  /** The plan, or null without a plan event or if its payload has no list of steps. */
  result(): PlanState | null {
    return this.#plan;
  }

  /** A copy that can be continued separately. */
  copy(): PlanFold {
    const fold = new PlanFold();
    fold.seen = this.seen;
    fold.fromLabels = this.fromLabels;
    fold.namesSource = this.namesSource;
    fold.resumedAt = this.resumedAt;
    fold.evidence = this.evidence.copy();
    fold.#plan = this.#plan && { ...this.#plan, steps: this.#plan.steps.map((step) => ({ ...step })) };
    fold.#indexById = this.#indexById;
    fold.#unknown = new Map(this.#unknown);
    fold.#namedWithoutStatus = new Map(this.#namedWithoutStatus);
    return fold;
  }

  #adopt({ plan, fromLabels, namesSource }: PlannedState, source: Evidence): void {
    this.seen = true;
    this.fromLabels = fromLabels;
    this.namesSource = namesSource;
    this.resumedAt = undefined;
    this.#namedWithoutStatus = new Map();
    this.evidence = new EvidenceMap();
    this.evidence.set('plan', source);
    this.#plan = plan;
    this.#indexById = new Map();
    plan?.steps.forEach((step, index) => {
      if (!this.#indexById.has(step.id)) this.#indexById.set(step.id, index);
    });
    // A label gives no id. Runtimes number the steps as `step-1`, the documents as `step_1`.
    for (const [index, { id }] of fromLabels && plan ? plan.steps.entries() : [])
      this.#indexById.set(id.replace('step-', 'step_'), index);
    this.#unknown = new Map();
  }
}

/**
 * Rebuilds the plan from events in order, as `plan` of state.json (docs/formats/noesis.md §5.1). Null without a plan
 * event, or if the last one has no list of steps. Never throws.
 */
export function projectPlanState(events: Iterable<object>): PlanState | null {
  const fold = new PlanFold();
  let line = 0;
  for (const event of events) {
    line += 1;
    if (isObject(event)) fold.add(event, { line });
  }
  return fold.result();
}
