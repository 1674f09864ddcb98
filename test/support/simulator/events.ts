import { compact, float, type JsonObject, stringify } from './canonical.ts';
import { type Clock, isoTime } from './clock.ts';
import type { Disk } from './disk.ts';
import { uuid } from './ids.ts';
import type { Random } from './random.ts';

/** The content of an event; the log adds id, timestamps and the envelope. */
export interface Draft {
  readonly phase: string;
  /** The event is created at its start time, if it has one. */
  readonly payload: JsonObject | ((startedAt: string) => JsonObject);
  readonly agent?: string;
  readonly causedBy?: string | undefined;
  /** Whether the event took time, so that it carries metrics: from the given reading of the clock, or from now. */
  readonly timed?: true | { readonly since: number };
  readonly eventType?: string;
  readonly evidence?: string[];
}

/** The facts about an event that later ones need. */
export interface Logged {
  readonly id: string;
  readonly timestamp: string;
  /** The timestamp in microseconds since 1970. */
  readonly micros: number;
}

/** Turns an event into its line without the newline, or leaves it out. */
export type Encoder = (event: JsonObject) => string | undefined;

/** The newest form: canonical JSON of the event as it is. */
export const encodeCanonical: Encoder = (event) => stringify(event, compact);

const faculties = new Set(['intuition', 'direction', 'governance', 'insight']);

/** The event log of a run. */
export class EventLog {
  readonly #disk: Disk;
  readonly #episodeId: string;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #encode: Encoder;
  #last: Logged = { id: '', timestamp: '', micros: 0 };
  #count = 0;

  constructor(disk: Disk, episodeId: string, random: Random, clock: Clock, encode: Encoder) {
    this.#disk = disk;
    this.#episodeId = episodeId;
    this.#random = random;
    this.#clock = clock;
    this.#encode = encode;
  }

  /** How many records there are. */
  get count(): number {
    return this.#count;
  }

  /** The latest record. */
  get last(): Logged {
    return this.#last;
  }

  /** Records an event; the clock moves on before each but the first. */
  append(draft: Draft): Logged {
    const now = this.count === 0 ? this.#clock.now() : this.#clock.tick();
    const started = typeof draft.timed === 'object' ? draft.timed.since : now;
    const completed = draft.timed === undefined ? now : this.#clock.work();
    const logged = { id: uuid(this.#random), timestamp: isoTime(completed), micros: completed };
    const line = this.#encode({
      id: logged.id,
      timestamp: logged.timestamp,
      episode_id: this.#episodeId,
      agent_id: draft.agent ?? 'system',
      phase: draft.phase,
      payload: typeof draft.payload === 'function' ? draft.payload(isoTime(started)) : draft.payload,
      evidence_ids: draft.evidence ?? [],
      caused_by: draft.causedBy,
      event_type: draft.eventType,
      faculty: faculties.has(draft.phase) ? draft.phase : undefined,
      metrics:
        draft.timed === undefined
          ? undefined
          : {
              started_at: isoTime(started),
              completed_at: logged.timestamp,
              duration_ms: float(this.#clock.lasted(started, completed) / 1000),
            },
    });
    if (line !== undefined) {
      this.#disk.append('events.jsonl', `${line}\n`);
      this.#count += 1;
      this.#last = logged;
    }
    return logged;
  }
}
