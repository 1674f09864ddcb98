import type { JsonObject } from '../../base/json/value.ts';
import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { requireFit, withoutEmpty } from '../kit/refuse-event.ts';
import { type Doubt, objections } from '../kit/rules.ts';
import { keyedMemory, type LogWriter } from '../kit/writer.ts';
import type { Stamps, Writing } from '../kit/writing.ts';
import { FISHBOWL } from './catalogue.ts';
import { envelopeDoubts, payloadDoubts, versionDoubts } from './envelope.ts';
import { readLeniently, SCHEMA_VERSION } from './read.ts';
import { RULES } from './rules.ts';
import { FishbowlRun, Runs } from './run.ts';
import { EVENT_KEYS } from './schema/event.ts';

const SEVERITIES = severitiesOf(FISHBOWL);

/** Members that later versions added. Readers of the older form refuse them (fishbowl.md §1). */
const LATER = ['session_id', 'model_profile', 'model_id'] as const;

/** The state of a ledger: its runs, and which of the later members its last event has. */
class LedgerWriter implements LogWriter {
  sequence = 0;
  /** The run for events that name none. */
  #run: string | undefined;
  /** The run of the last event. */
  #last: string | undefined;
  #runs = new Runs();
  #later: readonly string[] = LATER;

  constructor(run: string | undefined) {
    this.#run = run;
  }

  copy(): LedgerWriter {
    const copy = new LedgerWriter(this.#run);
    copy.sequence = this.sequence;
    copy.#last = this.#last;
    copy.#runs = new Runs(this.#runs);
    copy.#later = this.#later;
    return copy;
  }

  take(stored: JsonObject, line: number): void {
    this.sequence += 1;
    this.#later = LATER.filter((name) => Object.hasOwn(stored, name));
    // An event without a run belongs to none.
    if (typeof stored['run_id'] !== 'string') return;
    const event = readLeniently(stored);
    // A batch works on copies, because it may be discarded.
    const run = this.#runs.of(event.runId).copy();
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
      ...(this.#later.includes('session_id') && { session_id: before?.session ?? null }),
      // Leave out empty members that the ledger does not have.
      ...withoutEmpty(given, missing),
      ...(run !== undefined && { run_id: run }),
    };
    // In the engine's order. Unknown members come last, and are refused.
    const known = EVENT_KEYS.flatMap((key) => (key in filled ? [[key, filled[key]]] : []));
    return { ...(Object.fromEntries(known) as JsonObject), ...filled };
  }

  check(event: JsonObject, index: number): string[] {
    // One event that the engine cannot read makes the whole store unreadable.
    const isError = ({ code, severity = SEVERITIES.get(code) }: Doubt): boolean => severity === 'error';
    requireFit(index, envelopeDoubts(event).filter(isError));
    const strange = LATER.filter((name) => name in event && !this.#later.includes(name));
    return strange.map((name) => {
      const reason = `the earlier events have no ${name}, and old readers refuse it`;
      return `event ${index + 1} is of a newer form: ${reason}`;
    });
  }

  doubts(stored: JsonObject): string[] {
    const event = readLeniently(stored);
    const { kind, payload, runId } = event;
    const doubts = [
      ...envelopeDoubts(stored),
      ...versionDoubts(stored),
      ...payloadDoubts(kind, payload),
      ...RULES.doubts(kind, event, this.#runs.get(runId) ?? new FishbowlRun(runId)),
    ];
    return objections(doubts, SEVERITIES);
  }
}

/** Appends to a ledger as the engine does (fishbowl.md §1, §5). An event with a known id is not appended again. */
export const fishbowlWriting: Writing = {
  memory: ({ run }) => keyedMemory({ name: 'id', optional: LATER }, new LedgerWriter(run)),
};
