import { allOf, type EventCheck, type LogEnd, type LoggedEvent } from '../../../findings/check.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { type CheckedEvent, type CoordinatorEvent, detailOf, readEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { RevisionReader } from '../upcasters.ts';

/** An event for the rules. */
export interface ReadLoggedEvent {
  readonly logged: LoggedEvent;
  /** The event, converted to the current form. */
  readonly event: CheckedEvent;
  /** Whether it was written in an older form. */
  readonly older: boolean;
  /** The ordinals of its agent and task; -1 for none. */
  readonly agent: number;
  readonly task: number;
  readonly texts: TextIndex;
}

/** An event that the tables reject. It is parsed, so its ids are found wherever they are. */
export interface RefusedEvent extends ReadLoggedEvent {
  readonly event: CoordinatorEvent;
}

/** A rule about events. It gets every event that has a type, in log order. */
export interface ReadCheck {
  row?(read: ReadLoggedEvent): void;
  /** Called first for records that the tables reject, because something is missing or misplaced. */
  refused?(read: RefusedEvent): void;
  end?(log: LogEnd): void;
}

/**
 * An accepted record as an event: its type is known, and its members are where the documents put them. One object serves
 * all records, so it is only valid until the next.
 */
class RowCoordinatorEvent implements CheckedEvent {
  readonly stored: JsonObject;
  readonly typeKey = 'event_type';
  type = '';
  readonly #row: Row;

  constructor(row: Row) {
    this.#row = row;
    this.stored = eventBehind(row);
  }

  /** Moves to the next record. Reads its type, because every rule needs it. */
  next(): this {
    // The tables only accept known types.
    this.type = this.#row.text(COLUMN.event_type) as string;
    return this;
  }

  get sessionId(): string | undefined {
    return this.#row.text(COLUMN.session_id);
  }

  readonly detail = (name: string): JsonValue | undefined => detailOf(this.stored, name);
}

/** Passes events to the rules, in the current form. */
export class CoordinatorCheck implements EventCheck {
  readonly #rules: Required<ReadCheck>;
  readonly #revisions = new RevisionReader();
  #accepted: RowCoordinatorEvent | undefined;
  #empty: number | undefined;

  constructor(rules: readonly ReadCheck[]) {
    this.#rules = allOf(rules);
  }

  row(row: Row): void {
    if (row.isAccepted) this.#takeAccepted(row);
    else this.#take(row);
  }

  #takeAccepted(row: Row): void {
    this.#accepted ??= new RowCoordinatorEvent(row);
    const event = this.#accepted.next();
    // Accepted events name a session, so later events are not of older revisions.
    this.#revisions.read(event.stored);
    const { record, line, texts } = row;
    // The tables only accept members of the envelope, and none of them is an event id.
    const logged = { record, line, id: undefined, event: event.stored };
    const agent = this.#idIn(row, COLUMN.agent_id);
    const read = { logged, event, older: false, agent, task: this.#idIn(row, COLUMN.task_id), texts };
    this.#rules.row(read);
  }

  #take(logged: Row): void {
    const stored = logged.event;
    const current = this.#revisions.read(stored);
    const event = readEvent(current);
    if (event === undefined) return;
    const { texts } = logged;
    const ordinal = (id: string | undefined) => (id === undefined ? -1 : texts.intern(id));
    const [agent, task] = [ordinal(event.agentId), ordinal(event.taskId)];
    const read = { logged, event, older: current !== stored, agent, task, texts };
    this.#rules.refused(read);
    this.#rules.row(read);
  }

  /** The ordinal of an id; -1 for an empty text. */
  #idIn(row: Row, column: number): number {
    this.#empty ??= row.texts.intern('');
    const ordinal = row.ordinal(column);
    return ordinal === this.#empty ? -1 : ordinal;
  }

  end(log: LogEnd): void {
    this.#rules.end(log);
  }
}
