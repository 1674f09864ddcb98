import { isNumber } from '../../base/json/stored-number.ts';
import type { JsonValue } from '../../base/json/value.ts';
import type { TextIndex } from '../../log/text-index.ts';
import type { EndingReason } from '../kit/account.ts';
import type { Run } from '../kit/run.ts';
import type { Tone } from '../kit/state-view.ts';
import { Troubles } from '../kit/troubles.ts';
import { CountRanges, type Stage } from './count-ranges.ts';
import { askerOf, isReadyForAudit, type PlanEvent } from './plan-event.ts';
import { idsIn, textsIn } from './read.ts';
import { type Role, roleOf, SAVES } from './roles.ts';
import { toneOf } from './status.ts';
import { OF_INFRASTRUCTURE, OVERCOME, RESTORES, TROUBLE } from './trouble.ts';
import { BLOCKS, REBUILT_TYPES } from './vocabulary.ts';

/** A task so far. */
export interface TaskSoFar {
  stage: Stage;
  /** Whether an event began it, or a checkpoint names it. */
  isBegun: boolean;
  /** Whether an event was about later work, although none had begun it. */
  isStranger: boolean;
  /** Where it was completed, unless it was begun again since. */
  completeLine: number | undefined;
  /** Whether it has ever been complete. Other tasks may wait for that. */
  wasComplete: boolean;
  /** The agents sent to work on it or to review it; undefined if the log does not have a dispatch. */
  workers: number[] | undefined;
  /** The agents whose audit may complete it. */
  auditors: number[];
  /** The last audit that ended without success. */
  failedAudit: { readonly agent: number; readonly line: number; readonly type: string } | undefined;
  /** The last review that refused the task, unless it was worked on since. */
  refusal: { readonly line: number; readonly type: string } | undefined;
}

/** A session so far. */
export interface SessionSoFar {
  isOpened: boolean;
  /** How and where it ended. */
  end: { readonly type: string; readonly line: number } | undefined;
  /** Where another session continued it. */
  continued: number | undefined;
}

/** A run of an expert so far. */
interface Delegation {
  readonly agent: number;
  readonly task: number;
  /** Who asked for it. */
  readonly asker: string | undefined;
  readonly line: number;
  readonly isOver: boolean;
}

/** Events without a session id belong to this one. */
export const NO_SESSION = '';

/** What is known of a plan after its events so far, for all commands and rules (coordinator.md §5, §7). */
export class CoordinatorRun implements Run<PlanEvent> {
  /** The texts that ordinals of agents and tasks mean. */
  readonly texts: TextIndex;
  /** The first plan: a list reads only the beginning of a log. */
  task: string | undefined;
  status = 'unknown';
  /** Whether the log was rebuilt, so that what began in the lost one is missing. */
  isRebuilt = false;
  readonly sessions = new Map<string, SessionSoFar>();
  /** The session of the last event: its id, and what is known of it. */
  session: string | undefined;
  current: SessionSoFar | undefined;
  /** The first start of a session. */
  started: { readonly line: number } | undefined;
  /** The number of tasks that the start names; undefined after a resume, because the plan may have changed. */
  planned: { readonly total: number; readonly line: number } | undefined;
  resumes = 0;
  readonly tasks = new Map<number, TaskSoFar>();
  readonly counts = new CountRanges();
  /** The tasks that must be completed. */
  readonly open = new Set<number>();
  /** Agents that any event named. */
  readonly agents = new Set<number>();
  readonly busy = new Map<number, { readonly task: number; readonly line: number }>();
  /** Whether the infrastructure is blocked, and where all work was halted. */
  isBlocked = false;
  halted: number | undefined;
  /** The compactions that have not ended, and how many have. */
  readonly compacting = new Set<JsonValue>();
  compactions = 0;
  /** The delegations to experts by run. */
  readonly delegations = new Map<JsonValue, Delegation>();
  /** What paused or ended the work. */
  end: EndingReason | undefined;
  /** The reason in the event that set the status. */
  statusReason: string | undefined;
  troubles = new Troubles();

  constructor(texts: TextIndex) {
    this.texts = texts;
  }

  copy(): CoordinatorRun {
    const copy = new CoordinatorRun(this.texts);
    const { sessions, tasks } = this;
    Object.assign(copy, this, {
      sessions: new Map([...sessions].map(([id, session]) => [id, { ...session }])),
      tasks: new Map(
        [...tasks].map(([id, task]) => [
          id,
          { ...task, workers: task.workers && [...task.workers], auditors: [...task.auditors] },
        ]),
      ),
      counts: this.counts.copy(),
      open: new Set(this.open),
      agents: new Set(this.agents),
      busy: new Map(this.busy),
      compacting: new Set(this.compacting),
      delegations: new Map(this.delegations),
    });
    copy.current = copy.sessions.get(this.session ?? NO_SESSION);
    copy.troubles = this.troubles.copy();
    return copy;
  }

  get tone(): Tone | undefined {
    return toneOf(this.status);
  }

  get isOver(): boolean {
    return this.tone !== undefined;
  }

  get isPaused(): boolean {
    return this.status === 'paused';
  }

