import { allOf, type EventCheck, type LogEnd, type LoggedEvent } from '../../../findings/check.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { type CheckedEvent, type CoordinatorEvent, detailOf, readEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { RevisionReader } from '../upcasters.ts';

/** An event on its way through the rules that look at what it says. */
export interface ReadLoggedEvent {
  readonly logged: LoggedEvent;
  /** In its present form. */
  readonly event: CheckedEvent;
  /** It was written under an older name. */
  readonly older: boolean;
  /** The ordinals of its agent and task; -1 for none. */
  readonly agent: number;
  readonly task: number;
  readonly texts: TextIndex;
}

/** A record that the tables refuse: parsed, with its ids wherever they are. */
export interface RefusedEvent extends ReadLoggedEvent {
  readonly event: CoordinatorEvent;
}

/** A rule about what the events say: handed those that say their type, in the order of the file. */
export interface ReadCheck {
  row?(read: ReadLoggedEvent): void;
  /** Receives records that the vocabulary's tables refuse, because something is missing or misplaced. */
  refused?(read: RefusedEvent): void;
  end?(log: LogEnd): void;
}

/**
 * `readEvent` for an accepted record: its type is known and its members are where the documents put them.
 * Read from its row; one object for all records, valid until the next.
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

  /** The current record. Every rule reads its type. */
  next(): this {
    // An accepted record has a type from its table.
    this.type = this.#row.text(COLUMN.event_type) as string;
    return this;
  }

  get sessionId(): string | undefined {
    return this.#row.text(COLUMN.session_id);
  }

  readonly detail = (name: string): JsonValue | undefined => detailOf(this.stored, name);
}

/** Hands events to the rules in their present form. */
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
    // It names a session, so that it is of no older revision.
    this.#revisions.read(event.stored);
    const { record, line, texts } = row;
    // An accepted record has the envelope's members, none of which is an id.
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

  /** The ordinal of an id; an empty text does not count. */
  #idIn(row: Row, column: number): number {
    this.#empty ??= row.texts.intern('');
    const ordinal = row.ordinal(column);
    return ordinal === this.#empty ? -1 : ordinal;
  }

  end(log: LogEnd): void {
    this.#rules.end(log);
  }
}
