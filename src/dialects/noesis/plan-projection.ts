import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { type Evidence, EvidenceMap } from '../../projection/evidence.ts';
import { timeOf } from './outcome-projection.ts';
import { isExtension, isOneOf, STEP_KINDS, STEP_STATUSES } from './vocabulary.ts';

/** A step of a projected plan, in the shape of state.json. */
export interface PlanStep {
  id: string;
  kind: (typeof STEP_KINDS)[number];
  description: string;
  status: (typeof STEP_STATUSES)[number];
  rationale?: string;
  /** The ids of the steps that come before it. */
  depends_on?: string[];
  inputs?: JsonObject;
  outputs?: JsonObject;
  [extension: `x-${string}`]: JsonValue;
}

/** A plan as the log gives it, in the shape of state.json. `rationale` is left out where it is empty. */
export interface PlanState {
  steps: PlanStep[];
  source: string;
  /** The plan event's time; absent where the event has none. */
  updated_at?: string;
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

/** The steps of a plan payload, and whether they come from labels; undefined where it has no list of either. */
function stepsOf(payload: JsonObject): { steps: PlanStep[]; fromLabels: boolean } | undefined {
  const { step_records: records, steps: labels } = payload;
  // Positions count dropped items too.
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

/** A plan as its own event gives it, before any act. */
export interface PlannedState {
  readonly plan: PlanState | null;
  /** The steps come from labels, which give no statuses. */
  readonly fromLabels: boolean;
  /** The event names the planner, as all but older runtimes write it. */
  readonly namesSource: boolean;
}

/** The plan that a `plan` event gives; null where its payload has no list of steps. An empty list is a plan. */
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

/** The step that an act names, with its status now if the act gives one. */
export interface ToldStep {
  readonly id: string;
  readonly status: string | undefined;
}

/** The step that an act's payload names; undefined if it names none. */
export function toldStep(payload: JsonValue | undefined): ToldStep | undefined {
  if (!isObject(payload)) return undefined;
  const { step_id: id, step_status: status } = payload;
  return isFilled(id) ? { id, status: isFilled(status) ? status : undefined } : undefined;
}

/**
 * Rebuilds the plan from events handed over in the order of the file (docs/formats/noesis.md §5.1): the last `plan` event gives
 * the steps, and the acts after it that carry both `step_id` and `step_status` change their status.
 */
export class PlanFold {
  /** Whether there was a plan event at all. */
  seen = false;
  /** Whether the steps of the last plan event come from labels. */
  fromLabels = false;
  /** Whether the last plan event names the planner. */
  namesSource = false;
  /** The line of a resume after the last plan event: there the plan was read back from state.json. */
  resumedAt: number | undefined;
  /** Which event each part comes from; paths begin with `plan`. */
  evidence = new EvidenceMap();
  #plan: PlanState | null = null;
  #indexById = new Map<string, number>();
  /** By the index of a step, the last act that names it without a status. */
  #unsaid = new Map<number, Evidence>();
  /** By the index of a step, the path of its status: acts ask for the same ones again and again. */
  readonly #paths: string[] = [];

  /** Takes in the next event. Gives the index of the step whose status an act told. */
  add(event: JsonObject, source: Evidence): number | undefined {
    const { phase, payload } = event;
    if (phase === 'plan') this.#adopt(planOf(event), source);
    else if (phase === 'runtime' && event['event_type'] === 'run.resume') this.resumedAt = source.line;
    else if (phase === 'act') {
      const told = toldStep(payload);
      return told && this.tell(told, source);
    }
    return undefined;
  }

  /** Takes in what an act tells of a step. Gives the step's index, where there is such a step. */
  tell({ id, status }: ToldStep, source: Evidence): number | undefined {
    const index = this.#indexById.get(id);
    const step = index === undefined ? undefined : this.#plan?.steps[index];
    if (index === undefined || step === undefined) return undefined;
    if (status === undefined) {
      this.#unsaid.set(index, source);
      return undefined;
    }
    step.status = statusOfStep(status);
    this.#paths[index] ??= `plan.steps[${index}].status`;
    this.evidence.set(this.#paths[index], source);
    return index;
  }

  /** The last plan event has no list of steps. */
  get isMalformed(): boolean {
    return this.seen && this.#plan === null;
  }

  /** The last act that names a step, by its index, without a status: what one reads when the status is not as expected. */
  unsaid(index: number): Evidence | undefined {
    return this.#unsaid.get(index);
  }

  /** The plan, or null where there is no plan event, or its payload has no list of steps. */
  result(): PlanState | null {
    return this.#plan;
  }

  /** The same plan, to be folded on by itself. */
  copy(): PlanFold {
    const fold = new PlanFold();
    fold.seen = this.seen;
    fold.fromLabels = this.fromLabels;
    fold.namesSource = this.namesSource;
    fold.resumedAt = this.resumedAt;
    fold.evidence = this.evidence.copy();
    fold.#plan = this.#plan && { ...this.#plan, steps: this.#plan.steps.map((step) => ({ ...step })) };
    fold.#indexById = this.#indexById;
    fold.#unsaid = new Map(this.#unsaid);
    return fold;
  }

  #adopt({ plan, fromLabels, namesSource }: PlannedState, source: Evidence): void {
    this.seen = true;
    this.fromLabels = fromLabels;
    this.namesSource = namesSource;
    this.resumedAt = undefined;
    this.#unsaid = new Map();
    this.evidence = new EvidenceMap();
    this.evidence.set('plan', source);
    this.#plan = plan;
    this.#indexById = new Map();
    plan?.steps.forEach((step, index) => {
      if (!this.#indexById.has(step.id)) this.#indexById.set(step.id, index);
    });
  }
}

/**
 * The plan that a list of events gives, in their order: `state.plan` of a run whose log holds the evidence.
 * Null where no plan event is among them, or the last one has no list of steps. Never throws. (docs/formats/noesis.md §5.1)
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
