import type { JsonObject } from '../../base/json/value.ts';
import { textOf } from '../../base/json/write.ts';
import type { LogRecord } from '../../log/record.ts';
import {
  type Account,
  type AccountBuilder,
  type EndingReason,
  type EventSpan,
  endingOf,
  type SpanStatus,
  SubjectTimes,
} from '../kit/account.ts';
import { textIn } from '../kit/excerpt.ts';
import { statusAfter, TONES, toneOf } from './plan.ts';
import type { CoordinatorProjector } from './projection.ts';
import { type CoordinatorEvent, readEvent } from './read.ts';

/** Types that report trouble, and the detail that says why. */
const TROUBLE: ReadonlyMap<string, string> = new Map([
  ['critic_fail', 'required_fixes'],
  ['auditor_fail', 'required_fixes'],
  ['auditor_blocked', 'pre_existing_failures'],
  ['developer_blocked', 'issue_details'],
  ['developer_incomplete', 'blocker'],
  ['infrastructure_blocked', 'issue_type'],
  ['remediation_exhausted', 'issue_type'],
  ['remediation_failed', 'reason'],
  ['expert_failed', 'error_reason'],
  ['health_audit_fail', 'failures'],
  ['environment_verification_failed', 'error_details'],
  ['workflow_failed', 'reason'],
]);

/** A detail that is a text or a list of texts. */
function textsOf(event: CoordinatorEvent | undefined, name: string): string | undefined {
  const value = event?.detail(name);
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function statusOf(type: string): SpanStatus {
  if (type === 'signal_rejected') return 'veto';
  return TROUBLE.has(type) || type === 'critic_timeout' ? 'error' : 'ok';
}

/** The time and status of an event. */
export function spanOf(stored: JsonObject): EventSpan {
  const event = readEvent(stored);
  const { type = '', taskId: subject, timestamp: time } = event ?? {};
  const seconds = event?.detail('duration_seconds');
  return {
    name: type,
    // An event with a duration was written at the end of the work.
    ...(typeof seconds === 'number' ? { end: time, durationMs: seconds * 1000 } : { start: time }),
    status: statusOf(type),
    subject,
    reason: textsOf(event, TROUBLE.get(type) ?? 'reason'),
  };
}

const ALL_COMPLETE = 'every task is complete';

/** At most this many problems are listed: the last ones. */
const MOST_TROUBLES = 3;

/** Makes the account of a plan: its tasks, and what paused or ended its last session. */
export class CoordinatorAccount implements AccountBuilder {
  readonly #projector: CoordinatorProjector;
  readonly #times = new SubjectTimes();
  #plan: string | undefined;
  #status = 'unknown';
  readonly #troubles: EndingReason[] = [];
  #end: EndingReason | undefined;

  constructor(projector: CoordinatorProjector) {
    this.#projector = projector;
  }

  add(record: LogRecord): void {
    this.#projector.add(record);
    const { value: event, line } = record;
    const { name: type, subject, durationMs, reason } = spanOf(event);
    if (subject !== undefined) this.#times.add(subject, line, durationMs);
    this.#plan = textsOf(readEvent(event), 'plan_file') ?? this.#plan;
    if (TROUBLE.has(type)) {
      const facts = [['task', subject] as const, ['agent', textIn(event, 'agent_id')] as const];
      this.#troubles.push({ kind: type, text: reason ?? 'no reason given', tone: 'bad', line, facts });
      if (this.#troubles.length > MOST_TROUBLES) this.#troubles.shift();
    }
    this.#session(type, reason, line);
  }

  /** The reason for the end. A finished workflow with open tasks does not count as complete. */
  #ending(): EndingReason | undefined {
    if (this.#end?.text !== ALL_COMPLETE) return this.#end;
    const open = this.#projector.tasks().filter(([, { status }]) => status !== 'complete');
    if (open.length === 0) return this.#end;
    const names = open.slice(0, MOST_TROUBLES).map(([id, { status }]) => `${id} is ${status}`);
    const more = open.length - names.length;
    const text = `not every task is complete: ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    return { ...this.#end, text, tone: 'doubtful' };
  }

  result(): Account {
    const end = this.#ending();
    const tone = toneOf(this.#status);
    const how = { tone, isOver: tone !== undefined };
    return {
      task: this.#plan,
      status: this.#status,
      ...how,
      ...endingOf(how, [...this.#troubles, ...(end === undefined ? [] : [end])]),
      steps: this.#projector.tasks().map(([id, { status, agent, attempts }]) => {
        const text = `${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}${agent === undefined ? '' : `, ${agent}`}`;
        return { id, status, tone: TONES.get(status), text, ...this.#times.of(id) };
      }),
    };
  }

  /** Applies an event to the status of the plan. */
  #session(type: string, reason: string | undefined, line: number): void {
    const status = statusAfter(type);
    this.#status = status ?? this.#status;
    if (status === 'running') this.#end = undefined;
    else if (status === 'paused')
      this.#end = { kind: 'pause', text: reason ?? 'no reason given', tone: 'doubtful', line };
    else if (status === 'complete') this.#end = { kind: type, text: ALL_COMPLETE, tone: 'good', line };
  }
}
