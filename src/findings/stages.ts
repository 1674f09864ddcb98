import type { Findings } from './findings.ts';
import { proofOf } from './level.ts';
import type { VerifyTarget } from './options.ts';
import { type EpisodeReport, STAGES, type Stage, type StageName } from './report.ts';

/** Why a stage was skipped that has nothing to say of logs of this dialect. */
export const DOES_NOT_APPLY = 'does not apply';

/** Why stages said less than they otherwise say: all that the step goes through, or some by name. */
export type Partly = string | Readonly<Partial<Record<StageName, string>>> | undefined;

/** A step of a verification. */
export interface StageStep<Needed> {
  /** The stages of the report that it goes through. */
  readonly names: readonly StageName[];
  /** What it works on, or a text that says why it cannot run. Asked when its turn comes. */
  readonly needs: () => Needed | string | Promise<Needed | string>;
  readonly run: (needed: Needed) => void | Promise<void>;
  /** Asked when it has run. */
  readonly partly?: () => Partly;
}

/** A step that is ready to run, whatever it works on: it tells what became of its stages. */
export type ReadyStep = () => Promise<readonly Stage[]>;

/** Makes a step of a verification: the stages it goes through, what it needs, and what it does with it. */
export function stage<Needed extends object | undefined>(step: StageStep<Needed>): ReadyStep {
  const { names, needs, run, partly: leftOut } = step;
  return async () => {
    const needed = await needs();
    if (typeof needed === 'string') return names.map((name) => ({ name, status: 'skipped', reason: needed }));
    await run(needed);
    const partly = leftOut?.();
    return names.map((name) => {
      const reason = typeof partly === 'object' ? partly[name] : partly;
      return { name, status: 'ran', ...(reason !== undefined && { reason }) };
    });
  };
}

/** The log to read; where there is none that is `log/missing`, and why nothing can be checked. */
export function requireLog(
  log: string | undefined,
  missing: { readonly message: string; readonly file: string; readonly reason: string },
  findings: Findings,
): { readonly path: string } | string {
  if (log !== undefined) return { path: log };
  const { message, file, reason } = missing;
  findings.report({ code: 'log/missing', message, file });
  return reason;
}

/** What the stages of a log leave out where it is not whole; `log` itself reads all there is. */
export function unlessWhole({ whole }: { readonly whole: boolean }, leftOut: string): Partly {
  if (whole) return undefined;
  const reason = `the log is not whole: ${leftOut}`;
  return Object.fromEntries(STAGES.filter((name) => name !== 'log').map((name) => [name, reason]));
}

/** What a report says of an episode beside what was found in it. */
export interface EpisodeFacts {
  readonly target: VerifyTarget;
  readonly dialect: string;
  readonly events?: number;
  readonly bytes?: number;
  readonly sealed?: boolean;
  /** A signature of the seal holds with a key that was given. */
  readonly signed?: boolean;
  /** Where the episode is; by default its directory, else its log. */
  readonly path?: string;
}

/** Whether a state was read, and not all that the log says of it was compared. */
const leavesStateOpen = (stages: readonly Stage[]): boolean =>
  stages.some(({ name, status }) => name === 'state' && status === 'ran') &&
  stages.some(
    ({ name, reason }) => name === 'projection' && reason !== undefined && reason !== DOES_NOT_APPLY,
  );

/** The report on an episode: the one place that makes it. */
export function episodeReport(
  { target, dialect, events = 0, bytes = 0, sealed = false, signed = false, path }: EpisodeFacts,
  stages: readonly Stage[],
  findings: Findings,
): EpisodeReport {
  const { verdict, ...found } = findings.conclude();
  const { name, dir, fileName, log = '' } = target;
  const where = path ?? dir ?? fileName ?? log;
  const isCompared = sealed && stages.some(({ name: one, status }) => one === 'manifest' && status === 'ran');
  const { seen, errors, faults } = findings;
  const isStateOpen = leavesStateOpen(stages);
  const proof = proofOf({ events, sealed: isCompared, signed, isStateOpen, seen, errors, faults });
  return { episode: name, path: where, dialect, verdict, ...proof, events, bytes, sealed, stages, ...found };
}

/** All stages, none of which ran. */
export function skippedStages(reason: string): Stage[] {
  return STAGES.map((name) => ({ name, status: 'skipped', reason }));
}

/**
 * Runs the steps one after the other, none stopped by another's findings, and makes the report: every stage in its
 * order, with why it was skipped; those without a step do not apply. The facts are asked for when all steps are over.
 */
export async function runStages(
  steps: readonly ReadyStep[],
  facts: () => EpisodeFacts,
  findings: Findings,
): Promise<EpisodeReport> {
  const done = new Map<StageName, Stage>();
  for (const step of steps) for (const one of await step()) done.set(one.name, one);
  const stages = STAGES.map(
    (name) => done.get(name) ?? ({ name, status: 'skipped', reason: DOES_NOT_APPLY } as const),
  );
  return episodeReport(facts(), stages, findings);
}

/** The stages that did not run although they have something to say of a log of its dialect, by the reason why. */
export function skippedOf({
  stages,
}: Pick<EpisodeReport, 'stages'>): ReadonlyMap<string | undefined, readonly StageName[]> {
  const skipped = new Map<string | undefined, StageName[]>();
  for (const { name, status, reason } of stages) {
    if (status !== 'skipped' || reason === DOES_NOT_APPLY) continue;
    const names = skipped.get(reason);
    if (names) names.push(name);
    else skipped.set(reason, [name]);
  }
  return skipped;
}
