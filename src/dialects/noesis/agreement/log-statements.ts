import { isNumber } from '../../../base/json/stored-number.ts';
import { isObject, type JsonObject } from '../../../base/json/value.ts';
import type { EventCheck } from '../../../findings/check.ts';
import { LastText } from '../../../log/last-text.ts';
import type { Row } from '../../../log/row.ts';
import { asObject } from '../../kit/members.ts';
import type { Course } from '../course/course.ts';
import { COLUMN, isRollUp, PHASE } from '../event/rows.ts';
import { isOneOf, PHASES } from '../event/vocabulary.ts';

/** By the number of a phase: the member of `counts` that counts its events. */
const COUNTED = PHASES.map((phase) =>
  isOneOf(['plan', 'reflect', 'interpret', 'intuition'] as const, phase) ? phase : undefined,
);

/** The phases of which one event states what artifacts repeat. */
const STATING = ['start', 'observe', 'governance', 'insight'] as const;

/** By the number of a phase: itself, if it is one of {@link STATING}. */
const STATES = PHASES.map((phase) => (isOneOf(STATING, phase) ? phase : undefined));

/** The payload of an event, and its place. */
export interface Stated {
  readonly payload: JsonObject;
  readonly line: number;
  readonly id: string | undefined;
}

/** What a log says that artifacts repeat (noesis.md §8.5). Its course has taken each event before. */
export class LogStatements implements EventCheck {
  readonly #course: Course;
  /** The time of the last event. */
  readonly #lastAt = new LastText(COLUMN.timestamp);
  /** The first event of each of these phases; of insight the last. */
  start: Stated | undefined;
  observe: Stated | undefined;
  governance: Stated | undefined;
  insight: Stated | undefined;
  /** The duration of the run in milliseconds that its end states. */
  duration: number | undefined;
  /** The number of acts without roll-ups. */
  acts = 0;
  readonly directions = { events: 0, applied: 0, vetoed: 0 };
  /** The number of events in the phases that a summary counts. */
  readonly counts = { plan: 0, reflect: 0, interpret: 0, intuition: 0 };

  constructor(course: Course) {
    this.#course = course;
  }

  row(row: Row): void {
    const { type } = row;
    this.#lastAt.see(row);
    const counted = COUNTED[type];
    if (counted !== undefined) this.counts[counted] += 1;
    const phase = STATES[type];
    if (phase !== undefined && (phase === 'insight' || this[phase] === undefined)) this.#state(phase, row);
    else if (type === PHASE.act) this.#act(row);
    else if (type === PHASE.direction) this.#direct(row);
    if (row.line === this.#course.end?.line) this.#end(row);
  }

  get lastAt(): string | undefined {
    return this.#lastAt.text;
  }

  #state(phase: (typeof STATING)[number], { record, line, id }: Row): void {
    const { payload } = record.comparable;
    if (isObject(payload)) this[phase] = { payload, line, id };
  }

  #act(row: Row): void {
    if (row.kind(COLUMN.payload) === 'object' && !isRollUp(row)) this.acts += 1;
  }

  #direct(row: Row): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    this.directions.events += 1;
    if (row.text(COLUMN.status) === 'blocked') this.directions.vetoed += 1;
    else if (row.value(COLUMN.applied) === true) this.directions.applied += 1;
  }

  #end({ event }: Row): void {
    const { duration_ms: duration } = asObject(event['payload']);
    if (isNumber(duration)) this.duration = Number(duration);
  }
}
