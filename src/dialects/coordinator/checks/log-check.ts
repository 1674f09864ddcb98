import type { JsonObject, JsonValue } from '../../../base/json/value.ts';
import {
  allOf,
  type EventReporter,
  type LogEnd,
  type LoggedEvent,
  ReportingCheck,
} from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { eventBehind } from '../../../log/row-event.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { type CheckedEvent, type CoordinatorEvent, detailOf, readEvent } from '../read.ts';
import { COLUMN } from '../rows.ts';
import { RevisionReader } from '../upcasters.ts';
import { REBUILT_TYPES } from '../vocabulary.ts';

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
  /** Whether the log was rebuilt here or before, so that what began in the lost one is missing. */
  readonly isRebuilt: boolean;
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
  end?(): void;
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
export class CoordinatorCheck extends ReportingCheck {
  readonly #rules: ReturnType<typeof allOf<ReadLoggedEvent>>;
  readonly #revisions = new RevisionReader();
  readonly #unlessRebuilt = this.report.later();
  #isRebuilt = false;
  #accepted: RowCoordinatorEvent | undefined;
  #empty: number | undefined;

  /** `rulesFor` gets a reporter for findings that only count if no line is corrupt and the log was not rebuilt. */
  constructor(report: EventReporter, rulesFor: (unlessRebuilt: EventReporter) => readonly ReadCheck[]) {
    super(report);
    this.#rules = allOf(rulesFor(this.#unlessRebuilt));
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
    const [agent, task] = [this.#idIn(row, COLUMN.agent_id), this.#idIn(row, COLUMN.task_id)];
    this.#isRebuilt ||= REBUILT_TYPES.has(event.type);
    this.#rules.row({ logged, event, older: false, agent, task, texts, isRebuilt: this.#isRebuilt });
  }

  #take(logged: Row): void {
    const stored = logged.event;
    const current = this.#revisions.read(stored);
    const event = readEvent(current);
    if (event === undefined) return;
    const { texts } = logged;
    const ordinal = (id: string | undefined) => (id === undefined ? -1 : texts.intern(id));
    const [agent, task] = [ordinal(event.agentId), ordinal(event.taskId)];
    this.#isRebuilt ||= REBUILT_TYPES.has(event.type);
    const older = current !== stored;
    const read = { logged, event, older, agent, task, texts, isRebuilt: this.#isRebuilt };
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
    if (!this.#isRebuilt) this.report.ifWhole.confirm(this.#unlessRebuilt);
  }
}
