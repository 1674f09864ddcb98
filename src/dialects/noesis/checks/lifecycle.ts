import type { EventCheck, EventReporter, LogEnd } from '../../../findings/check.ts';
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

function isRunState(word: string): word is RunState {
  return Object.hasOwn(STEPS, word);
}

/** The steps of a run's lifecycle, told from the runtime's events and `terminate`, and those that a veto asks for. */
export class LifecycleCheck implements EventCheck {
  readonly types = new Set([PHASE.governance, PHASE.act, PHASE.runtime, PHASE.terminate]);
  readonly #report: EventReporter;
  #state: RunState = 'running';
  #since: number | undefined;
  #terminated = false;
  /** Certain only when no line in between was corrupt. */
  readonly #missteps: EventReporter;
  readonly #vetoes: VetoAnswerCheck;
  readonly #checkpoints = new Set<string>();

  constructor(report: EventReporter) {
    this.#report = report;
    this.#missteps = report.later();
    this.#vetoes = new VetoAnswerCheck(report);
  }

  row(row: Row): void {
    this.#vetoes.row(row);
    if (row.type === PHASE.runtime) this.#checkResume(row);
    const next = this.#nextState(row);
    if (next === undefined || next === this.#state) return;
    if (!STEPS[this.#state].includes(next)) {
      const since = this.#since === undefined ? '' : ` since line ${this.#since}`;
      const message = `a run cannot go from ${this.#state}${since} to ${next}`;
      const remark = { code: 'order/lifecycle', message, path: ['payload', 'status'] } as const;
      this.#missteps.at(row, remark);
    }
    this.#state = next;
    this.#since = row.line;
  }

  end(log: LogEnd): void {
    this.#vetoes.end(log);
    if (log.whole) this.#report.confirm(this.#missteps);
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
    this.#missteps.at(row, { code: 'checkpoint/unknown', message, path, actual: id });
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
