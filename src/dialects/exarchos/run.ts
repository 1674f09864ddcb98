import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import type { TextIndex } from '../../log/text-index.ts';
import type { EndingReason } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/members.ts';
import type { Run } from '../kit/run.ts';
import type { Tone } from '../kit/state-view.ts';
import { Troubles } from '../kit/troubles.ts';
import { EVENT_TYPES } from './event-types.ts';
import { toneOf } from './phase.ts';
import { applyPatch } from './projection/patch.ts';
import { END_TYPES, endReasonOf, recoveryKeys, troubleOf } from './reasons.ts';
import { isFinal, phaseAfter } from './workflow-types.ts';

/** An event for the run. It is only valid until the next one. */
export interface WorkflowEvent {
  /** The stored event. Its payload is parsed when it is read. */
  readonly event: JsonObject;
  readonly type: string;
  /** The ordinal of its task among the texts of the run; -1 for none. */
  readonly task: number;
  /** The agent in its payload. */
  readonly agent: string | undefined;
}

/** A task so far. */
export interface TaskSoFar {
  /** Whether an event assigned it, planned it or put it into the state. */
  isKnown: boolean;
  status: 'pending' | 'claimed' | 'in-progress' | 'complete' | 'failed';
  /** The agent that claimed it, or to whom it was assigned. */
  holder: string | undefined;
  /** Where it was claimed. */
  claimed: number | undefined;
  /** The member of a team to whom it was given. */
  teammate: string | undefined;
  /** Where and with which type of event it ended, unless it was assigned again since. */
  ended: number | undefined;
  endType: string | undefined;
}

/** A team at work. */
interface Team {
  /** Where it was spawned. */
  readonly line: number;
  readonly names: ReadonlySet<string> | undefined;
  /** For how many tasks it was spawned. */
  readonly announced: number | undefined;
  /** The tasks that it was given. */
  readonly given: Set<number>;
}

/** The cases of an evaluation so far. */
export interface Tally {
  passed: number;
  failed: number;
  /** The sum of the scores; undefined if a case has none. */
  score: number | undefined;
  /** Where it ended. */
  ended: number | undefined;
  /** How many were announced. */
  readonly announced: number | undefined;
}

/** Types that make a task known. */
const ASSIGNS: ReadonlySet<string> = new Set(['task.assigned', 'team.task.assigned', 'team.task.planned']);

/** Types that require a started workflow. Gates, and events from sidecars, may come earlier (exarchos.md §19). */
export const needsStart = (type: string): boolean =>
  type.startsWith('workflow.') || type.startsWith('state.');

/** The part of a run that events of a type concern. */
type Part = 'workflow' | 'task' | 'other' | undefined;

function makePart(type: string): Part {
  if (needsStart(type)) return 'workflow';
  if (/^(?:team\.)?task\./.test(type)) return 'task';
  return /^(?:team|eval|synthesize)\./.test(type) ? 'other' : undefined;
}

/** Computed once per built-in type, because a log may have millions of events. */
const PARTS: ReadonlyMap<string, Part> = new Map(
  [...EVENT_TYPES.keys()].map((type) => [type, makePart(type)]),
);

const partOf = (type: string): Part => (PARTS.has(type) ? PARTS.get(type) : makePart(type));

export const timeOf = ({ timestamp }: JsonObject): number =>
  Date.parse(typeof timestamp === 'string' ? timestamp : '');

export const dataOf = ({ event }: Pick<WorkflowEvent, 'event'>): JsonObject => objectIn(event, 'data');

