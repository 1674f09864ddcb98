import type { Findings } from './findings.ts';
import type { VerifyTarget } from './options.ts';
import { type EpisodeReport, STAGES, type Stage, type StageName } from './report.ts';

/** Why a stage was skipped that has nothing to say of logs of this dialect. */
export const DOES_NOT_APPLY = 'does not apply';

/** A step of a verification, and the stages of the report that it goes through. */
export interface StageStep {
  readonly names: readonly StageName[];
  /** Why it cannot run; undefined where it can. Asked when its turn comes. */
  readonly needs?: () => string | undefined;
  /** Runs it. What it returns says why its stages said less than they otherwise say: all but `log`, which reads on. */
  run(): Promise<string | undefined> | string | undefined;
}

/** What a report says of an episode beside what was found in it; asked for when all stages are over. */
export interface EpisodeFacts {
  readonly target: VerifyTarget;
  readonly dialect: string;
  readonly events?: number;
  readonly bytes?: number;
  readonly sealed?: boolean;
  /** Where the episode is; by default its directory, else its log. */
  readonly path?: string;
}

/** The report on an episode: the one place that makes it. */
export function episodeReport(
  { target, dialect, events = 0, bytes = 0, sealed = false, path }: EpisodeFacts,
  stages: readonly Stage[],
  findings: Findings,
): EpisodeReport {
  const { verdict, ...found } = findings.conclude();
  const { name, dir, fileName, log = '' } = target;
  const where = path ?? dir ?? fileName ?? log;
  return { episode: name, path: where, dialect, verdict, events, bytes, sealed, stages, ...found };
}

/** All stages, none of which ran. */
export function skippedStages(reason: string): Stage[] {
  return STAGES.map((name) => ({ name, status: 'skipped', reason }));
}

/** Which stages of a verification ran. */
export class StageList {
  readonly #stages = new Map<StageName, Stage>();

  ran(name: StageName): void {
    this.#stages.set(name, { name, status: 'ran' });
  }

  skip(name: StageName, reason: string): void {
    this.#stages.set(name, { name, status: 'skipped', reason });
  }

  /** A stage that ran, but could not say all it otherwise says. */
  ranOrPartly(name: StageName, reason: string | undefined): void {
    this.#stages.set(name, { name, status: 'ran', ...(reason !== undefined && { reason }) });
  }

  /** All stages in their order; those nobody spoke of do not apply. */
  list(): Stage[] {
    return STAGES.map(
      (name) => this.#stages.get(name) ?? { name, status: 'skipped', reason: DOES_NOT_APPLY },
    );
  }
}

async function runStep({ names, needs, run }: StageStep): Promise<Stage[]> {
  const missing = needs?.();
  if (missing !== undefined) return names.map((name) => ({ name, status: 'skipped', reason: missing }));
  const partly = await run();
  return names.map((name) => ({
    name,
    status: 'ran',
    ...(partly !== undefined && name !== 'log' && { reason: partly }),
  }));
}

/**
 * Runs the steps one after the other, none stopped by another's findings, and makes the report: every stage in its
 * order, with why it was skipped; those without a step do not apply.
 */
export async function runStages(
  steps: readonly StageStep[],
  facts: () => EpisodeFacts,
  findings: Findings,
): Promise<EpisodeReport> {
  const done = new Map<StageName, Stage>();
  for (const step of steps) for (const stage of await runStep(step)) done.set(stage.name, stage);
  const stages = STAGES.map(
    (name) => done.get(name) ?? ({ name, status: 'skipped', reason: DOES_NOT_APPLY } as const),
  );
  return episodeReport(facts(), stages, findings);
}
