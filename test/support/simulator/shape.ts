export type Governed = 'none' | 'allow' | 'audit' | 'veto-enforced' | 'veto-audit';
export type Ending = 'ok' | 'error' | 'vetoed' | 'aborted' | 'paused' | 'running';

/** An HMAC key and how to use it. */
export interface SignatureShape {
  readonly alg: 'HS256' | 'HS512';
  readonly kid: string;
  readonly secret: string;
}

/** What kind of episode to make; whatever is left out has a default. */
export interface EpisodeShape {
  readonly seed?: number | undefined;
  /** ISO 8601; the first clock reading lies up to 40 ms later. */
  readonly startedAt?: string | undefined;
  readonly task?: string | undefined;
  /** Acts without the synthetic one. */
  readonly acts?: number | undefined;
  /** Plan events, at least 1. Later plans come before the first act or between acts, as the seed decides. */
  readonly plans?: number | undefined;
  /** Whether each act has a candidate and a governance decision, and which. */
  readonly governed?: Governed | undefined;
  readonly intuition?: boolean | undefined;
  readonly direction?: boolean | undefined;
  /** Adds the roll-up act that counts as none. */
  readonly synthetic?: boolean | undefined;
  /** Lets some acts fail, the first for certain. */
  readonly failures?: boolean | undefined;
  /** Pauses half-way at a checkpoint and resumes. */
  readonly resumed?: boolean | undefined;
  readonly ending?: Ending | undefined;
  /** Whether an ended run has final.json and manifest.json; a run that goes on never has. */
  readonly sealed?: boolean | undefined;
  readonly signature?: SignatureShape | undefined;
  /** Assertions at the end of a run that ends `ok`. */
  readonly verification?: 'none' | 'passed' | 'failed' | undefined;
  readonly learnProposals?: number | undefined;
  readonly prompts?: boolean | undefined;
  /** Events without effect on any projection, to reach a size. */
  readonly extraEvents?: number | undefined;
  /** The form that older runtimes wrote: no projection events, no final.json, other spacing. */
  readonly legacy?: boolean | undefined;
  readonly unicode?: boolean | undefined;
}

type Defaulted = Exclude<keyof EpisodeShape, 'task' | 'signature'>;

/** A shape with every default filled in and every contradiction settled. */
export type SettledShape = { readonly [K in Defaulted]: NonNullable<EpisodeShape[K]> } & Pick<
  EpisodeShape,
  'task' | 'signature'
>;

/**
 * Fills in the defaults. Contradictions are settled thus: an enforced veto ends the run `vetoed` unless it pauses or
 * resumes, `vetoed` needs an enforced veto, and the older form knows no pause, prompts or learn records.
 */
export function settleShape(shape: EpisodeShape): SettledShape {
  const legacy = shape.legacy ?? false;
  const resumed = !legacy && (shape.resumed ?? false);
  const asked = shape.ending ?? 'ok';
  const wanted = legacy && asked === 'paused' ? 'running' : asked;
  const stops = shape.governed === 'veto-enforced' && wanted !== 'paused' && !resumed;
  const ending = stops ? 'vetoed' : wanted;
  return {
    seed: shape.seed ?? 1,
    startedAt: shape.startedAt ?? '2026-03-01T10:40:00Z',
    task: shape.task,
    acts: shape.acts ?? 3,
    plans: Math.max(1, shape.plans ?? 1),
    governed: ending === 'vetoed' ? 'veto-enforced' : (shape.governed ?? 'none'),
    intuition: shape.intuition ?? true,
    direction: shape.direction ?? false,
    synthetic: shape.synthetic ?? false,
    failures: shape.failures ?? false,
    resumed,
    ending,
    sealed: (shape.sealed ?? true) && ending !== 'paused' && ending !== 'running',
    signature: shape.signature,
    verification: ending === 'ok' && !legacy ? (shape.verification ?? 'none') : 'none',
    learnProposals: legacy ? 0 : (shape.learnProposals ?? 0),
    prompts: !legacy && (shape.prompts ?? false),
    extraEvents: shape.extraEvents ?? 0,
    legacy,
    unicode: shape.unicode ?? true,
  };
}
