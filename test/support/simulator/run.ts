import type { JsonObject } from './canonical.ts';
import { type Clock, createClock, isoTime } from './clock.ts';
import { type Encoder, EventLog, encodeCanonical } from './events.ts';
import { episodeId, legacyEpisodeId } from './ids.ts';
import { createLegacyEncoder } from './legacy.ts';
import { createRandom, type Random } from './random.ts';
import type { SettledShape } from './shape.ts';
import { createText, type Text } from './text.ts';

/** The label of the simulated adapter, without the prefix that agent ids and tools carry. */
export const using = 'core.minimal';
export const adapter = `adapter:${using}`;

/** Counts that the summary and the insight event report. */
export interface Counts {
  acts: number;
  plans: number;
  directionApplied: number;
  directionVetoed: number;
  vetoes: number;
  wouldVetoes: number;
}

/** A run under way: what it has logged, and the state that the runtime keeps beside the log. */
export interface Run {
  readonly shape: SettledShape;
  readonly random: Random;
  readonly text: Text;
  readonly clock: Clock;
  readonly log: EventLog;
  readonly id: string;
  readonly task: string;
  readonly tags: JsonObject;
  readonly startedAt: string;
  readonly process: { readonly id: string; readonly name: string; readonly runIndex: number };
  readonly files: Map<string, Uint8Array>;
  readonly beliefs: JsonObject[];
  readonly facts: JsonObject[];
  readonly actions: JsonObject[];
  readonly prompts: JsonObject[];
  readonly counts: Counts;
  plan: { source: string; updated_at: string; rationale?: string; steps: JsonObject[] };
  /** The id of the latest plan event. */
  planId: string;
  /** When the start event was recorded, in microseconds since 1970. */
  startMicros: number;
  /** The event that reflection hangs from: the latest plan or resumption. */
  reflectCause: string;
  /** The id of the latest interpret event. */
  interpretId: string;
  /** The id of the intuition event, if there is one. */
  intuitionId: string | undefined;
  /** The event that the next act, or its candidate, hangs from. */
  cause: string;
  /** Acts since the latest plan. */
  actsOfPlan: number;
}

/** A run that has logged nothing yet. */
export function createRun(shape: SettledShape): Run {
  const milliseconds = Date.parse(shape.startedAt);
  if (Number.isNaN(milliseconds)) throw new RangeError(`not a time: ${shape.startedAt}`);
  const random = createRandom(shape.seed);
  const text = createText(random, shape.unicode);
  const clock = createClock(random, milliseconds);
  const startedAt = isoTime(clock.now());
  // Older runtimes read the clock once more between state.json and the start event.
  if (shape.legacy) clock.tick();
  const id = shape.legacy
    ? legacyEpisodeId(random, milliseconds, shape.seed)
    : episodeId(random, milliseconds);
  const encode: Encoder = shape.legacy ? createLegacyEncoder() : encodeCanonical;
  const processId = random.hex(12);
  const provenance = { source: 'planner', evidence_ids: ['event:observe:1'] };
  const fact = { type: 'note', key: 'environment', value: text.words(2), timestamp: startedAt };
  return {
    shape,
    random,
    text,
    clock,
    log: new EventLog(id, random, clock, encode),
    id,
    task: shape.task ?? text.words(6),
    tags: { team: 'platform', hot: random.chance(0.5), n: shape.seed },
    startedAt,
    process: { id: processId, name: `demo-${processId.slice(0, 6)}`, runIndex: 1 + random.int(3) },
    files: new Map(),
    beliefs: [{ statement: text.words(4), confidence: 0.9, timestamp: startedAt, provenance }],
    facts: random.chance(0.5) ? [fact] : [],
    actions: [],
    prompts: [],
    counts: { acts: 0, plans: 0, directionApplied: 0, directionVetoed: 0, vetoes: 0, wouldVetoes: 0 },
    plan: { source: 'planner', updated_at: startedAt, steps: [] },
    planId: '',
    startMicros: 0,
    reflectCause: '',
    interpretId: '',
    intuitionId: undefined,
    cause: '',
    actsOfPlan: 0,
  };
}
