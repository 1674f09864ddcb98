import type * as z from 'zod';
import type { EventRemark } from '../../../findings/check.ts';
import { schemaIssues } from '../../../findings/schema-issues.ts';
import { parseJson } from '../../../json/parse.ts';
import { isSameNumber } from '../../../json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { writeJson } from '../../../json/write.ts';
import { field, type LogRecord } from '../../../log/record.ts';
import { KeyedBatch } from '../../keyed-batch.ts';
import { refuseDoubtful, requireFit, textIn, withoutEmpty } from '../../refuse-event.ts';
import { StoredPlaces } from '../../stored-places.ts';
import type { Draft, Stamps, Writing, WritingMemory, WritingPlace } from '../../writing.ts';
import { type Casting, castingOf } from '../attribution.ts';
import { coerceInteger } from '../schema/coerce.ts';
import { eventSchema } from '../schema/event.ts';
import { payloadSchemaOf } from '../schema/payloads.ts';
import {
  actorDoubt,
  contradictions,
  endingDoubts,
  type StoredVerdict,
  verdictDoubts,
} from '../verdict-doubts.ts';
import { EVENT_KEYS, SCHEMA_VERSION } from '../vocabulary.ts';

const ID = field('id');
const RUN = field('run_id');
const KIND = field('kind');
const SESSION = field('session_id');

/** The members that came later, and that a reader of the older form refuses (fishbowl.md §1). */
const LATER = ['session_id', 'model_profile', 'model_id'] as const;

/** What a ledger says of one run so far. */
interface RunSoFar {
  readonly turn: number;
  readonly session: string | undefined;
  readonly casting: Casting | undefined;
  readonly scenario: JsonValue | undefined;
  readonly verdict: StoredVerdict | undefined;
  /** The payload of its end. */
  readonly end: JsonObject | undefined;
}

const NO_RUN: RunSoFar = {
  turn: 0,
  session: undefined,
  casting: undefined,
  scenario: undefined,
  verdict: undefined,
  end: undefined,
};

/** An event of a run, as far as a run is known by it. */
interface RunEvent {
  readonly kind: string | undefined;
  readonly turn: number;
  readonly session: string | undefined;
  readonly payload: JsonObject;
  readonly line: number;
}

