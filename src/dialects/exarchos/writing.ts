import { dirname, join } from 'node:path';
import type { JsonObject } from '../../base/json/value.ts';
import { named, writeJson } from '../../base/json/write.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { schemaIssues } from '../../findings/schema-issues.ts';
import { PlainTextIndex } from '../../log/text-index.ts';
import { invalidEvent, requireFit } from '../kit/refuse-event.ts';
import { type Doubt, objections } from '../kit/rules.ts';
import { keyedMemory, type LogWriter } from '../kit/writer.ts';
import type { Stamps, Writing } from '../kit/writing.ts';
import { EXARCHOS } from './catalogue.ts';
import { payloadDoubts } from './checks/payload.ts';
import { EVENT_TYPES, SCHEMA_VERSION } from './event-types.ts';
import { filesOf, SHARED_STREAMS, streamOf } from './names.ts';
import { inKnownVersion, knowsType, type Registered } from './registered.ts';
import { RULES } from './rules.ts';
import { WorkflowRun, workflowEvent } from './run.ts';
import { eventSchema } from './schema/event.ts';
import { registeredBy } from './settings.ts';

/** The lock of the whole folder. A store that finds it held by a live process writes elsewhere (exarchos.md §4). */
const STORE_LOCK = '.event-store.lock';

/** The members of an event in the order in which the store writes them (exarchos.md §2). */
const ORDER = (
  'streamId sequence timestamp type correlationId causationId agentId agentRole tenantId organizationId source ' +
  'schemaVersion data idempotencyKey'
).split(' ');

/** Members that the writer sets. If the caller gives one, it must have the same value. */
const COUNTED = ['streamId', 'sequence'] as const;

const SEVERITIES = severitiesOf(EXARCHOS);

function workflowDoubts(stored: JsonObject, run: WorkflowRun): readonly Doubt[] {
  const event = workflowEvent(stored, run);
  return RULES.doubts(event.type, event, run);
}

/** The state of a stream after its log so far. */
class StreamWriter implements LogWriter {
  sequence = 0;
  readonly #registered: Registered;
  #stream: string | undefined;
  /** Undefined if the log has no event. */
  #run: WorkflowRun | undefined;

  constructor(stream: string | undefined, registered: Registered) {
    this.#stream = stream;
    this.#registered = registered;
  }

  copy(): StreamWriter {
    const copy = new StreamWriter(this.#stream, this.#registered);
    copy.sequence = this.sequence;
    copy.#run = this.#run?.copy();
    return copy;
  }

  take(event: JsonObject, line: number): void {
    const { sequence, streamId } = event;
    this.#run ??= new WorkflowRun(new PlainTextIndex(), event);
    this.#run.take(workflowEvent(event, this.#run), line);
    // Use the highest number, because older stores may have used numbers twice.
    if (typeof sequence === 'number') this.sequence = Math.max(this.sequence, sequence);
    this.#stream ??= typeof streamId === 'string' ? streamId : undefined;
  }

  complete(given: JsonObject, stamps: Stamps, index: number): JsonObject {
    const strange = Object.keys(given).filter((name) => !ORDER.includes(name));
    if (strange.length > 0)
      throw invalidEvent(index, `${strange.map(named).join(', ')} is not a member of events: put it in data`);
    const stamped: JsonObject = {
      schemaVersion: SCHEMA_VERSION,
      timestamp: new Date(stamps.now).toISOString(),
      ...given,
      streamId: this.#stream ?? given['streamId'] ?? '',
      sequence: this.sequence + 1,
    };
    for (const name of COUNTED) {
      if (given[name] !== undefined && given[name] !== stamped[name])
        throw invalidEvent(
          index,
          `${name} must be ${writeJson(stamped[name])} here, not ${writeJson(given[name])}`,
        );
    }
    return Object.fromEntries(
      ORDER.flatMap((name) => (stamped[name] === undefined ? [] : [[name, stamped[name]]])),
    ) as JsonObject;
  }

  doubts(stored: JsonObject): string[] {
    const { schemaVersion: version, streamId, type } = stored;
    const known = inKnownVersion(stored, this.#registered);
    const run = this.#run ?? new WorkflowRun(new PlainTextIndex());
    const isOfProgram = typeof streamId === 'string' && SHARED_STREAMS.has(streamId);
    const rules = isOfProgram && !String(type).startsWith('eval.') ? [] : workflowDoubts(stored, run);
    const doubts = objections([...payloadDoubts(stored, this.#registered), ...rules], SEVERITIES);
    const unknown = `schemaVersion ${writeJson(version ?? null)} is not known: the store writes ${SCHEMA_VERSION}`;
    return known === undefined ? [unknown, ...doubts] : doubts;
  }

  check(event: JsonObject, index: number): string[] {
    requireFit(index, schemaIssues(eventSchema, event));
    const type = event['type'] as string;
    const builtIn = EVENT_TYPES.get(type);
    if (!knowsType(this.#registered, type))
      throw invalidEvent(
        index,
        `the store does not know the type ${named(type)}`,
        'nothing was appended: noesis schema types lists them; add your own types to [exarchos] custom_types in noesis.toml',
      );
    if (builtIn?.source !== 'auto') return [];
    return [`event ${index + 1}: ${named(type)} is written by the program, not by hand`];
  }
}

/** Appends to a stream as the store does (exarchos.md §4, §5). */
export const exarchosWriting: Writing = {
  memory: ({ log, settings = {} }) =>
    keyedMemory({ name: 'idempotencyKey' }, new StreamWriter(streamOf(log), registeredBy(settings))),
  pidLock: (log) => join(dirname(log), STORE_LOCK),
  companions: (log, sequence) => {
    const files = filesOf(log);
    return files ? [{ path: join(files.dir, files.counter), text: `{"sequence":${sequence}}` }] : [];
  },
};
