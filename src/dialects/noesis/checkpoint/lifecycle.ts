import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { WORK_PHASES } from '../event/kinds.ts';
import { COLUMN, isStateProjectionRow, PHASE } from '../event/rows.ts';

type Stage =
  | 'running'
  | 'interrupted'
  | 'paused'
  | 'resuming'
  | 'success'
  | 'failed'
  | 'vetoed'
  | 'cancelled'
  | 'error';

const ENDS = ['vetoed', 'cancelled', 'error', 'failed'] as const;

/**
 * The allowed transitions between the stages of a run (noesis.md §9). A resumed run counts as running; an ended one
 * stays ended.
 */
const STEPS: Readonly<Record<Stage, readonly Stage[]>> = {
  running: ['interrupted', 'paused', 'success', ...ENDS],
  resuming: ['running', 'interrupted', 'paused', 'success', ...ENDS],
  interrupted: ['paused', 'resuming', ...ENDS],
  // The documented sequence: paused by a veto, interrupted, then a checkpoint.
  paused: ['interrupted', 'resuming', ...ENDS],
  success: [],
  failed: [],
  vetoed: [],
  cancelled: [],
  error: [],
};

/** The effect of `terminate` on the stage; other words have none. */
const TERMINATE_TO: Readonly<Record<string, Stage>> = {
  ok: 'success',
  success: 'success',
  completed: 'success',
  failed: 'failed',
  vetoed: 'vetoed',
  cancelled: 'cancelled',
  aborted: 'cancelled',
  error: 'error',
  errored: 'error',
};

const isEnforcedVeto = (row: Row): boolean =>
  row.type === PHASE.governance &&
  row.text(COLUMN.decision) === 'veto' &&
  row.value(COLUMN.enforced) === true;

const isStage = (word: string): word is Stage => Object.hasOwn(STEPS, word);

/** The stage of a run by its runtime events and `terminate`, and its checkpoints. */
export class Lifecycle {
  stage: Stage = 'running';
  /** The line on which the stage began; undefined if the log began with it. */
  since: number | undefined;
  /** Whether an enforced veto stopped the run, so that it needs a resume. */
  needsResume = false;
  readonly checkpoints = new Set<string>();
  #hasEnded = false;

  take(row: Row, isEnd: boolean): void {
    if (isEnforcedVeto(row)) this.needsResume = true;
    else if (this.isStopped && isWork(row)) this.#to('running', row);
    else if (isEnd) this.#end(row);
    else if (row.type === PHASE.runtime) this.#runtime(row);
  }

  get isStopped(): boolean {
    return this.stage === 'interrupted' || this.stage === 'paused';
  }

  /** The stage after a runtime event that does not end the run; undefined if it stays. */
  next(row: Row): Stage | undefined {
    const word = statusIn(row);
    if (word === undefined || word === this.stage || !isStage(word)) return undefined;
    return isStateProjectionRow(row) ? undefined : word;
  }

  /** The stage after an end; undefined if it stays. A second end is reported as order/terminate-repeated. */
  nextAtEnd(row: Row): Stage | undefined {
    const word = this.#hasEnded ? undefined : statusIn(row);
    const stage = word !== undefined && Object.hasOwn(TERMINATE_TO, word) ? TERMINATE_TO[word] : undefined;
    return stage === this.stage ? undefined : stage;
  }

  #end(row: Row): void {
    const next = this.nextAtEnd(row);
    this.#hasEnded ||= statusIn(row) !== undefined;
    if (next !== undefined) this.#to(next, row);
    this.#checkpoint(row);
  }

  #runtime(row: Row): void {
    const next = this.next(row);
    if (next !== undefined) this.#to(next, row);
    this.#checkpoint(row);
  }

  #checkpoint(row: Row): void {
    if (row.type !== PHASE.runtime || row.text(COLUMN.eventType) !== 'run.checkpoint') return;
    const id = row.text(COLUMN.checkpoint);
    if (id !== undefined) this.checkpoints.add(id);
  }

  #to(stage: Stage, { line }: Row): void {
    this.stage = stage;
    this.since = line;
    if (stage === 'resuming') this.needsResume = false;
  }
}

const statusIn = (row: Row): string | undefined => row.text(COLUMN.status)?.trim().toLowerCase();

const WORK = WORK_PHASES.map((phase) => PHASE[phase]);

/** Whether an event shows that the run is active. */
const isWork = ({ type }: Row): boolean => WORK.includes(type);

type LifecycleRule = Rule<Row, { readonly lifecycle: Lifecycle }>;

/** The runtime lets a run continue that interrupted itself, but not one that a veto stopped. */
const stopped: LifecycleRule = (_row, { lifecycle }) => {
  if (!lifecycle.isStopped) return undefined;
  const { stage, since, needsResume } = lifecycle;
  const severity = needsResume ? 'warn' : 'info';
  const message = `the run continued without a resume; it had been ${stage} since line ${since}`;
  return { code: 'order/lifecycle', severity, message, path: ['phase'], ifWhole: true };
};

function impossible({ stage, since }: Lifecycle, next: Stage | undefined): Doubt | undefined {
  if (next === undefined || STEPS[stage].includes(next)) return undefined;
  const from = `${stage}${since === undefined ? '' : ` since line ${since}`}`;
  const message = `a run cannot go from ${from} to ${next}`;
  return { code: 'order/lifecycle', message, path: ['payload', 'status'], ifWhole: true };
}

const WORKS = { 'a stopped run does not work': stopped };

/** The rules for the stages of a run (noesis.md §9). */
export const LIFECYCLE_RULES: Readonly<
  Record<'plan' | 'act' | 'reflect' | 'runtime' | 'run' | 'end', Readonly<Record<string, LifecycleRule>>>
> = {
  plan: WORKS,
  act: WORKS,
  reflect: WORKS,

  runtime: {
    'a run goes to a possible stage': (row, { lifecycle }) => impossible(lifecycle, lifecycle.next(row)),
  },

  end: {
    'a run ends in a possible stage': (row, { lifecycle }) => impossible(lifecycle, lifecycle.nextAtEnd(row)),
  },

  run: {
    'a run continues from one of its checkpoints'(row, { lifecycle }) {
      if (row.text(COLUMN.eventType) !== 'run.resume') return undefined;
      const id = row.text(COLUMN.checkpoint);
      if (id === undefined || lifecycle.checkpoints.has(id)) return undefined;
      const message = 'the run continues from a checkpoint that no earlier event wrote';
      const path = ['payload', 'checkpoint_id'];
      return { code: 'checkpoint/unknown', message, path, actual: id, ifWhole: true };
    },
  },
};
