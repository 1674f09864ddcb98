import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseJson } from '../../../json/parse.ts';
import type { JsonObject } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { KeyedBatch } from '../../keyed-batch.ts';
import { invalidEvent, requireFit, textIn } from '../../refuse-event.ts';
import { StoredPlaces } from '../../stored-places.ts';
import type { Draft, Stamps, Writing, WritingMemory, WritingPlace } from '../../writing.ts';
import { coerceInteger } from '../schema/coerce.ts';
import { eventSchema } from '../schema/event.ts';
import { payloadSchemaOf } from '../schema/payloads.ts';
import { EVENT_KEYS, SCHEMA_VERSION } from '../vocabulary.ts';

const ID = field('id');
const RUN = field('run_id');
const KIND = field('kind');
const SESSION = field('session_id');

/** What a ledger says of one run so far. */
interface RunSoFar {
  readonly turn: number;
  readonly session: string | undefined;
  readonly finished: boolean;
}

class FishbowlBatch extends KeyedBatch {
  readonly #memory: FishbowlMemory;
  readonly #stamps: Stamps;
  readonly #runs: Map<string, RunSoFar>;
  #last: string | undefined;
  #sequence: number;

  constructor(memory: FishbowlMemory, stamps: Stamps) {
    super('id', memory.ids);
    this.#memory = memory;
    this.#stamps = stamps;
    this.#runs = new Map(memory.runs);
    this.#last = memory.last;
    this.#sequence = memory.sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  /** An id is the handle of its event: the same again is none, and another under it is refused. */
  protected override known(event: JsonObject, key: string, index: number): Draft | undefined {
    const known = super.known(event, key, index);
    return known?.kind === 'stored' ? { ...known, members: event } : known;
  }

  protected draft(given: JsonObject, index: number): Draft {
    const run = given['run_id'] ?? this.#memory.run ?? this.#last;
    const before = typeof run === 'string' ? this.#runs.get(run) : undefined;
    const filled: JsonObject = {
      id: this.#stamps.newId(),
      turn: before?.turn ?? 0,
      created_at: new Date(this.#stamps.now).toISOString(),
      schema_version: SCHEMA_VERSION,
      session_id: before?.session ?? null,
      model_profile: null,
      model_id: null,
      ...given,
      ...(run !== undefined && { run_id: run }),
    };
    // In the order of the engine; what does not belong there comes last, and is refused.
    const event = {
      ...Object.fromEntries(EVENT_KEYS.flatMap((key) => (key in filled ? [[key, filled[key]]] : []))),
      ...filled,
    } as JsonObject;
    const text = writeJson(event);
    const remarks = this.#check(parseJson(text) as JsonObject, before, index);
    this.#sequence += 1;
    return { kind: 'new', text, remarks };
  }

  #check(event: JsonObject, before: RunSoFar | undefined, index: number): string[] {
    requireFit(index, schemaIssues(eventSchema, event));
    const { kind, run_id: run, turn } = event as { kind: string; run_id: string; turn: number };
    const payload = payloadSchemaOf(kind);
    if (payload) requireFit(index, schemaIssues(payload, event['payload'], ['payload']));
    if (before && turn < before.turn)
      throw invalidEvent(index, `turn ${turn} of run ${run} is over: the last was ${before.turn}`);
    if (before === undefined && (kind !== 'run.started' || turn !== 0))
      throw invalidEvent(index, `a run begins with run.started at turn 0, and ${run} is not there yet`);
    if (before && kind === 'run.started') throw invalidEvent(index, `the run ${run} has started already`);
    const session = textIn(event, 'session_id') ?? before?.session;
    if (before?.session !== undefined && session !== before.session)
      throw invalidEvent(index, `the run ${run} is of the session ${before.session}`);
    const finished = (before?.finished ?? false) || kind === 'run.finished';
    this.#runs.set(run, { turn, session, finished });
    this.#last = run;
    return before?.finished ? [`event ${index + 1}: the run ${run} is finished already`] : [];
  }
}

/** What a writer of a ledger remembers of it. */
class FishbowlMemory implements WritingMemory {
  readonly ids = new StoredPlaces();
  readonly runs = new Map<string, RunSoFar>();
  readonly run: string | undefined;
  last: string | undefined;
  sequence = 0;

  constructor({ run }: WritingPlace) {
    this.run = run;
  }

  take(record: LogRecord): void {
    this.sequence += 1;
    this.ids.add(record.string(ID), record);
    const run = record.string(RUN);
    if (run === undefined) return;
    const before = this.runs.get(run);
    const turn = Math.max(before?.turn ?? 0, coerceInteger(record.value['turn']) ?? 0);
    const finished = (before?.finished ?? false) || record.string(KIND) === 'run.finished';
    this.runs.set(run, { turn, finished, session: record.string(SESSION) ?? before?.session });
    this.last = run;
  }

  batch(stamps: Stamps): FishbowlBatch {
    return new FishbowlBatch(this, stamps);
  }
}

/** How the engine's ledger takes events (fishbowl.md §1, §5): validated whole, and the id makes a second one none. */
export const fishbowlWriting: Writing = { memory: (place) => new FishbowlMemory(place) };
