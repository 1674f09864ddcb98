import { formatPath } from '../../base/json/path.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { textOf } from '../../base/json/write.ts';
import { type Evidence, EvidenceMap, sourceOf } from '../../findings/projection/evidence.ts';
import type { Projection, Projector } from '../../findings/projection/projector.ts';
import { IdIndex } from '../../log/id-index.ts';
import type { LogRecord } from '../../log/record.ts';
import type { UpcastStep } from '../kit/upcast-schema.ts';
import { leaderboardOf } from './leaderboard.ts';
import { type LedgerEvent, readEvent, upcastEvent } from './read.ts';
import { FishbowlRun } from './run.ts';
import { OF_THE_END, summaryOf } from './run-summary.ts';

const MOST = { agent_notes: 8, judge_notes: 5, user_artifacts: 5 };

/** The list on the stage for the text of a kind. */
const LIST_OF: ReadonlyMap<string, keyof typeof MOST> = new Map([
  ['judge.verdict', 'judge_notes'],
  ['user.injected', 'user_artifacts'],
]);

/** What an audience sees of a run: the scene and the latest notes (fishbowl.md §8). */
class StageFold {
  readonly #stage = {
    seed: '',
    goal: '',
    current_scene: '',
    agent_notes: [] as string[],
    judge_notes: [] as string[],
    user_artifacts: [] as string[],
  };

  /** Adds the next event of the run. Returns whether it changed the scene. */
  add({ kind, actor = '', payload }: LedgerEvent): boolean {
    const { text, seed, goal } = payload;
    if (kind === 'run.started') {
      if (goal) this.#stage.goal = textOf(goal);
      if (seed === undefined) return false;
      this.#stage.seed = textOf(seed);
      // The engine shows this sentence until the first world.observed.
      this.#stage.current_scene = `The world wakes around: ${this.#stage.seed}`;
      return true;
    }
    if (kind === 'agent.reflected') {
      this.#note('agent_notes', `${actor} believes: ${text === undefined ? '' : textOf(text)}`);
    } else if (text === undefined) return false;
    else if (kind === 'world.observed') {
      this.#stage.current_scene = textOf(text);
      return true;
    } else {
      // Other kinds with a text, such as run.finished, are shown with the name of the kind.
      const list = LIST_OF.get(kind);
      const isPlain = kind === 'agent.spoke' || kind === 'agent.thought';
      const speaker = `${actor}${isPlain ? '' : ` [${kind}]`}: `;
      this.#note(list ?? 'agent_notes', `${list ? '' : speaker}${textOf(text)}`);
    }
    return false;
  }

  stage() {
    return structuredClone(this.#stage);
  }

  #note(list: keyof typeof MOST, text: string): void {
    const notes = this.#stage[list];
    notes.push(text);
    if (notes.length > MOST[list]) notes.shift();
  }
}

interface RunFold {
  readonly run: FishbowlRun;
  readonly stage: StageFold;
  readonly sources: Map<'first' | 'started' | 'finished' | 'scene' | 'latest', Evidence>;
}

/** Rebuilds what `project` prints: the runs in order, their stages, the leaderboard. */
export class FishbowlProjector implements Projector {
  readonly #runId: string | undefined;
  readonly #upcasts: readonly UpcastStep[];
  readonly #ids = new IdIndex();
  readonly #runs = new Map<string, RunFold>();

  /** `runId`: the only run to project. */
  constructor({
    runId,
    upcasts = [],
  }: { readonly runId?: string | undefined; readonly upcasts?: readonly UpcastStep[] | undefined } = {}) {
    this.#runId = runId;
    this.#upcasts = upcasts;
  }

  add(record: LogRecord): void {
    this.addEvent(record.shown, record.line);
  }

  /**
   * Adds the next event of the ledger. Of events with the same id, in any run, only the first counts (fishbowl.md §5).
   */
  addEvent(stored: JsonObject, line: number): void {
    const event = upcastEvent(stored, this.#upcasts);
    const read = readEvent(event);
    if (read === undefined) return;
    const { id, runId, kind } = read;
    if (id !== undefined && this.#ids.add(id, line) >= 0) return;
    if (this.#runId !== undefined && runId !== this.#runId) return;
    const { run, stage, sources } = this.#run(runId);
    const source = sourceOf(id, line);
    if (!sources.has('first')) sources.set('first', source);
    sources.set('latest', source);
    if (kind === 'run.started') sources.set('started', source);
    if (kind === 'run.finished') sources.set('finished', source);
    run.take(read, line);
    if (stage.add(read)) sources.set('scene', source);
  }

  result(): Projection {
    const runs = [...this.#runs.values()].map(({ run }) => ({
      summary: summaryOf(run),
      casting: run.casting,
    }));
    return {
      value: {
        runs: runs.map(({ summary }) => summary),
        // `fromEntries` also accepts a run named `__proto__`.
        stage: Object.fromEntries([...this.#runs].map(([id, { stage }]) => [id, stage.stage()])),
        leaderboard: leaderboardOf(runs),
      },
      evidence: this.#evidence(),
      underivable: [],
    };
  }

  #run(id: string): RunFold {
    const run = this.#runs.get(id) ?? {
      run: new FishbowlRun(id),
      stage: new StageFold(),
      sources: new Map(),
    };
    this.#runs.set(id, run);
    return run;
  }

  #evidence(): EvidenceMap {
    const map = new EvidenceMap();
    [...this.#runs].forEach(([id, { sources }], index) => {
      const set = (path: (string | number)[], source: Evidence | undefined) => {
        if (source) map.set(formatPath(path), source);
      };
      set(['runs', index], sources.get('started') ?? sources.get('first'));
      for (const key of OF_THE_END) set(['runs', index, key], sources.get('finished'));
      set(['stage', id], sources.get('latest'));
      set(['stage', id, 'seed'], sources.get('started'));
      set(['stage', id, 'goal'], sources.get('started'));
      set(['stage', id, 'current_scene'], sources.get('scene'));
    });
    return map;
  }
}
