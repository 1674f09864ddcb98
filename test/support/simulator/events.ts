import { compact, float, type JsonObject, stringify } from './canonical.ts';
import { type Clock, isoTime } from './clock.ts';
import { uuid } from './ids.ts';
import type { Random } from './random.ts';

/** What a phase wants recorded; the log adds id, timestamps and the envelope. */
export interface Draft {
  readonly phase: string;
  readonly payload: JsonObject;
  readonly agent?: string;
  readonly causedBy?: string | undefined;
  /** Whether the event took time, so that it carries metrics. */
  readonly timed?: boolean;
  readonly eventType?: string;
  readonly evidence?: string[];
}

/** What later events need to know of an earlier one. */
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

/** An append-only event log in memory. */
export class EventLog {
  readonly #lines: Uint8Array[] = [];
  readonly #episodeId: string;
  readonly #random: Random;
  readonly #clock: Clock;
  readonly #encode: Encoder;
  #last: Logged = { id: '', timestamp: '', micros: 0 };

  constructor(episodeId: string, random: Random, clock: Clock, encode: Encoder) {
    this.#episodeId = episodeId;
    this.#random = random;
    this.#clock = clock;
    this.#encode = encode;
  }

  /** How many records there are. */
  get count(): number {
    return this.#lines.length;
  }

  /** The latest record. */
  get last(): Logged {
    return this.#last;
  }

  /** Records an event; the clock moves on before each but the first. */
  append(draft: Draft): Logged {
    const started = this.#clock.now();
    const completed = this.count === 0 ? started : this.#clock.tick();
    const logged = { id: uuid(this.#random), timestamp: isoTime(completed), micros: completed };
    const line = this.#encode({
      id: logged.id,
      timestamp: logged.timestamp,
      episode_id: this.#episodeId,
      agent_id: draft.agent ?? 'system',
      phase: draft.phase,
      payload: draft.payload,
      evidence_ids: draft.evidence ?? [],
      caused_by: draft.causedBy,
      event_type: draft.eventType,
      faculty: faculties.has(draft.phase) ? draft.phase : undefined,
      metrics: draft.timed
        ? {
            started_at: isoTime(started),
            completed_at: logged.timestamp,
            duration_ms: float((completed - started) / 1000),
          }
        : undefined,
    });
    if (line !== undefined) {
      this.#lines.push(Buffer.from(`${line}\n`));
      this.#last = logged;
    }
    return logged;
  }

  /** The file's bytes so far. */
  bytes(): Uint8Array {
    return Buffer.concat(this.#lines);
  }
}
