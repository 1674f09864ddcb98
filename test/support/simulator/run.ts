import type { JsonObject } from './canonical.ts';
import { type Clock, createClock, isoTime } from './clock.ts';
import { type Disk, MemoryDisk } from './disk.ts';
import { type Encoder, EventLog, encodeCanonical, type Logged } from './events.ts';
import { episodeId, legacyEpisodeId } from './ids.ts';
import { createLegacyEncoder } from './legacy.ts';
import { createRandom, type Random } from './random.ts';
import type { SettledShape } from './shape.ts';
import { createText, type Text } from './text.ts';

/** The status of a run, in the words of state.json. */
export interface Outcomes {
  readonly status: 'ok' | 'error' | 'vetoed' | 'aborted' | 'partial' | 'pending';
  readonly summary: string | null;
  readonly metrics: JsonObject;
}

/** Counts that the summary and the insight event report. */
export interface Counts {
  acts: number;
  plans: number;
  interprets: number;
  reflects: number;
  directionApplied: number;
  directionVetoed: number;
}

/** The plan as the state keeps it. */
export interface Plan {
  source: string;
  updated_at: string;
  rationale?: string;
  steps: JsonObject[];
}

/** The governance decision about acts, and its candidate. */
export interface Ruling {
  readonly candidate: string;
  readonly event: Logged;
}

/** A running run: its log, and the state that the runtime keeps next to it. */
export interface Run {
  readonly shape: SettledShape;
  readonly random: Random;
  readonly text: Text;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: EventLog;
  readonly id: string;
  readonly task: string;
  readonly tags: JsonObject;
  readonly startedAt: string;
  readonly process: { readonly id: string; readonly name: string; readonly runIndex: number };
  readonly beliefs: JsonObject[];
  readonly facts: JsonObject[];
  readonly actions: JsonObject[];
  readonly counts: Counts;
  /** Whether prompts are written with the fields that only the documents have. */
  readonly documentedPrompts: boolean;
  readonly using: string;
  /** The adapter's label, as agent ids and tools carry it. */
  adapter: string;
  plan: Plan;
  outcomes: Outcomes;
  links: JsonObject;
  /** The change that the last directive made, in the words of the summary. */
  lastDiff: string[];
  /** Whether governance and intuition are on: a process that reads a run back has neither. */
  faculties: boolean;
  ruling: Ruling | undefined;
  /** The id of the latest plan event. */
  planId: string;
  /** When the start event was recorded, and the work began, in microseconds since 1970. */
  startMicros: number;
  workMicros: number;
  /** The cause of the reflection: the latest plan or resumption. */
  reflectCause: string;
  /** The cause of the roll-up act. */
  rollUpCause: string;
  /** The id of the latest interpret event. */
  interpretId: string;
  /** The intuition event, if there is one, and its evidence. */
  intuition: { readonly id: string; readonly evidence: string[] } | undefined;
  /** The cause of the next act, or of its candidate. */
  cause: string;
  /** Acts since the latest plan. */
  actsOfPlan: number;
}

function beginnings(random: Random, text: Text, startedAt: string) {
  const provenance = { source: 'planner', evidence_ids: ['event:observe:1'] };
  const belief = { statement: text.words(4), confidence: 0.9, timestamp: startedAt, provenance };
  const fact = { type: 'note', key: 'environment', value: text.words(2), timestamp: startedAt };
  return { beliefs: random.chance(0.3) ? [belief] : [], facts: random.chance(0.3) ? [fact] : [] };
}

const noCounts = (): Counts => ({
  acts: 0,
  plans: 0,
  interprets: 0,
  reflects: 0,
  directionApplied: 0,
  directionVetoed: 0,
});

/** A run that has logged nothing yet. */
export function createRun(shape: SettledShape, disk: Disk = new MemoryDisk(createRandom(shape.seed))): Run {
  const milliseconds = Date.parse(shape.startedAt);
  if (Number.isNaN(milliseconds)) throw new RangeError(`not a time: ${shape.startedAt}`);
  const random = createRandom(shape.seed);
  const text = createText(random, shape.unicode);
  const clock = createClock(random, milliseconds, shape);
  const startedAt = isoTime(clock.now());
  // Only the newest core reads the clock once for both.
  if (shape.core === 'published') clock.tick();
  const id = shape.legacy
    ? legacyEpisodeId(random, milliseconds, shape.seed)
    : episodeId(random, milliseconds);
  const encode: Encoder = shape.legacy ? createLegacyEncoder() : encodeCanonical;
  const processId = random.hex(12);
  const using = shape.adapter === 'tool' ? random.pick(['tool', 'Graph', '<lambda>']) : 'core.minimal';
  return {
    shape,
    random,
    text,
    clock,
    disk,
    log: new EventLog(disk, id, random, clock, encode),
    id,
    task: shape.task ?? text.words(6),
    tags: shape.tags ?? { team: 'platform', hot: random.chance(0.5), n: shape.seed },
    startedAt,
    process: { id: processId, name: `demo-${processId.slice(0, 6)}`, runIndex: 1 + random.int(3) },
    ...(shape.script ? { beliefs: [], facts: [] } : beginnings(random, text, startedAt)),
    actions: [],
    counts: noCounts(),
    documentedPrompts: random.chance(0.5),
    using,
    adapter: `adapter:${using}`,
    plan: { source: 'planner', updated_at: startedAt, steps: [] },
    outcomes: { status: 'pending', summary: null, metrics: {} },
    links: {},
    lastDiff: [],
    faculties: true,
    ruling: undefined,
    planId: '',
    startMicros: 0,
    workMicros: 0,
    reflectCause: '',
    rollUpCause: '',
    interpretId: '',
    intuition: undefined,
    cause: '',
    actsOfPlan: 0,
  };
}
