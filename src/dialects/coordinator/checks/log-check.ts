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
  /** The ordinals of its agent and of its task among the texts of the log; -1 where it names none. */
  readonly agent: number;
  readonly task: number;
  readonly texts: TextIndex;
}

/** One that the tables do not accept: parsed, with its ids wherever they stand. */
export interface RefusedEvent extends ReadLoggedEvent {
  readonly event: CoordinatorEvent;
}

/** A rule about what the events say: handed those that say their type, in the order of the file. */
export interface ReadCheck {
  row?(read: ReadLoggedEvent): void;
  /** Sees those that the tables made of the vocabulary do not accept: what lacks something, or holds it elsewhere. */
  refused?(read: RefusedEvent): void;
  end?(log: LogEnd): void;
}

/**
 * What `readEvent` gives, of a record that is accepted: its type is known, its members stand where the documents have
 * them and nowhere else. Read from its row; one for all records, good until the next.
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

  /** The record at hand: its type is asked for by every rule. */
  next(): this {
    // What is accepted has one of the types of its table.
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
    // What is accepted has the members of the envelope, of which none is an id.
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

  /** The ordinal of an id: an empty text is none. */
  #idIn(row: Row, column: number): number {
    this.#empty ??= row.texts.intern('');
    const ordinal = row.ordinal(column);
    return ordinal === this.#empty ? -1 : ordinal;
  }

  end(log: LogEnd): void {
    this.#rules.end(log);
  }
}