/** A run once one more event of it is stored. */
function advanced(before: RunSoFar, { kind, turn, session, payload, line }: RunEvent): RunSoFar {
  const run = { ...before, turn: Math.max(before.turn, turn), session: session ?? before.session };
  switch (kind) {
    case 'run.started':
      return { ...run, casting: castingOf(payload), scenario: payload['scenario'] };
    case 'judge.verdict':
      return { ...run, verdict: { winner: textIn(payload, 'winner') ?? null, line } };
    case 'run.finished':
      return { ...run, end: payload };
    default:
      return run;
  }
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
    return known?.kind === 'stored' ? { ...known, members: withoutEmpty(event, LATER) } : known;
  }

  protected draft(given: JsonObject, index: number): Draft {
    const run = given['run_id'] ?? this.#memory.run ?? this.#last;
    const before = typeof run === 'string' ? this.#runs.get(run) : undefined;
    const { later } = this.#memory;
    const filled: JsonObject = {
      id: this.#stamps.newId(),
      turn: before?.turn ?? 0,
      created_at: new Date(this.#stamps.now).toISOString(),
      schema_version: SCHEMA_VERSION,
      ...Object.fromEntries(
        later.map((name) => [name, name === 'session_id' ? (before?.session ?? null) : null]),
      ),
      // A member that this ledger does not have, and that says nothing here, stays out.
      ...withoutEmpty(
        given,
        LATER.filter((name) => !later.includes(name)),
      ),
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
    const {
      kind,
      run_id: run,
      turn,
      actor,
      payload,
    } = event as z.infer<typeof eventSchema> & {
      payload: JsonObject;
    };
    const schema = payloadSchemaOf(kind);
    if (schema) requireFit(index, schemaIssues(schema, payload, ['payload']));
    const session = textIn(event, 'session_id');
    const after = advanced(before ?? NO_RUN, { kind, turn, session, payload, line: this.#sequence + 1 });
    const remarks = refuseDoubtful(this.#stamps, index, [
      ...this.#formDoubts(event),
      ...orderDoubts({ kind, run, turn, session, payload }, before),
      ...castDoubts({ kind, actor, payload }, before ?? NO_RUN),
    ]);
    this.#runs.set(run, after);
    this.#last = run;
    return remarks;
  }

  #formDoubts(event: JsonObject): string[] {
    const { schema_version: version } = event;
    const isOther = !isSameNumber(version, SCHEMA_VERSION);
    const strange = LATER.filter((name) => name in event && !this.#memory.later.includes(name));
    return [
      ...(isOther
        ? [`schema_version is ${writeJson(version ?? null)}, and ${SCHEMA_VERSION} is the only one`]
        : []),
      ...strange.map((name) => `the events of this ledger have no ${name}, and their readers refuse one`),
    ];
  }
}

/** What the course of a run says against its next event. */
function orderDoubts(
  { kind, run, turn, session, payload }: Omit<RunEvent, 'line'> & { readonly run: string },
  before: RunSoFar | undefined,
): string[] {
  if (before === undefined)
    return kind === 'run.started' && turn === 0
      ? []
      : [`a run begins with run.started at turn 0, and ${run} has not begun`];
  const doubts: string[] = [];
  if (turn < before.turn) doubts.push(`turn ${turn} of run ${run} is over: the last was ${before.turn}`);
  if (kind === 'run.started') doubts.push(`the run ${run} has started already`);
  if (before.session !== undefined && session !== undefined && session !== before.session)
    doubts.push(`the run ${run} is of the session ${before.session}`);
  // The verdict that a run without budget was still waiting for comes, and corrects its end.
  const mayCorrect = textIn(before.end ?? {}, 'reason') === 'budget' && !textIn(before.end ?? {}, 'winner');
  const corrects =
    kind === 'judge.verdict' ||
    (kind === 'run.finished' &&
      textIn(payload, 'reason') === 'verdict' &&
      Boolean(textIn(payload, 'winner')));
  if (before.end !== undefined && !(mayCorrect && corrects))
    doubts.push(`the run ${run} is finished already`);
  return doubts;
}

/** What the cast of a run says against its next event. */
function castDoubts(
  { kind, actor, payload }: { readonly kind: string; readonly actor: string; readonly payload: JsonObject },
  { casting, scenario, verdict }: RunSoFar,
): string[] {
  const remarks: EventRemark[] = [];
  if (kind === 'judge.verdict')
    remarks.push(...contradictions(payload), ...(casting ? verdictDoubts(payload, actor, casting) : []));
  if (kind === 'run.finished') remarks.push(...endingDoubts(payload, verdict, casting));
  const stranger =
    kind === 'run.started' || casting === undefined ? undefined : actorDoubt(actor, casting, scenario);
  return [...(stranger === undefined ? [] : [stranger]), ...remarks.map(({ message }) => message)];
}

/** What a writer of a ledger remembers of it. */
class FishbowlMemory implements WritingMemory {
  readonly ids = new StoredPlaces();
  readonly runs = new Map<string, RunSoFar>();
  readonly run: string | undefined;
  /** Of the members that came later, those that the events of this ledger have: of its last one. */
  later: readonly string[] = LATER;
  last: string | undefined;
  sequence = 0;

  constructor({ run }: WritingPlace) {
    this.run = run;
  }

  take(record: LogRecord): void {
    this.sequence += 1;
    this.ids.add(record.string(ID), record);
    const { value, line } = record;
    this.later = LATER.filter((name) => Object.hasOwn(value, name));
    const run = record.string(RUN);
    if (run === undefined) return;
    const { payload } = value;
    const event = {
      kind: record.string(KIND),
      turn: coerceInteger(value['turn']) ?? 0,
      session: record.string(SESSION),
      payload: isObject(payload) ? payload : {},
      line,
    };
    this.runs.set(run, advanced(this.runs.get(run) ?? NO_RUN, event));
    this.last = run;
  }

  batch(stamps: Stamps): FishbowlBatch {
    return new FishbowlBatch(this, stamps);
  }
}

/** How the engine's ledger takes events (fishbowl.md §1, §5): validated whole, and the id makes a second one none. */
export const fishbowlWriting: Writing = { memory: (place) => new FishbowlMemory(place) };
