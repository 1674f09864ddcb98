import type { JsonObject } from './canonical.ts';

export type Governed = 'none' | 'allow' | 'audit' | 'failing' | 'veto-enforced' | 'veto-audit';
export type Ending = 'ok' | 'error' | 'failed-tool' | 'vetoed' | 'aborted' | 'paused' | 'running';

/** An HMAC key and how to use it. */
export interface SignatureShape {
  readonly alg: 'HS256' | 'HS512';
  readonly kid: string;
  readonly secret: string | Uint8Array;
  /** Further members of the signature, which are not signed. */
  readonly ctx?: JsonObject | undefined;
}

/** The texts of a run, instead of random words. Every act works on the next step. */
export interface Script {
  readonly advice: readonly [text: string, kind: 'hint' | 'intervention'];
  readonly lesson: string;
  /** For each plan why it is made, and its steps. */
  readonly plans: readonly {
    readonly why: string;
    readonly steps: readonly (readonly [kind: string, description: string])[];
  }[];
}

/** The kind of episode to make. Every member has a default. */
export interface EpisodeShape {
  readonly seed?: number | undefined;
  /** ISO 8601; the first clock reading is up to 40 ms later. */
  readonly startedAt?: string | undefined;
  readonly task?: string | undefined;
  readonly script?: Script | undefined;
  readonly tags?: JsonObject | undefined;
  /** Whether the log says how the run ended: only the newest core records it. */
  readonly core?: 'published' | 'newest' | undefined;
  /** An adapter that acts on each step of the plan, or a tool with a single act, which reports no step. */
  readonly adapter?: 'steps' | 'tool' | undefined;
  /** Acts without the synthetic one; a tool has one. */
  readonly acts?: number | undefined;
  /** Calls by the tool contract, before the acts: they have separate events, and no act. */
  readonly toolCalls?: number | undefined;
  /** Plan events, at least 1. Later plans come before the first act or between acts, as the seed decides. */
  readonly plans?: number | undefined;
  /** The decisions of governance, about the run or about each act. */
  readonly governed?: Governed | undefined;
  readonly governedEach?: boolean | undefined;
  readonly intuition?: boolean | undefined;
  readonly direction?: boolean | undefined;
  /** Whether there is a roll-up act, which does not count. */
  readonly synthetic?: boolean | undefined;
  /** Lets some acts fail, the first for certain. */
  readonly failures?: boolean | undefined;
  /**
   * Pauses at a checkpoint and continues: half-way in the same process, or before the acts in another one, which reads the
   * state back and loses some of it.
   */
  readonly resumed?: false | 'in-process' | 'read-back' | undefined;
  readonly ending?: Ending | undefined;
  /** Whether a run that a veto paused is interrupted again, with a valid checkpoint. */
  readonly checkpointAgain?: boolean | undefined;
  /** Whether an ended run has final.json and manifest.json; an unfinished one never has. */
  readonly sealed?: boolean | undefined;
  readonly signature?: SignatureShape | undefined;
  /** Assertions at the end of a run that ends `ok`. */
  readonly verification?: 'none' | 'passed' | 'failed' | undefined;
  readonly learnProposals?: number | undefined;
  readonly prompts?: boolean | undefined;
  /** Temporary files that an earlier kill has left. */
  readonly leftovers?: number | undefined;
  /** Lets the wall clock and the monotonic clock differ by milliseconds at times. */
  readonly skewed?: boolean | undefined;
  /** Lets measured work take milliseconds; simple adapters take microseconds. */
  readonly slow?: boolean | undefined;
  /** Events without effect on any projection, to reach a size. */
  readonly extraEvents?: number | undefined;
  /** The form that older runtimes wrote: no projection events, no final.json, other spacing. */
  readonly legacy?: boolean | undefined;
  readonly unicode?: boolean | undefined;
}

type Defaulted = Exclude<keyof EpisodeShape, 'task' | 'script' | 'tags' | 'signature'>;

/** A shape with every default filled in and every contradiction settled. */
export type SettledShape = { readonly [K in Defaulted]: NonNullable<EpisodeShape[K]> } & Pick<
  EpisodeShape,
  'task' | 'script' | 'tags' | 'signature'
>;

function settleEnding({ ending = 'ok', governed, legacy = false }: EpisodeShape, resumed: unknown): Ending {
  const wanted = legacy && ending === 'paused' ? 'running' : ending;
  return governed === 'veto-enforced' && wanted !== 'paused' && resumed === false ? 'vetoed' : wanted;
}

/**
 * Fills in the defaults. Contradictions are settled thus: an enforced veto ends the run `vetoed` unless it pauses or
 * resumes, and where it resumes another process does; `vetoed` needs an enforced veto; a failed tool is a tool; and the
 * older form knows no pause, prompts, learn records or calls by contract.
 */
export function settleShape(shape: EpisodeShape): SettledShape {
  const legacy = shape.legacy ?? false;
  const asked = legacy ? false : (shape.resumed ?? false);
  const resumed = asked !== false && shape.governed === 'veto-enforced' ? 'read-back' : asked;
  const ending = settleEnding(shape, resumed);
  const adapter = ending === 'failed-tool' ? 'tool' : (shape.adapter ?? 'steps');
  return {
    seed: shape.seed ?? 1,
    startedAt: shape.startedAt ?? '2026-03-01T10:40:00Z',
    task: shape.task,
    script: shape.script,
    tags: shape.tags,
    core: legacy ? 'published' : (shape.core ?? 'newest'),
    adapter,
    acts: adapter === 'tool' ? 1 : (shape.acts ?? 3),
    toolCalls: legacy ? 0 : (shape.toolCalls ?? 0),
    plans: Math.max(1, shape.plans ?? 1),
    governed: ending === 'vetoed' ? 'veto-enforced' : (shape.governed ?? 'none'),
    governedEach: shape.governedEach ?? false,
    intuition: shape.intuition ?? true,
    direction: shape.direction ?? false,
    synthetic: shape.synthetic ?? true,
    failures: shape.failures ?? false,
    resumed,
    ending,
    checkpointAgain: shape.checkpointAgain ?? false,
    sealed: (shape.sealed ?? true) && ending !== 'paused' && ending !== 'running',
    signature: shape.signature,
    verification: ending === 'ok' && !legacy ? (shape.verification ?? 'none') : 'none',
    learnProposals: legacy ? 0 : (shape.learnProposals ?? 0),
    prompts: !legacy && (shape.prompts ?? false),
    leftovers: shape.leftovers ?? 0,
    skewed: shape.skewed ?? false,
    slow: shape.slow ?? false,
    extraEvents: shape.extraEvents ?? 0,
    legacy,
    unicode: shape.unicode ?? true,
  };
}
