import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, endsRun, isStateProjectionRow, PHASE } from '../rows.ts';
import { VetoAnswerCheck } from './veto-answer.ts';

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

/** Where a run may go from each state (noesis.md §9). A resumed run goes on as a running one; an ended one stays. */
const STEPS: Readonly<Record<RunState, readonly RunState[]>> = {
  running: ['interrupted', 'paused', 'success', ...ENDS],
  resuming: ['running', 'interrupted', 'paused', 'success', ...ENDS],
  interrupted: ['paused', 'resuming', ...ENDS],
  // The documented flow: paused on a veto, interrupted, then a checkpoint.
  paused: ['interrupted', 'resuming', ...ENDS],
  success: [],
  failed: [],
  vetoed: [],
  cancelled: [],
  error: [],
};

/** What `terminate` makes of a run; other words change nothing. */
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

/** The phases that show that a run goes on. */
const WORK: ReadonlySet<number> = new Set([PHASE.plan, PHASE.act, PHASE.reflect]);

const isEnforcedVeto = (row: Row): boolean =>
  row.type === PHASE.governance &&
  row.text(COLUMN.decision) === 'veto' &&
  row.value(COLUMN.enforced) === true;

function isRunState(word: string): word is RunState {
  return Object.hasOwn(STEPS, word);
}

/** The steps of a run's lifecycle, told from the runtime's events and `terminate`, and those that a veto asks for. */
export class LifecycleCheck implements EventCheck {
  readonly types = new Set([
    PHASE.intuition,
    PHASE.plan,
    PHASE.direction,
    PHASE.governance,
    PHASE.act,
    PHASE.reflect,
    PHASE.runtime,
    PHASE.terminate,
  ]);
  readonly #report: EventReporter;
  #state: RunState = 'running';
  #since: number | undefined;
  #terminated = false;
  /** The run stopped after an enforced veto, so that only a resume lets it go on. */
  #needsResume = false;
  readonly #vetoes: VetoAnswerCheck;
  readonly #checkpoints = new Set<string>();

  constructor(report: EventReporter) {
    this.#report = report;
    this.#vetoes = new VetoAnswerCheck(report);
  }

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
      this.#report.ifWhole.at(row, remark);
    }
    this.#state = next;
    this.#since = row.line;
    if (next === 'resuming') this.#needsResume = false;
  }

  /**
   * A run that interrupted itself may go on without a resume: the runtime lets it. One that a veto stopped must not.
   */
  #checkWork(row: Row): void {
    if (this.#state !== 'interrupted' && this.#state !== 'paused') return;
    const severity = this.#needsResume ? 'warn' : 'info';
    const message = `the run went on without a resume; it was ${this.#state} since line ${this.#since}`;
    this.#report.ifWhole.at(row, { code: 'order/lifecycle', severity, message, path: ['phase'] });
    this.#state = 'running';
    this.#since = row.line;
  }

  /** A run goes on from a checkpoint that it has written. */
  #checkResume(row: Row): void {
    const id = row.text(COLUMN.checkpoint);
    if (id === undefined) return;
    const type = row.text(COLUMN.eventType);
    if (type === 'run.checkpoint') this.#checkpoints.add(id);
    if (type !== 'run.resume' || this.#checkpoints.has(id)) return;
    const message = 'the run goes on from a checkpoint that no event before has written';
    const path = ['payload', 'checkpoint_id'];
    this.#report.ifWhole.at(row, { code: 'checkpoint/unknown', message, path, actual: id });
  }

  #nextState(row: Row): RunState | undefined {
    const ends = endsRun(row);
    if (!ends && row.type !== PHASE.runtime) return undefined;
    const word = row.text(COLUMN.status)?.trim().toLowerCase();
    if (word === undefined) return undefined;
    if (ends) {
      // A second one is order/terminate-repeated, whatever it says.
      const repeated = this.#terminated;
      this.#terminated = true;
      return !repeated && Object.hasOwn(TERMINATE_TO, word) ? TERMINATE_TO[word] : undefined;
    }
    return isRunState(word) && !isStateProjectionRow(row) ? word : undefined;
  }
}
