import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import { isObject } from '../../../json/value.ts';
import { isTerminate } from '../event-kinds.ts';
import { isStateProjection } from '../outcome-projection.ts';
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

  event(logged: LoggedEvent): void {
    this.#vetoes.event(logged);
    this.#checkResume(logged);
    const next = this.#nextState(logged);
    if (next === undefined || next === this.#state) return;
    if (!STEPS[this.#state].includes(next)) {
      const since = this.#since === undefined ? '' : ` since line ${this.#since}`;
      const message = `a run cannot go from ${this.#state}${since} to ${next}`;
      const remark = { code: 'order/lifecycle', message, path: ['payload', 'status'] } as const;
      this.#missteps.at(logged, remark);
    }
    this.#state = next;
    this.#since = logged.line;
  }

  end(log: LogEnd): void {
    this.#vetoes.end(log);
    if (log.whole) this.#report.confirm(this.#missteps);
  }

  /** A run goes on from a checkpoint that it has written. */
  #checkResume(logged: LoggedEvent): void {
    const { phase, event_type: type, payload } = logged.event;
    if (phase !== 'runtime' || !isObject(payload)) return;
    const { checkpoint_id: id } = payload;
    if (typeof id !== 'string') return;
    if (type === 'run.checkpoint') this.#checkpoints.add(id);
    if (type !== 'run.resume' || this.#checkpoints.has(id)) return;
    const message = 'the run goes on from a checkpoint that no event before has written';
    const path = ['payload', 'checkpoint_id'];
    this.#missteps.at(logged, { code: 'checkpoint/unknown', message, path, actual: id });
  }

  #nextState(logged: LoggedEvent): RunState | undefined {
    const { phase, payload } = logged.event;
    const status = isObject(payload) ? payload['status'] : undefined;
    if (typeof status !== 'string') return undefined;
    const word = status.trim().toLowerCase();
    if (isTerminate(logged.event)) {
      // A second one is order/terminate-repeated, whatever it says.
      const repeated = this.#terminated;
      this.#terminated = true;
      return !repeated && Object.hasOwn(TERMINATE_TO, word) ? TERMINATE_TO[word] : undefined;
    }
    if (phase !== 'runtime' || isStateProjection(logged.event)) return undefined;
    return isRunState(word) ? word : undefined;
  }
}
