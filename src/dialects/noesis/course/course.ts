import { isObject, type JsonObject, type JsonValue } from '../../../base/json/value.ts';
import { parseInstant } from '../../../base/time/instant.ts';
import { asObject, stringIn } from '../../kit/members.ts';
import { isPausedWord, isTerminate, RUNNING, runtimeStatus, statusAtEnd, timeOf } from '../event/kinds.ts';
import { isOneOf } from '../event/vocabulary.ts';

/** The phases whose events say something about the course of a run. */
export const COURSE_PHASES = [
  'start',
  'plan',
  'act',
  'reflect',
  'governance',
  'error',
  'runtime',
  'terminate',
] as const;

/** The stages of a run, as rules judge them (noesis.md §9). */
const STAGES = [
  'running',
  'interrupted',
  'paused',
  'resuming',
  'success',
  'failed',
  'vetoed',
  'cancelled',
  'error',
] as const;

export type Stage = (typeof STAGES)[number];

/** The stage after an end; other words have no effect. */
const STAGE_AT_END: Readonly<Record<string, Stage>> = {
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

/** The phases that may follow an error without showing that the run went on. */
const AFTER_ERROR = ['error', 'insight', 'memory', 'learn', 'runtime', 'terminate'] as const;

/** Whether a run with this status is not over. */
export const goesOn = (status: string): boolean => status === RUNNING || isPausedWord(status);

/** An event that the course remembers. */
export interface PassedEvent {
  readonly line: number;
  readonly id: string | undefined;
  /** See `timeOf`. */
  readonly time: string | undefined;
}

/** The event that ended a run, and what it says. */
export interface RunEnd extends PassedEvent {
  readonly status: JsonValue | undefined;
  readonly message: JsonValue | undefined;
  readonly episode: string | undefined;
}

/** An id of an episode, and the event that gives it. */
export interface NamedEpisode {
  readonly value: string;
  readonly line: number;
  readonly id: string | undefined;
}

const wordIn = ({ payload }: JsonObject): string | undefined =>
  stringIn(asObject(payload), 'status')?.trim().toLowerCase();

function isEnforcedVeto({ payload }: JsonObject): boolean {
  return isObject(payload) && payload['decision'] === 'veto' && payload['enforced'] === true;
}

/**
 * How a run went, after its events so far: where it began, was paused, went on and ended (noesis.md §2.2, §9, §11). It
 * reads few members of an event, so rows are passed as `columnsBehind` makes them, and their records are not parsed.
 */
export class Course {
  /** The first start. */
  start: PassedEvent | undefined;
  /** The first end, which is final: nothing that follows it changes {@link status}. */
  end: RunEnd | undefined;
  /** The first id of an episode that an event is stored with. */
  episode: NamedEpisode | undefined;
  /** The last status that a runtime event, an error or the end gives; undefined before the first event. */
  status: string | undefined;
  /** Whether nothing but the end has followed the last error, which ends the run unless the run goes on (noesis.md §11). */
  hasFailed = false;
  /** The stage that rules compare the next event with. A status is for people, and does not change after the end. */
  stage: Stage = 'running';
  /** The line on which the stage began; undefined if the log began with it. */
  since: number | undefined;
  /** Whether an enforced veto stopped the run, so that it needs a resume. */
  needsResume = false;
  /** The ids of all checkpoints. */
  readonly checkpoints = new Set<string>();
  /** The checkpoint at which the run waits: undefined if it was resumed or ended since. */
  atCheckpoint: string | undefined;
  /** The lines of the last resume, and of the last event that shows that the run went on; 0 before. */
  resumedAt = 0;
  wentOnAt = 0;
  /** The line of the last event; 0 before the first. */
  lastLine = 0;

  /**
   * Adds the next event, which is on `line`. It is not kept. Most events of a log say little, and cost little. `isEnd`:
   * whether it ends the run, see `isTerminate`.
   */
  take(event: JsonObject, line: number, isEnd = isTerminate(event)): void {
    const { phase } = event;
    this.lastLine = line;
    if (this.episode === undefined) this.#name(event, line);
    if (this.hasFailed && !isOneOf(AFTER_ERROR, phase)) this.#goOn(line);
    switch (phase) {
      case 'start':
        this.start ??= passed(event, line);
        break;
      case 'plan':
      case 'act':
      case 'reflect':
        return this.#work(line);
      case 'governance':
        this.needsResume ||= isEnforcedVeto(event);
        break;
      case 'error':
        return this.#fail();
      case 'runtime':
        if (isEnd) this.#end(event, line);
        return this.#runtime(event, line, isEnd);
      case 'terminate':
        return this.#end(event, line);
    }
    this.status ??= RUNNING;
  }

  /** Adds the event on `line`, whose phase is not in {@link COURSE_PHASES}, if {@link readsAll} is false. */
  pass(line: number): void {
    this.lastLine = line;
  }

  /** Whether the next event may say something whatever its phase. */
  get readsAll(): boolean {
    return this.hasFailed || this.episode === undefined;
  }

  /** Whether events follow the end of the run, so that its last state was written before them. */
  get hasLaterEvents(): boolean {
    return this.end !== undefined && this.lastLine > this.end.line;
  }

  get isStopped(): boolean {
    return this.stage === 'interrupted' || this.stage === 'paused';
  }

  /** The milliseconds from the start to a time, by default that of the end. */
  duration(until = this.end?.time): number | undefined {
    const [start, end] = [this.start?.time, until].map((time) => parseInstant(time ?? ''));
    return start === undefined || end === undefined ? undefined : end - start;
  }

  /** The first id of the episode: that of an event, or the one that the end names. */
  get firstEpisode(): NamedEpisode | undefined {
    const { episode, end } = this;
    if (end?.episode === undefined || (episode !== undefined && episode.line <= end.line)) return episode;
    return { value: end.episode, line: end.line, id: end.id };
  }

  /** The stage after a runtime event that does not end the run; undefined if it stays. */
  nextStage(event: JsonObject): Stage | undefined {
    const word = wordIn(event);
    if (word === this.stage || !isOneOf(STAGES, word)) return undefined;
    return event['event_type'] === 'run.state_projection' ? undefined : word;
  }

  /** The stage after an end; undefined if it stays. A second end is reported as order/terminate-repeated. */
  stageAtEnd(event: JsonObject): Stage | undefined {
    const word = this.end === undefined ? wordIn(event) : undefined;
    const stage = word !== undefined && Object.hasOwn(STAGE_AT_END, word) ? STAGE_AT_END[word] : undefined;
    return stage === this.stage ? undefined : stage;
  }

  #goOn(line: number): void {
    if (this.end !== undefined) return;
    this.hasFailed = false;
    this.status = RUNNING;
    this.wentOnAt = line;
  }

  /** The runtime lets a run work on that interrupted itself (noesis.md §9). */
  #work(line: number): void {
    this.#goOn(line);
    if (this.isStopped) this.#to('running', line);
  }

  #fail(): void {
    if (this.end !== undefined) return;
    this.status = 'error';
    this.hasFailed = true;
  }

  #to(stage: Stage | undefined, line: number): void {
    if (stage === undefined) return;
    this.stage = stage;
    this.since = line;
    if (stage === 'resuming') this.needsResume = false;
  }

  #name(event: JsonObject, line: number): void {
    const value = stringIn(event, 'episode_id');
    if (value !== undefined) this.episode = { value, line, id: stringIn(event, 'id') };
  }

  #runtime(event: JsonObject, line: number, isEnd: boolean): void {
    const type = event['event_type'];
    if (!isEnd) this.#setStatus(event, line);
    if (type === 'run.checkpoint') {
      this.atCheckpoint = stringIn(asObject(event['payload']), 'checkpoint_id');
      if (this.atCheckpoint !== undefined) this.checkpoints.add(this.atCheckpoint);
    } else if (type === 'run.resume') {
      this.atCheckpoint = undefined;
      this.resumedAt = line;
      if (this.end === undefined) this.wentOnAt = line;
    }
  }

  #setStatus(event: JsonObject, line: number): void {
    this.#to(this.nextStage(event), line);
    if (this.end !== undefined) return;
    const said = runtimeStatus(event);
    if (said !== undefined && goesOn(said)) this.hasFailed = false;
    this.status = said ?? this.status ?? RUNNING;
  }

  #end(event: JsonObject, line: number): void {
    this.atCheckpoint = undefined;
    if (this.end !== undefined) return;
    this.#to(this.stageAtEnd(event), line);
    this.hasFailed = false;
    this.status = statusAtEnd(event);
    const payload = asObject(event['payload']);
    const { status, message } = payload;
    this.end = { ...passed(event, line), status, message, episode: stringIn(payload, 'episode_id') };
  }
}

const passed = (event: JsonObject, line: number): PassedEvent => ({
  line,
  id: stringIn(event, 'id'),
  time: timeOf(event),
});