  /** The end, then everything that is still wrong, in log order. */
  get reasons(): readonly EndingReason[] {
    return this.troubles.reasons(this.end);
  }

  /** The number of tasks that are complete now. */
  get completed(): number {
    return this.counts.completed;
  }

  take(event: PlanEvent, line: number): void {
    const { type, agent, task } = event;
    const role = roleOf(type);
    this.#inSession(event);
    if (role.isOfSession) this.#session(event, line);
    if (agent >= 0) this.#agent(event, role, line);
    if (task >= 0 && role.isWork) this.#task(event, role, line);
    if (type === 'state_checkpoint') this.#checkpoint(event);
    if (role.isOfInfrastructure) this.#infrastructure(event, line);
    if (role.isOfExpert) this.#expert(event, line);
    if (role.isTrouble) this.#trouble(event, line);
    else if (this.troubles.hasOpen) this.#recover(type, task);
    const { status } = role;
    if (status === undefined) return;
    this.status = status;
    this.statusReason = textsIn(event, 'reason');
    this.end = this.#endOf(event, status, line);
  }

  #endOf(event: PlanEvent, status: string, line: number): EndingReason | undefined {
    const text = this.statusReason ?? 'no reason given';
    if (status === 'paused') return { kind: 'pause', text, tone: 'doubtful', line };
    if (status === 'failed') return { kind: event.type, text, tone: 'bad', line };
    return status === 'complete' ? this.#completion(event.type, line) : undefined;
  }

  /** The reason of an end with success. A workflow with open tasks does not count as complete. */
  #completion(kind: string, line: number): EndingReason {
    const total = this.planned?.total ?? 0;
    if (this.open.size === 0 && this.completed >= total)
      return { kind, text: 'every task is complete', tone: 'good', line };
    const which = [...this.open].slice(0, 3).map((id) => {
      const stage = this.tasks.get(id)?.stage ?? 'none';
      return `${this.texts.textOf(id)} is ${STAGE_WORDS[stage]}`;
    });
    const more = this.open.size - which.length;
    const open = `${which.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    const counted = this.completed < total ? `${this.completed} of ${total}` : '';
    const text = `not every task is complete: ${[counted, open].filter((part) => part !== '').join(', ')}`;
    return { kind, text, tone: 'doubtful', line };
  }

  /** Moves to the session of an event. */
  #inSession({ sessionId }: PlanEvent): void {
    if (this.current !== undefined && sessionId === this.session) return;
    const id = sessionId ?? NO_SESSION;
    // Agents do not outlive their session (coordinator.md §7).
    this.busy.clear();
    this.session = sessionId;
    this.current = this.sessions.get(id);
    if (this.current !== undefined) return;
    this.current = { isOpened: false, end: undefined, continued: undefined };
    this.sessions.set(id, this.current);
  }

  #session(event: PlanEvent, line: number): void {
    const { type, sessionId: id = NO_SESSION, detail } = event;
    const session = this.current;
    if (session === undefined) return;
    if (REBUILT_TYPES.has(type)) this.isRebuilt = true;
    if (type === 'session_resumed') this.busy.clear();
    switch (type) {
      case 'session_start': {
        const total = detail('total_tasks');
        this.started ??= { line };
        this.planned = isNumber(total) ? { total: Number(total), line } : undefined;
        this.task ??= textsIn(event, 'plan_file');
        break;
      }
      case 'session_resumed': {
        const previous = detail('previous_session_id');
        const earlier =
          typeof previous === 'string' && previous !== id ? this.sessions.get(previous) : undefined;
        if (earlier) earlier.continued ??= line;
        this.planned = undefined;
        this.resumes += 1;
        this.task ??= textsIn(event, 'plan_file');
        break;
      }
      case 'session_pause':
      case 'workflow_complete':
      case 'workflow_failed':
        session.end ??= { type, line };
        break;
      case 'compaction_start':
      case 'compaction_complete': {
        const number = detail('compaction_number');
        if (type === 'compaction_complete') this.compactions += 1;
        if (number === undefined) break;
        if (type === 'compaction_start') this.compacting.add(number);
        else this.compacting.delete(number);
      }
    }
    if (type !== 'session_start' && type !== 'session_resumed') return;
    session.isOpened = true;
    // Without ids a session lasts until the next one is opened. A paused session may continue under its id.
    if (id === NO_SESSION || session.end?.type === 'session_pause') session.end = undefined;
  }

  #agent({ agent, task }: PlanEvent, { freesAgent, sendsAgent }: Role, line: number): void {
    this.agents.add(agent);
    if (freesAgent) this.busy.delete(agent);
    if (sendsAgent) this.busy.set(agent, { task, line });
  }

  #taskOf(id: number): TaskSoFar {
    let task = this.tasks.get(id);
    if (task === undefined) {
      task = {
        stage: 'none',
        isBegun: false,
        isStranger: false,
        completeLine: undefined,
        wasComplete: false,
        workers: undefined,
        auditors: [],
        failedAudit: undefined,
        refusal: undefined,
      };
      this.tasks.set(id, task);
    }
    return task;
  }

  #to(task: TaskSoFar, stage: Stage): void {
    this.counts.move(task.stage, stage);
    task.stage = stage;
  }

  #task(event: PlanEvent, role: Role, line: number): void {
    const { type, agent, task: id } = event;
    const task = this.#taskOf(id);
    // Work on a complete task is reported once.
    if (role.begins || role.sendsToTask || role.isResult) task.completeLine = undefined;
    if (role.begins) task.isBegun = true;
    else if (role.isLater && !task.isBegun) task.isStranger = true;
    if (role.reopens) {
      const audited = task.auditors.at(-1);
      if (audited !== undefined && !role.sendsDeveloper) task.failedAudit = { agent: audited, line, type };
      task.auditors = [];
    }
    if (role.refuses) task.refusal = { line, type };
    else if (role.answersRefusal) task.refusal = undefined;
    if (role.sendsDeveloper) task.workers = [...(task.workers ?? []), agent];
    else if (role.sendsAuditor) task.auditors.push(agent);
    else if (type === 'critic_dispatched') task.workers?.push(agent);
    else if (role.failsAudit) {
      task.auditors = agent < 0 ? [] : task.auditors.filter((auditor) => auditor !== agent);
      task.failedAudit = { agent, line, type };
    } else if (type === 'task_complete') {
      task.completeLine = line;
      task.wasComplete = true;
    }
    const { stage } = role;
    // Only events that begin work set a complete task back.
    if (stage !== undefined && (role.reopens || task.stage !== 'complete'))
      this.#to(task, isReadyForAudit(event) ? 'awaiting_audit' : stage);
    if (task.stage === 'complete') this.open.delete(id);
    else if (role.reopens) this.open.add(id);
  }

  #checkpoint({ detail }: PlanEvent): void {
    const names = ['available_tasks', 'in_progress_tasks', 'completed_tasks'] as const;
    for (const name of names) {
      for (const text of idsIn(detail(name))) {
        const task = this.#taskOf(this.texts.intern(text));
        if (name !== 'available_tasks') {
          task.isBegun = true;
          task.completeLine = undefined;
        }
        if (name === 'completed_tasks') task.wasComplete = true;
        this.#to(task, CHECKPOINT_STAGES[name]);
      }
    }
  }

  #infrastructure({ type, detail }: PlanEvent, line: number): void {
    if (BLOCKS.has(type)) {
      this.isBlocked = true;
      this.halted ??= line;
      for (const text of type === 'infrastructure_blocked' ? idsIn(detail('blocked_tasks')) : []) {
        const task = this.tasks.get(this.texts.intern(text));
        if (task && task.stage !== 'complete') this.#to(task, 'held');
      }
    } else if (type === 'infrastructure_restored') {
      this.isBlocked = false;
      this.halted = undefined;
    } else if (type === 'health_audit_pass') this.halted = undefined;
    if (SAVES.has(type)) this.counts.save();
  }

  #expert(event: PlanEvent, line: number): void {
    const { type, agent, task, detail } = event;
    const isDelegated = type === 'expert_delegated';
    const run = detail('run_id');
    if (run === undefined) return;
    const known = this.delegations.get(run);
    if (isDelegated) this.delegations.set(run, { agent, task, asker: askerOf(event), line, isOver: false });
    else if (known) this.delegations.set(run, { ...known, isOver: true });
  }

  #trouble(event: PlanEvent, line: number): void {
    const { type, task, agent } = event;
    const trouble = TROUBLE.get(type);
    // The end has its own reason.
    if (trouble === undefined || type === 'workflow_failed') return;
    const key = OF_INFRASTRUCTURE.has(type) ? type : `${task} ${type}`;
    const nameOf = (id: number) => (id < 0 ? undefined : this.texts.textOf(id));
    const facts = [['task', nameOf(task)] as const, ['agent', nameOf(agent)] as const];
    const text = textsIn(event, trouble.detail) ?? 'no reason given';
    this.troubles.add(key, { kind: type, text, tone: 'bad', line, facts });
  }

  /** Ends the troubles that an event shows to be over. */
  #recover(type: string, task: number): void {
    if (RESTORES.has(type)) for (const key of OF_INFRASTRUCTURE) this.troubles.end(key);
    const overcome = type === 'task_complete' ? TROUBLE.keys() : (OVERCOME.get(type) ?? []);
    for (const kind of overcome) this.troubles.end(`${task} ${kind}`);
  }
}

const STAGE_WORDS: Readonly<Record<Stage, string>> = {
  none: 'not begun',
  working: 'in progress',
  held: 'blocked',
  awaiting_audit: 'awaiting audit',
  in_audit: 'in audit',
  complete: 'complete',
};

const CHECKPOINT_STAGES = {
  available_tasks: 'none',
  in_progress_tasks: 'held',
  completed_tasks: 'complete',
} as const;

/** Whether the log is rebuilt with this event or before, so that what began in the lost one is missing. */
export const isRebuilt = ({ type }: PlanEvent, run: CoordinatorRun): boolean =>
  run.isRebuilt || REBUILT_TYPES.has(type);
