import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, endsRun, isStateProjectionRow, PHASE } from '../event/rows.ts';
import { VetoAnswerCheck } from '../governance/veto-answer.ts';

type RunState =
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
 * The allowed state transitions of a run (noesis.md §9). A resumed run counts as running; an ended one stays
 * ended.
 */
const STEPS: Readonly<Record<RunState, readonly RunState[]>> = {
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

/** The effect of `terminate` on the state; other words have none. */
const TERMINATE_TO: Readonly<Record<string, RunState>> = {
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

/** The phases that show that a run is active. */
const WORK: ReadonlySet<number> = new Set([PHASE.plan, PHASE.act, PHASE.reflect]);

const isEnforcedVeto = (row: Row): boolean =>
  row.type === PHASE.governance &&
  row.text(COLUMN.decision) === 'veto' &&
  row.value(COLUMN.enforced) === true;

function isRunState(word: string): word is RunState {
  return Object.hasOwn(STEPS, word);
}

const TYPES = new Set([
  PHASE.intuition,
  PHASE.plan,
  PHASE.direction,
  PHASE.governance,
  PHASE.act,
  PHASE.reflect,
  PHASE.runtime,
  PHASE.terminate,
]);

/** Checks the lifecycle of a run by its runtime events and `terminate`, and the reactions to vetoes. */
export class LifecycleCheck extends ReportingCheck {
  readonly types = TYPES;
  #state: RunState = 'running';
  #since: number | undefined;
  #terminated = false;
  /** Whether an enforced veto stopped the run, so that it needs a resume. */
  #needsResume = false;
  readonly #vetoes = new VetoAnswerCheck(this.report);
  readonly #checkpoints = new Set<string>();

  row(row: Row): void {
    this.#vetoes.row(row);
    if (row.type === PHASE.runtime) this.#checkResume(row);
    if (isEnforcedVeto(row)) this.#needsResume = true;
    if (WORK.has(row.type)) this.#checkWork(row);
    const next = this.#nextState(row);
    if (next === undefined || next === this.#state) return;
    if (!STEPS[this.#state].includes(next)) {
      const since = this.#since === undefined ? '' : ` since line ${this.#since}`;
      const message = `a run cannot go from ${this.#state}${since} to ${next}`;
      const remark = { code: 'order/lifecycle', message, path: ['payload', 'status'] } as const;
      this.report.ifWhole.at(row, remark);
    }
    this.#state = next;
    this.#since = row.line;
    if (next === 'resuming') this.#needsResume = false;
  }

  /**
   * Reports work while the run is stopped. The runtime lets a run continue that interrupted itself, but not one that a
   * veto stopped.
   */
  #checkWork(row: Row): void {
    if (this.#state !== 'interrupted' && this.#state !== 'paused') return;
    const severity = this.#needsResume ? 'warn' : 'info';
    const message = `the run continued without a resume; it had been ${this.#state} since line ${this.#since}`;
    this.report.ifWhole.at(row, { code: 'order/lifecycle', severity, message, path: ['phase'] });
    this.#state = 'running';
    this.#since = row.line;
  }

  /** Reports a resume from a checkpoint that the run did not write. */
  #checkResume(row: Row): void {
    const id = row.text(COLUMN.checkpoint);
    if (id === undefined) return;
    const type = row.text(COLUMN.eventType);
    if (type === 'run.checkpoint') this.#checkpoints.add(id);
    if (type !== 'run.resume' || this.#checkpoints.has(id)) return;
    const message = 'the run continues from a checkpoint that no earlier event wrote';
    const path = ['payload', 'checkpoint_id'];
    this.report.ifWhole.at(row, { code: 'checkpoint/unknown', message, path, actual: id });
  }

  #nextState(row: Row): RunState | undefined {
    const ends = endsRun(row);
    if (!ends && row.type !== PHASE.runtime) return undefined;
    const word = row.text(COLUMN.status)?.trim().toLowerCase();
    if (word === undefined) return undefined;
    if (ends) {
      // A second one is reported as order/terminate-repeated.
      const repeated = this.#terminated;
      this.#terminated = true;
      return !repeated && Object.hasOwn(TERMINATE_TO, word) ? TERMINATE_TO[word] : undefined;
    }
    return isRunState(word) && !isStateProjectionRow(row) ? word : undefined;
  }
}
