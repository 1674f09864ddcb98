import { dirname, join } from 'node:path';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseJson } from '../../../json/parse.ts';
import type { JsonObject } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { KeyedBatch } from '../../keyed-batch.ts';
import { invalidEvent, refuseDoubtful, requireFit } from '../../refuse-event.ts';
import { StoredPlaces } from '../../stored-places.ts';
import type { Draft, Stamps, Writing, WritingMemory, WritingPlace } from '../../writing.ts';
import { EVENT_TYPES, SCHEMA_VERSION } from '../event-types.ts';
import { WorkflowLife } from '../lifecycle.ts';
import { filesOf, SHARED_STREAMS, streamOf } from '../names.ts';
import { inKnownVersion, type Registered } from '../registered.ts';
import { eventSchema } from '../schema/event.ts';
import { strictPayload } from '../schema/payloads.ts';
import { registeredBy } from '../settings.ts';

const STREAM = field('streamId');
const KEY = field('idempotencyKey');

/** One for the whole folder: a store that finds it held by a live process writes elsewhere (exarchos.md §4). */
const STORE_LOCK = '.event-store.lock';

/** The members of an event in the order in which the store writes them (exarchos.md §2). */
const ORDER = [
  'streamId',
  'sequence',
  'timestamp',
  'type',
  'correlationId',
  'causationId',
  'agentId',
  'agentRole',
  'tenantId',
  'organizationId',
  'source',
  'schemaVersion',
  'data',
  'idempotencyKey',
] as const;

/** Members that the store itself counts: what a caller says of them must be what they become. */
const COUNTED = ['streamId', 'sequence'] as const;

class ExarchosBatch extends KeyedBatch {
  readonly #stream: string | undefined;
  readonly #registered: Registered;
  readonly #stamps: Stamps;
  readonly #life: WorkflowLife;
  #sequence: number;

  constructor(memory: ExarchosMemory, stamps: Stamps) {
    super('idempotencyKey', memory.keys);
    this.#stream = memory.stream;
    this.#registered = memory.registered;
    this.#stamps = stamps;
    this.#life = memory.life?.copy() ?? new WorkflowLife(true);
    this.#sequence = memory.sequence;
  }

  get sequence(): number {
    return this.#sequence;
  }

  protected draft(given: JsonObject, index: number): Draft {
    const strange = Object.keys(given).filter((name) => !ORDER.some((one) => one === name));
    if (strange.length > 0)
      throw invalidEvent(index, `${strange.join(', ')} is no member of an event: it belongs into data`);
    const stamped: JsonObject = {
      schemaVersion: SCHEMA_VERSION,
      timestamp: new Date(this.#stamps.now).toISOString(),
      ...given,
      streamId: this.#stream ?? given['streamId'] ?? '',
      sequence: this.#sequence + 1,
    };
    for (const name of COUNTED) {
      if (given[name] !== undefined && given[name] !== stamped[name])
        throw invalidEvent(
          index,
          `${name} is ${writeJson(stamped[name])} here, and not ${writeJson(given[name])}`,
        );
    }
    const event = Object.fromEntries(
      ORDER.flatMap((name) => (stamped[name] === undefined ? [] : [[name, stamped[name]]])),
    ) as JsonObject;
    const text = writeJson(event);
    const stored = parseJson(text) as JsonObject;
    const remarks = this.#check(stored, index);
    const doubts = refuseDoubtful(this.#stamps, index, this.#doubts(stored));
    this.#sequence += 1;
    this.#life.take(stored, this.#sequence);
    return { kind: 'new', text, remarks: [...remarks, ...doubts] };
  }

  /** What `verify` would report of an event that the store takes. */
  #doubts(event: JsonObject): string[] {
    const { schemaVersion: version } = event;
    const doubts: string[] = [];
    if (inKnownVersion(event, this.#registered) === undefined)
      doubts.push(
        `schemaVersion ${writeJson(version ?? null)} is not known: the store writes ${SCHEMA_VERSION}`,
      );
    const fault = SHARED_STREAMS.has(event['streamId'] as string) ? undefined : this.#life.faultOf(event);
    if (fault !== undefined) doubts.push(fault.message);
    return doubts;
  }

  #check(event: JsonObject, index: number): string[] {
    requireFit(index, schemaIssues(eventSchema, event));
    const type = event['type'] as string;
    const builtIn = EVENT_TYPES.get(type);
    if (builtIn === undefined && this.#registered.types.get(type) === undefined)
      throw invalidEvent(
        index,
        `${type} is no type that the store knows`,
        'nothing was appended: noesis schema types lists them; a type of your own stands in [exarchos] custom_types of noesis.toml',
      );
    const schema = strictPayload(type);
    const { data } = event;
    if (schema && data !== undefined) requireFit(index, schemaIssues(schema, data, ['data']));
    if (builtIn?.source !== 'auto') return [];
    return [`event ${index + 1}: ${type} is written by the program itself, and not by hand`];
  }
}

/** What a writer of a stream remembers of its log. */
class ExarchosMemory implements WritingMemory {
  readonly keys = new StoredPlaces();
  readonly registered: Registered;
  /** Undefined while the log has no event. */
  life: WorkflowLife | undefined;
  stream: string | undefined;
  sequence = 0;

  constructor({ log, settings = {} }: WritingPlace) {
    this.stream = streamOf(log);
    this.registered = registeredBy(settings);
  }

  take(record: LogRecord): void {
    const { sequence } = record.value;
    // The highest: an older store may have handed out numbers twice.
    if (typeof sequence === 'number') this.sequence = Math.max(this.sequence, sequence);
    this.stream ??= record.string(STREAM);
    this.life ??= new WorkflowLife(!(typeof sequence === 'number' && sequence > 1));
    this.life.take(record.value, record.line);
    this.keys.add(record.string(KEY), record);
  }

  batch(stamps: Stamps): ExarchosBatch {
    return new ExarchosBatch(this, stamps);
  }
}

/** How the store appends to a stream (exarchos.md §4, §5). */
export const exarchosWriting: Writing = {
  memory: (place) => new ExarchosMemory(place),
  pidLock: (log) => join(dirname(log), STORE_LOCK),
  companions: (log, sequence) => {
    const files = filesOf(log);
    return files ? [{ path: join(files.dir, files.counter), text: `{"sequence":${sequence}}` }] : [];
  },
};
