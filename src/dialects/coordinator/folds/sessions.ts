import type { JsonValue } from '../../../base/json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** A session of the coordinator. Unknown values are absent. */
interface SessionRow {
  /** Null in logs without session ids. */
  session_id: string | null;
  opened_by?: 'session_start' | 'session_resumed';
  previous_session_id?: JsonValue;
  plan_file?: JsonValue;
  total_tasks?: JsonValue;
  started_at?: string;
  last_event_at?: string;
  events: number;
  compactions?: number;
  /** How it ended, if the log says so. */
  end?: 'paused' | 'complete' | 'failed';
  ended_at?: string;
}

const ENDS: ReadonlyMap<string, NonNullable<SessionRow['end']>> = new Map([
  ['session_pause', 'paused'],
  ['workflow_complete', 'complete'],
  ['workflow_failed', 'failed'],
]);

/** A session with its number. */
interface Numbered {
  readonly index: number;
  readonly row: SessionRow;
}

/** The last session in the log. */
export interface OpenedSession {
  /** Null in logs without session ids. */
  readonly id: string | null;
  readonly previous: JsonValue;
  readonly planFile: JsonValue | undefined;
  /** Undefined after a resume, because the plan may have changed. */
  readonly totalTasks: JsonValue | undefined;
}

const NOT_OPENED: OpenedSession = { id: null, previous: null, planFile: undefined, totalTasks: undefined };

/** The sessions of a log, in the order in which they began (coordinator.md §7). */
export class SessionFold {
  readonly #rows: SessionRow[] = [];
  readonly #byId = new Map<string, Numbered>();
  #current: Numbered | undefined;
  #opened: OpenedSession = NOT_OPENED;
  /** The number of resumes. */
  resumes = 0;
  readonly compactions = { started: 0, complete: 0 };

  /** The last opened session. Of a session that was never opened, only the id is known. */
  get opened(): OpenedSession {
    return { ...this.#opened, id: this.#current?.row.session_id ?? null };
  }

  /** Adds an event. Returns the index of its session, and whether the session began with it. */
  add(event: CoordinatorEvent): { readonly index: number; readonly begins: boolean } {
    const known = this.#known(event);
    const session = known ?? this.#begin(event.sessionId);
    const { index, row } = session;
    this.#current = session;
    this.#describe(row, event);
    const begins = known === undefined;
    if (begins && event.timestamp !== undefined) row.started_at = event.timestamp;
    return { index, begins };
  }

  /** The time at which a session began. For an unknown session, the time at which the log began. */
  startOf(id: JsonValue | undefined): string | undefined {
    const [first] = this.#rows;
    return ((typeof id === 'string' ? this.#byId.get(id)?.row : undefined) ?? first)?.started_at;
  }

  rows(): SessionRow[] {
    return this.#rows.map((row) => ({ ...row }));
  }

  /** The session of an event. Without ids, a session lasts until the next one is opened. */
  #known({ type, sessionId }: CoordinatorEvent): Numbered | undefined {
    if (sessionId !== undefined) return this.#byId.get(sessionId);
    const opens = type === 'session_start' || type === 'session_resumed';
    return opens && this.#current?.row.session_id === null ? undefined : this.#current;
  }

  #begin(id: string | undefined): Numbered {
    const row: SessionRow = { session_id: id ?? null, events: 0 };
    const session = { index: this.#rows.push(row) - 1, row };
    if (id !== undefined) this.#byId.set(id, session);
    return session;
  }

  #describe(row: SessionRow, { type, timestamp, detail }: CoordinatorEvent): void {
    row.events += 1;
    if (timestamp !== undefined) row.last_event_at = timestamp;
    if (type === 'session_resumed') this.resumes += 1;
    if (type === 'compaction_start') this.compactions.started += 1;
    if (type === 'compaction_complete') this.compactions.complete += 1;
    if (type === 'session_start' || type === 'session_resumed') {
      this.#opened = {
        id: null,
        previous: detail('previous_session_id') ?? null,
        planFile: detail('plan_file') ?? this.#opened.planFile,
        totalTasks: type === 'session_start' ? detail('total_tasks') : undefined,
      };
      row.opened_by ??= type;
      for (const name of ['previous_session_id', 'plan_file', 'total_tasks'] as const) {
        const value = detail(name);
        if (value !== undefined) row[name] = value;
      }
    }
    if (type === 'compaction_complete') row.compactions = (row.compactions ?? 0) + 1;
    const end = ENDS.get(type);
    if (end === undefined) return;
    row.end = end;
    if (timestamp === undefined) delete row.ended_at;
    else row.ended_at = timestamp;
  }
}