/** What is known of one workflow after its events so far, for all commands and rules (exarchos.md §12, §19). */
export class WorkflowRun implements Run<WorkflowEvent> {
  readonly texts: TextIndex;
  /** Whether the log has the stream from its first number. */
  readonly hasHead: boolean;
  /** Whether an event that needs the start has occurred, and where the workflow started. */
  hasBegun = false;
  started: number | undefined;
  task: string | undefined;
  type: string | undefined;
  /** The policy that its start names. */
  startPolicy: string | undefined;
  /** Whether a synthesis was requested. */
  isRequested = false;
  /** Undefined if no event has set it. */
  phase: string | undefined;
  phaseBefore: string | undefined;
  /** The line and time of the event that set the phase, and how often its type followed. */
  phaseLine = 0;
  phaseTime = Number.NaN;
  endType: string | undefined;
  ends = 0;
  tasks = new Map<number, TaskSoFar>();
  /** The state as far as patches set it. */
  patched: JsonObject = {};
  /** The team at work. */
  team: Team | undefined;
  /** The evaluations by run. */
  evaluations = new Map<string, Tally>();
  end: EndingReason | undefined;
  troubles = new Troubles();

  /** `first`: the first event of the log, if it has one. */
  constructor(texts: TextIndex, first?: JsonObject) {
    this.texts = texts;
    const sequence = first?.['sequence'];
    this.hasHead = !(typeof sequence === 'number' && sequence > 1);
  }

  copy(): WorkflowRun {
    const copy = Object.assign(new WorkflowRun(this.texts), this, {
      tasks: new Map([...this.tasks].map(([id, task]) => [id, { ...task }])),
      patched: structuredClone(this.patched),
      team: this.team && { ...this.team, given: new Set(this.team.given) },
      evaluations: new Map([...this.evaluations].map(([id, tally]) => [id, { ...tally }])),
    });
    copy.troubles = this.troubles.copy();
    return copy;
  }

  get status(): string {
    return this.phase ?? 'unknown';
  }

  get tone(): Tone | undefined {
    return toneOf(this.status);
  }

  get isOver(): boolean {
    return isFinal(this.phase);
  }

  /** The policy for the synthesis of a oneshot workflow. Without one, the program waits for a request. */
  get policy(): string {
    return textIn(this.patched['oneshot'], 'synthesisPolicy') ?? this.startPolicy ?? 'on-request';
  }

  /** The end, then everything that is still wrong. */
  get reasons(): readonly EndingReason[] {
    return this.troubles.reasons(this.end);
  }

  take(event: WorkflowEvent, line: number): void {
    switch (partOf(event.type)) {
      case 'workflow':
        this.#workflow(event, line);
        break;
      case 'task':
        if (event.task >= 0) this.#task(event, line);
        break;
      case 'other':
        this.#tally(event, line);
        if (event.type === 'synthesize.requested') this.isRequested = true;
    }
  }

  /** Adds what went wrong, which only views need. */
  takeReasons(event: WorkflowEvent, line: number): void {
    const { type } = event;
    const data = dataOf(event);
    if (END_TYPES.has(type)) {
      const { says, ...reason } = endReasonOf(type, data, line);
      // An end is written as two events. The one that says more counts.
      if (this.end?.kind !== reason.kind || says) this.end = reason;
    } else if (!this.isOver) this.end = undefined;
    for (const key of this.troubles.hasOpen ? recoveryKeys(type, data) : []) this.troubles.end(key);
    const trouble = troubleOf(type, data, line);
    if (trouble === undefined) return;
    this.troubles.add(trouble.key, trouble.reason);
  }

