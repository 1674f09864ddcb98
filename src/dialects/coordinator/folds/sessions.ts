import type { JsonValue } from '../../../json/value.ts';
import type { CoordinatorEvent } from '../read.ts';

/** One session of the coordinator; what is not known is left out. */
export interface SessionRow {
  /** Null in logs older than session ids. */
  session_id: string | null;
  opened_by?: 'session_start' | 'session_resumed';
  previous_session_id?: JsonValue;
  plan_file?: JsonValue;
  total_tasks?: JsonValue;
  started_at?: string;
  last_event_at?: string;
  events: number;
  compactions?: number;
  /** How it ended, as far as the log says. */
  end?: 'paused' | 'complete' | 'failed';
  ended_at?: string;
}

const ENDS: ReadonlyMap<string, NonNullable<SessionRow['end']>> = new Map([
  ['session_pause', 'paused'],
  ['workflow_complete', 'complete'],
  ['workflow_failed', 'failed'],
]);

/** The sessions of a log in the order in which they begin (coordinator.md §7). */
export class SessionFold {
  readonly #rows: SessionRow[] = [];
  readonly #byId = new Map<string, number>();
  #current = -1;

  /** Takes in an event; the index of its session, and whether that one began with it. */
  add(event: CoordinatorEvent): { readonly index: number; readonly begins: boolean } {
    const { type, timestamp, sessionId } = event;
    const opens = type === 'session_start' || type === 'session_resumed';
    const known = sessionId === undefined ? undefined : this.#byId.get(sessionId);
    const begins =
      sessionId === undefined
        ? this.#current < 0 || (opens && this.#rows[this.#current]?.session_id === null)
        : known === undefined;
    if (begins) {
      this.#current = this.#rows.push({ session_id: sessionId ?? null, events: 0 }) - 1;
      if (sessionId !== undefined) this.#byId.set(sessionId, this.#current);
    } else if (known !== undefined) this.#current = known;
    const row = this.#rows[this.#current];
    if (row) this.#tell(row, event);
    if (row && begins && timestamp !== undefined) row.started_at = timestamp;
    return { index: this.#current, begins };
  }

  rows(): SessionRow[] {
    return this.#rows.map((row) => ({ ...row }));
  }

  #tell(row: SessionRow, { type, timestamp, detail }: CoordinatorEvent): void {
    row.events += 1;
    if (timestamp !== undefined) row.last_event_at = timestamp;
    if (type === 'session_start' || type === 'session_resumed') {
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
