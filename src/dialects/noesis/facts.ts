import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { EventCheck } from '../../findings/check.ts';
import { LastText } from '../../log/last-text.ts';
import type { Row } from '../../log/row.ts';
import { timeOf } from './event/kinds.ts';
import { COLUMN, endsRun, isAboutRun, isRollUp, PHASE } from './event/rows.ts';
import { isOneOf, PHASES } from './event/vocabulary.ts';

/** By the number of a phase: whether facts are read from its events. */
const NEEDED = PHASES.map((phase) =>
  ['start', 'observe', 'insight', 'learn', 'direction', 'runtime'].includes(phase),
);

/** By the number of a phase: the member of `counts` that counts its events. */
const COUNTED = PHASES.map((phase) =>
  isOneOf(['plan', 'reflect', 'interpret', 'intuition'] as const, phase) ? phase : undefined,
);

/** A value from the log, and its place. */
export interface FromLog<Value = JsonValue | undefined> {
  readonly value: Value;
  readonly line: number;
  readonly id: string | undefined;
}

/** Collects the values of events that other artifacts repeat (noesis.md §8.5). */
export class LogFacts implements EventCheck {
  /** The first episode id in an event. */
  episodeId: FromLog<string> | undefined;
  start: { readonly payload: JsonObject; readonly line: number; readonly id: string | undefined } | undefined;
  /** The time of the start event. */
  startedAt: string | undefined;
  /** The time and message of the event that ended the run. */
  endedAt: string | undefined;
  endMessage: JsonValue | undefined;
  /** The episode that the event at the end names. */
  endedEpisode: FromLog<string> | undefined;
  /** The duration of the run in milliseconds that the event at the end states. */
  lasted: FromLog<number> | undefined;
  /** The time of the last event. */
  readonly #lastAt = new LastText(COLUMN.timestamp);
  observe: LogFacts['start'];
  terminate: FromLog | undefined;
  /** The first decision of governance. */
  governance: LogFacts['start'];
  /** Whether the run was resumed. Its settings may then differ from those at the start. */
  resumed = false;
  insight: LogFacts['start'];
  learn: NonNullable<LogFacts['start']>[] = [];
  /** The number of acts without roll-ups. */
  acts = 0;
  directions = { events: 0, applied: 0, vetoed: 0 };
  /** The number of events in the phases that a summary counts. */
  readonly counts = { plan: 0, reflect: 0, interpret: 0, intuition: 0 };
  /** The checkpoint events. */
  checkpoints: NonNullable<LogFacts['start']>[] = [];
  /** Whether the run was resumed or ended after its last checkpoint. */
  leftCheckpoint = false;
  /** Whether events follow the end of the run, so that its last state was written before them. */
  hasLaterEvents = false;
  records = 0;

  row(row: Row): void {
    if (this.episodeId === undefined) {
      const value = row.text(COLUMN.episode);
      if (value !== undefined) this.episodeId = { value, line: row.line, id: row.id };
    }
    this.hasLaterEvents = this.terminate !== undefined;
    this.#lastAt.see(row);
    if (endsRun(row)) {
      if (this.terminate === undefined) this.#end(row);
      this.leftCheckpoint = true;
    }
    const counted = COUNTED[row.type];
    if (counted !== undefined) this.counts[counted] += 1;
    if (row.type === PHASE.governance && this.governance === undefined) this.#take(row);
    if (row.type === PHASE.act) {
      if (row.kind(COLUMN.payload) === 'object' && !isRollUp(row)) this.acts += 1;
    } else if (NEEDED[row.type] && !(row.type === PHASE.runtime && !isAboutRun(row))) this.#take(row);
  }

  get lastAt(): string | undefined {
    return this.#lastAt.text;
  }

  /** The milliseconds from the start event to a time, by default that of the event that ended the run. */
  passed(until = this.endedAt): number | undefined {
    const [start, end] = [this.startedAt, until].map((time) => parseInstant(time ?? ''));
    return start === undefined || end === undefined ? undefined : end - start;
  }

  #end(row: Row): void {
    const { event, line, id } = row;
    this.terminate = { value: row.value(COLUMN.status), line, id };
    this.endedAt = timeOf(event);
    const payload = isObject(event['payload']) ? event['payload'] : {};
    this.endMessage = payload['message'];
    const { episode_id: value, duration_ms: lasted } = payload;
    if (isNumber(lasted)) this.lasted = { value: Number(lasted), line, id };
    if (typeof value === 'string') this.endedEpisode = { value, line, id };
  }

  #take({ record, line, id }: Row): void {
    const event = record.comparable;
    const { phase, payload } = event;
    if (!isObject(payload)) return;
    const fact = { payload, line, id };
    switch (phase) {
      case 'start':
        if (this.start === undefined) this.startedAt = timeOf(event);
        this.start ??= fact;
        break;
      case 'observe':
        this.observe ??= fact;
        break;
      case 'governance':
        this.governance = fact;
        break;
      case 'insight':
        this.insight = fact;
        break;
      case 'learn':
        this.learn.push(fact);
        break;
      case 'direction':
        this.directions.events += 1;
        if (payload['status'] === 'blocked') this.directions.vetoed += 1;
        else if (payload['applied'] === true) this.directions.applied += 1;
        break;
      case 'runtime':
        if (event['event_type'] === 'run.checkpoint') {
          this.checkpoints.push(fact);
          this.leftCheckpoint = false;
        } else if (event['event_type'] === 'run.resume') {
          this.leftCheckpoint = true;
          this.resumed = true;
        }
        break;
    }
  }
}