  #workflow(event: WorkflowEvent, line: number): void {
    const { type, event: stored } = event;
    this.hasBegun = true;
    if (type === 'workflow.started') {
      const data = dataOf(event);
      this.started ??= line;
      this.task = textIn(data, 'featureId') ?? this.task;
      this.type = textIn(data, 'workflowType');
      this.startPolicy = textIn(data, 'synthesisPolicy');
    }
    if (type === 'state.patched') this.#patch(dataOf(event)['patch']);
    const phase = phaseAfter(stored);
    if (phase === undefined) return;
    // A cancel or cleanup is written as two events. The first is the end.
    if (END_TYPES.has(type)) {
      this.ends = this.endType === type ? this.ends + 1 : 1;
      this.endType = type;
    }
    if (phase === this.phase) return;
    if (!END_TYPES.has(type)) this.endType = undefined;
    this.phaseBefore = this.phase;
    this.phase = phase;
    this.phaseLine = line;
    this.phaseTime = timeOf(stored);
  }

  #patch(patch: JsonValue | undefined): void {
    if (!isObject(patch)) return;
    applyPatch(this.patched, patch);
    const { tasks } = this.patched;
    if (!Array.isArray(tasks) || !Object.keys(patch).some((key) => key.startsWith('tasks'))) return;
    for (const row of tasks) {
      const id = textIn(row, 'id');
      if (id !== undefined) this.#taskOf(this.texts.intern(id)).isKnown = true;
    }
  }

  #taskOf(ordinal: number): TaskSoFar {
    let task = this.tasks.get(ordinal);
    if (task === undefined) {
      task = {
        isKnown: false,
        status: 'pending',
        holder: undefined,
        claimed: undefined,
        teammate: undefined,
        ended: undefined,
        endType: undefined,
      };
      this.tasks.set(ordinal, task);
    }
    return task;
  }

  #task(event: WorkflowEvent, line: number): void {
    const { type } = event;
    const task = this.#taskOf(event.task);
    if (ASSIGNS.has(type)) task.isKnown = true;
    switch (type) {
      case 'task.assigned':
        beginAgain(task);
        break;
      case 'team.task.assigned':
        // The workflow and its team both assign a task. Only one that has ended begins again.
        if (task.ended !== undefined) beginAgain(task);
        task.teammate = textIn(dataOf(event), 'teammateName');
        this.team?.given.add(event.task);
        break;
      case 'task.claimed':
        task.status = 'claimed';
        task.claimed = line;
        task.holder = event.agent;
        break;
      case 'task.progressed':
        task.status = 'in-progress';
        break;
      case 'task.completed':
      case 'team.task.completed':
        task.status = 'complete';
        task.ended = line;
        task.endType = type;
        break;
      case 'task.failed':
      case 'team.task.failed':
        task.status = 'failed';
        task.ended = line;
        task.endType = type;
    }
  }

  #tally(event: WorkflowEvent, line: number): void {
    const { type } = event;
    if (type === 'team.spawned') this.team = teamOf(dataOf(event), line);
    else if (type === 'team.disbanded') this.team = undefined;
    else if (type.startsWith('eval.')) this.#evaluate(type, dataOf(event), line);
  }

  #evaluate(type: string, data: JsonObject, line: number): void {
    const id = textIn(data, 'runId');
    if (id === undefined) return;
    const { caseCount, passed, score } = data;
    if (type === 'eval.run.started')
      this.evaluations.set(id, {
        passed: 0,
        failed: 0,
        score: 0,
        ended: undefined,
        announced: isNumber(caseCount) ? Number(caseCount) : undefined,
      });
    const tally = this.evaluations.get(id);
    if (tally === undefined) return;
    if (type === 'eval.run.completed') tally.ended ??= line;
    if (type !== 'eval.case.completed') return;
    tally.score = isNumber(score) && tally.score !== undefined ? tally.score + Number(score) : undefined;
    if (passed === true) tally.passed += 1;
    else if (passed === false) tally.failed += 1;
  }
}

/** A new assignment begins a task again. */
function beginAgain(task: TaskSoFar): void {
  task.status = 'pending';
  task.claimed = undefined;
  task.teammate = undefined;
  task.ended = undefined;
}

function teamOf({ teammateNames, taskCount }: JsonObject, line: number): Team {
  return {
    line,
    names: Array.isArray(teammateNames)
      ? new Set(teammateNames.filter((name) => typeof name === 'string'))
      : undefined,
    announced: isNumber(taskCount) ? Number(taskCount) : undefined,
    given: new Set(),
  };
}

/** A parsed event for the run. */
export function workflowEvent(event: JsonObject, { texts }: WorkflowRun): WorkflowEvent {
  const data = objectIn(event, 'data');
  const id = textIn(data, 'taskId');
  const task = id === undefined || id === '' ? -1 : texts.intern(id);
  return { event, type: textIn(event, 'type') ?? '', task, agent: textIn(data, 'agentId') };
}
