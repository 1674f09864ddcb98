import { isSameNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { named, writeJson } from '../../base/json/write.ts';
import { schemaIssues } from '../../findings/schema-issues.ts';
import { stringIn } from '../kit/excerpt.ts';
import { requireFit, withoutEmpty } from '../kit/refuse-event.ts';
import { keyedMemory, type LogWriter } from '../kit/writer.ts';
import type { Stamps, Writing } from '../kit/writing.ts';
import { actorDoubt, contradictions, endingDoubts, verdictDoubts } from './casting.ts';
import { type LedgerEvent, readEvent, SCHEMA_VERSION } from './read.ts';
import { RunSoFar } from './run-so-far.ts';
import { EVENT_KEYS, eventSchema } from './schema/event.ts';
import { payloadSchemaOf } from './schema/payloads.ts';

/** Members that later versions added. Readers of the older form refuse them (fishbowl.md §1). */
const LATER = ['session_id', 'model_profile', 'model_id'] as const;

/** Why the order of the run's events does not allow the next event. */
function orderDoubts(event: LedgerEvent, before: RunSoFar | undefined): string[] {
  const { kind, runId: run, turn = 0, sessionId } = event;
  if (before === undefined)
    return kind === 'run.started' && turn === 0
      ? []
      : [`a run must begin with run.started at turn 0, but ${named(run)} has not begun`];
  const { turn: last = 0, session, end } = before;
  return [
    ...(turn < last ? [`turn ${turn} of run ${named(run)} is over: the last was ${last}`] : []),
    ...(kind === 'run.started' ? [`the run ${named(run)} has already started`] : []),
    ...(session !== undefined && sessionId !== null && sessionId !== session.id
      ? [`the run ${named(run)} belongs to the session ${named(session.id)}`]
      : []),
    ...(end !== undefined && !before.mayCorrect(event) ? [`the run ${named(run)} has already finished`] : []),
  ];
}

/** Why the cast of the run does not allow the next event. */
function castDoubts({ kind, actor = '', payload }: LedgerEvent, before: RunSoFar | undefined): string[] {
  const { casting, verdict } = before ?? {};
  const stranger = casting && kind !== 'run.started' ? actorDoubt(actor, casting) : undefined;
  const doubts = [
    ...(stranger ? [stranger] : []),
    ...(kind === 'judge.verdict' ? contradictions(payload) : []),
    ...(kind === 'judge.verdict' && casting ? verdictDoubts(payload, actor, casting) : []),
    ...(kind === 'run.finished' ? endingDoubts(payload, verdict, casting) : []),
  ];
  return doubts.map(({ message }) => message);
}

/** The state of a ledger: its runs, and which of the later members its last event has. */
class LedgerWriter implements LogWriter {
  sequence = 0;
  /** The run for events that name none. */
  #run: string | undefined;
  /** The run of the last event. */
  #last: string | undefined;
  #runs = new Map<string, RunSoFar>();
  #later: readonly string[] = LATER;

  constructor(run: string | undefined) {
    this.#run = run;
  }

  copy(): LedgerWriter {
    const copy = new LedgerWriter(this.#run);
    copy.sequence = this.sequence;
    copy.#last = this.#last;
    copy.#runs = new Map(this.#runs);
    copy.#later = this.#later;
    return copy;
  }

  take(stored: JsonObject, line: number): void {
    this.sequence += 1;
    this.#later = LATER.filter((name) => Object.hasOwn(stored, name));
    const { payload = {} } = stored;
    const event = readEvent({ kind: '', ...stored, payload: isObject(payload) ? payload : {} });
    if (event === undefined) return;
    // A batch works on copies, because it may be discarded.
    const run = this.#runs.get(event.runId)?.copy() ?? new RunSoFar();
    run.take(event, line);
    this.#runs.set(event.runId, run);
    this.#last = event.runId;
  }

  complete(given: JsonObject, stamps: Stamps): JsonObject {
    const run = given['run_id'] ?? this.#run ?? this.#last;
    const before = typeof run === 'string' ? this.#runs.get(run) : undefined;
    const missing = LATER.filter((name) => !this.#later.includes(name));
    const filled: JsonObject = {
      id: stamps.newId(),
      turn: before?.turn ?? 0,
      created_at: new Date(stamps.now).toISOString(),
      schema_version: SCHEMA_VERSION,
      ...Object.fromEntries(this.#later.map((name) => [name, null])),
      ...(this.#later.includes('session_id') && { session_id: before?.session?.id ?? null }),
      // Leave out empty members that the ledger does not have.
      ...withoutEmpty(given, missing),
      ...(run !== undefined && { run_id: run }),
    };
    // In the engine's order. Unknown members come last, and are refused.
    const known = EVENT_KEYS.flatMap((key) => (key in filled ? [[key, filled[key]]] : []));
    return { ...(Object.fromEntries(known) as JsonObject), ...filled };
  }

  check(event: JsonObject, index: number): string[] {
    requireFit(index, schemaIssues(eventSchema, event));
    const schema = payloadSchemaOf(stringIn(event, 'kind') ?? '');
    if (schema) requireFit(index, schemaIssues(schema, event['payload'], ['payload']));
    return [];
  }

  doubts(stored: JsonObject): string[] {
    const { schema_version: version = null } = stored;
    const strange = LATER.filter((name) => name in stored && !this.#later.includes(name));
    const event = readEvent(stored) as LedgerEvent;
    const before = this.#runs.get(event.runId);
    return [
      ...(isSameNumber(version, SCHEMA_VERSION)
        ? []
        : [`schema_version is ${writeJson(version)}, but ${SCHEMA_VERSION} is the only known version`]),
      ...strange.map(
        (name) => `the events of this ledger have no ${name}, and readers of such events refuse it`,
      ),
      ...orderDoubts(event, before),
      ...castDoubts(event, before),
    ];
  }
}

/** Appends to a ledger as the engine does (fishbowl.md §1, §5). An event with a known id is not appended again. */
export const fishbowlWriting: Writing = {
  memory: ({ run }) => keyedMemory({ name: 'id', optional: LATER }, new LedgerWriter(run)),
};
