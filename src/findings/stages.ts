import type { Findings } from './findings.ts';
import { type ChainedFacts, proofOf } from './level.ts';
import type { VerifyTarget } from './options.ts';
import type { EpisodeReport, Stage, StageName } from './report.ts';
import { DOES_NOT_APPLY, STAGES } from './report-words.ts';

/** Why stages are incomplete: all stages of the step, or some by name. */
type Partly = string | Readonly<Partial<Record<StageName, string>>> | undefined;

/** A step of a verification. */
interface StageStep<Needed, Result> {
  /** The stages of the report that it covers. */
  readonly names: readonly StageName[];
  /** The step's input, or a text that says why it cannot run. Called just before the step. */
  readonly needs: () => Needed | string | Promise<Needed | string>;
  /** Returns what later steps need to know. */
  readonly run: (needed: Needed) => Result | Promise<Result>;
  /** Called after the step. */
  readonly partly?: (result: Result) => Partly;
}

/** A step with its input type hidden. */
export interface ReadyStep<Result = unknown> {
  /** What the step returned; undefined before it, and if it was skipped. */
  readonly result: Result | undefined;
  /** Why it was skipped. */
  readonly skipped: string | undefined;
  /** Runs the step, and returns what happened to its stages. */
  readonly perform: () => Promise<readonly Stage[]>;
}

/** Makes a step of a verification. */
export function stage<Needed extends object | undefined, Result>(
  step: StageStep<Needed, Result>,
): ReadyStep<Result> {
  const { names, needs, run, partly: leftOut } = step;
  let result: Result | undefined;
  let skipped: string | undefined;
  const perform = async (): Promise<readonly Stage[]> => {
    const needed = await needs();
    if (typeof needed === 'string') {
      skipped = needed;
      return names.map((name) => ({ name, status: 'skipped', reason: needed }));
    }
    const done = await run(needed);
    result = done;
    const partly = leftOut?.(done);
    return names.map((name) => {
      const reason = typeof partly === 'object' ? partly[name] : partly;
      return { name, status: 'ran', ...(reason !== undefined && { reason }) };
    });
  };
  return {
    get result() {
      return result;
    },
    get skipped() {
      return skipped;
    },
    perform,
  };
}

/** A step that is always skipped, because a part of the checks needs what the log does not have. */
export function skip(name: StageName, reason: string): ReadyStep<never> {
  return { result: undefined, skipped: reason, perform: async () => [{ name, status: 'skipped', reason }] };
}

/** The log to read. Without one, reports `log/missing` and returns why nothing can be checked. */
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

/** Marks the stages that a damaged log leaves incomplete. The stage `log` reads everything anyway. */
export function unlessWhole({ whole }: { readonly whole: boolean }): Partly {
  if (whole) return undefined;
  const reason = 'the log is damaged: what it may have lost is not reported as missing';
  return Object.fromEntries(STAGES.filter((name) => name !== 'log').map((name) => [name, reason]));
}

/** Facts about an episode in its report, apart from findings. */
interface EpisodeFacts {
  readonly target: VerifyTarget;
  readonly dialect: string;
  readonly events?: number;
  readonly bytes?: number;
  readonly sealed?: boolean;
  /** A signature of the seal is valid for a given key. */
  readonly signed?: boolean;
  /** No record names another, although the format has a stage for that. */
  readonly isUnlinked?: boolean;
  /** A state next to the log was not compared with it. */
  readonly leavesOutState?: boolean;
  /** By default the episode's folder, else its log. */
  readonly path?: string;
}

/** Whether a state was read but not fully compared with the log. */
const leavesStateOpen = (stages: readonly Stage[]): boolean =>
  stages.some(({ name, status }) => name === 'state' && status === 'ran') &&
  stages.some(
    ({ name, reason }) => name === 'projection' && reason !== undefined && reason !== DOES_NOT_APPLY,
  );

/** What chains prove of an episode: something only if every record of every log is in one. */
function chainedFacts({ chains }: Findings): ChainedFacts | undefined {
  const complete = chains.flatMap((one) => (one?.isComplete === true ? [one] : []));
  if (chains.length === 0 || complete.length < chains.length) return undefined;
  return {
    isLinked: complete.every((one) => one.isLinked),
    isSingle: complete.some((one) => one.isSingle),
    isSealed: complete.every((one) => one.isSealed),
    isSigned: complete.every((one) => one.isSigned),
    isEndSigned: complete.every((one) => one.isEndSigned),
  };
}

/** Makes the report on an episode. Nothing else does. */
export function episodeReport(
  facts: EpisodeFacts,
  stages: readonly Stage[],
  findings: Findings,
): EpisodeReport {
  const { target, dialect, events = 0, bytes = 0, sealed = false, signed = false, path } = facts;
  const { verdict, ...found } = findings.conclude();
  const { name, dir, fileName, log = '' } = target;
  const where = path ?? dir ?? fileName ?? log;
  const isCompared = sealed && stages.some(({ name: one, status }) => one === 'manifest' && status === 'ran');
  const { seen, errors, faults } = findings;
  const isUnchecked = stages.some(({ name: one, status }) => one === 'events' && status === 'skipped');
  const isUnlinked =
    facts.isUnlinked === true ||
    stages.some(({ name: one, status }) => one === 'lineage' && status === 'skipped');
  const proof = proofOf({
    events,
    sealed: isCompared,
    signed,
    isUnchecked,
    isUnlinked,
    isStateOpen: facts.leavesOutState === true || leavesStateOpen(stages),
    chained: chainedFacts(findings),
    seen,
    errors,
    faults,
  });
  const chains = findings.chains.flatMap((one) => one?.chains ?? []);
  return {
    episode: name,
    path: where,
    dialect,
    verdict,
    ...proof,
    events,
    bytes,
    sealed,
    stages,
    ...(chains.length > 0 && { chains }),
    ...found,
  };
}

/** A list of all stages as skipped. */
export function skippedStages(reason: string): Stage[] {
  return STAGES.map((name) => ({ name, status: 'skipped', reason }));
}

/**
 * Runs the steps in order, whatever findings they have, and makes the report. It lists every stage, and why
 * it was skipped; a stage without a step does not apply. Calls `facts` after all steps.
 */
export async function runStages(
  steps: readonly ReadyStep[],
  facts: () => EpisodeFacts,
  findings: Findings,
): Promise<EpisodeReport> {
  const done = new Map<StageName, Stage>();
  for (const step of steps) for (const one of await step.perform()) done.set(one.name, one);
  const stages = STAGES.map(
    (name) => done.get(name) ?? ({ name, status: 'skipped', reason: DOES_NOT_APPLY } as const),
  );
  return episodeReport(facts(), stages, findings);
}

/** The stages that were skipped although the dialect has them, by reason. */
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
