import { formatPath } from '../../json/path.ts';
import type { JsonObject } from '../../json/value.ts';
import { IdIndex } from '../../log/id-index.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Evidence, EvidenceMap, sourceOf } from '../../projection/evidence.ts';
import type { Projection, Projector } from '../../projection/projector.ts';
import { upcastsInUse } from '../upcast.ts';
import type { UpcastStep } from '../upcast-schema.ts';
import { leaderboardOf } from './leaderboard.ts';
import { readEvent, upcastEvent } from './read.ts';
import { SummaryFold } from './run-summary.ts';
import { type Stage, StageFold } from './stage.ts';

/** How a ledger is projected. */
export interface FishbowlProjection {
  /** This run alone, of a ledger that holds many. */
  readonly runId?: string;
  readonly upcasts?: readonly UpcastStep[];
}

interface RunFold {
  readonly summary: SummaryFold;
  readonly stage: StageFold;
  readonly sources: Map<'first' | 'started' | 'finished' | 'scene' | 'latest', Evidence>;
}

/** What `project` says of a ledger: its runs in the order in which they came, their stages, the leaderboard. */
export class FishbowlProjector implements Projector {
  readonly #options: FishbowlProjection;
  readonly #upcasts: readonly UpcastStep[];
  readonly #ids = new IdIndex();
  readonly #runs = new Map<string, RunFold>();

  constructor(options: FishbowlProjection = {}) {
    this.#options = options;
    this.#upcasts = options.upcasts ?? upcastsInUse();
  }

  add(record: LogRecord): void {
    this.addEvent(record.exact, record.line);
  }

  /** Takes in the next event of the ledger. Of two with one id the first counts, over all runs (fishbowl.md §5). */
  addEvent(stored: JsonObject, line: number): void {
    const event = readEvent(upcastEvent(stored, this.#upcasts) ?? stored);
    if (event === undefined) return;
    if (event.id !== undefined && this.#ids.add(event.id, line) >= 0) return;
    if (this.#options.runId !== undefined && event.runId !== this.#options.runId) return;
    const run = this.#run(event.runId);
    const source = sourceOf(event.id, line);
    if (!run.sources.has('first')) run.sources.set('first', source);
    run.sources.set('latest', source);
    if (event.kind === 'run.started') run.sources.set('started', source);
    if (event.kind === 'run.finished') run.sources.set('finished', source);
    run.summary.add(event);
    if (run.stage.add(event)) run.sources.set('scene', source);
  }

  result(): Projection {
    const runs = [...this.#runs];
    const summaries = runs.map(([, { summary }]) => ({
      summary: summary.summary(),
      casting: summary.casting,
    }));
    const stages = runs.map(([id, { stage }]): [string, Stage] => [id, stage.stage()]);
    return {
      value: {
        runs: summaries.map(({ summary }) => summary),
        // `fromEntries` makes own members, even of a run named __proto__.
        stage: Object.fromEntries(stages),
        leaderboard: leaderboardOf(summaries),
      },
      evidence: this.#evidence(),
      underivable: [],
    };
  }

  #run(id: string): RunFold {
    let run = this.#runs.get(id);
    if (run === undefined) {
      run = { summary: new SummaryFold(id), stage: new StageFold(), sources: new Map() };
      this.#runs.set(id, run);
    }
    return run;
  }

  #evidence(): EvidenceMap {
    const map = new EvidenceMap();
    [...this.#runs].forEach(([id, { sources }], index) => {
      const set = (path: (string | number)[], source: Evidence | undefined) => {
        if (source) map.set(formatPath(path), source);
      };
      set(['runs', index], sources.get('started') ?? sources.get('first'));
      for (const key of [
        'finished_at',
        'reason',
        'winner',
        'winner_kind',
        'winning_model',
        'winning_models',
        'turns',
        'tokens',
      ]) {
        set(['runs', index, key], sources.get('finished'));
      }
      set(['stage', id], sources.get('latest'));
      set(['stage', id, 'seed'], sources.get('started'));
      set(['stage', id, 'goal'], sources.get('started'));
      set(['stage', id, 'current_scene'], sources.get('scene'));
    });
    return map;
  }
}
