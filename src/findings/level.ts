/** How far a verdict goes, the least first: each says what those before it say, and more. */
export const LEVELS = ['none', 'readable', 'consistent', 'sealed', 'signed', 'anchored'] as const;

export type Level = (typeof LEVELS)[number];

/** The levels that may be required. */
export const REQUIRED_LEVELS = ['readable', 'consistent', 'sealed', 'signed', 'anchored'] as const;

export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** The level of an episode, and what it leaves open. */
export interface Proof {
  readonly level: Level;
  /** What nobody can tell from the verdict. */
  readonly not_proven: string;
}

/** What a level rests on. */
export interface ProofFacts {
  readonly events: number;
  /** The episode says that it is sealed, and its manifest was compared. */
  readonly sealed: boolean;
  /** A signature of the manifest holds with a key that was given. */
  readonly signed: boolean;
  /** Not all of the state was held against the log. */
  readonly isStateOpen?: boolean;
  /** Codes that were reported, and those of them that are errors whatever the policy makes of them. */
  readonly seen: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  /** Those that are errors or warnings, whatever the policy makes of them. */
  readonly faults: ReadonlySet<string>;
}

/** Errors of the policy: what it asks for is not there, and what is there is not wrong. */
const ASKED: ReadonlySet<string> = new Set([
  'seal/missing',
  'manifest/unsigned',
  'manifest/unverified-signature',
  'manifest/unlisted-file',
]);

const isUnread = (code: string): boolean => /^(?:log|archive|verify)\//.test(code);
/** A state that is not what the log gives, however much a dialect makes of it. */
const contradictsState = (code: string): boolean =>
  code.startsWith('projection/') && code !== 'projection/not-derivable';
/** Files of the episode that contradict each other, although none of them needs to be wrong by itself. */
const contradictsFiles = (code: string): boolean =>
  /^(?:consistency\/.*|checkpoint\/mismatch|sequence\/counter)$/.test(code);
const isOfSeal = (code: string): boolean => /^(?:seal|manifest)\//.test(code);

const proof = (level: Level, not_proven: string): Proof => ({ level, not_proven });

/** What the verification of an episode proves, and what it does not. */
export function proofOf({
  events,
  sealed,
  signed,
  isStateOpen = false,
  seen,
  errors,
  faults,
}: ProofFacts): Proof {
  const wrong = [...errors].filter((code) => !ASKED.has(code));
  if (events === 0) return proof('none', 'there is no record');
  if (wrong.some(isUnread)) return proof('none', 'not every record could be read');
  const isContradicted = [...seen].some(contradictsState) || [...faults].some(contradictsFiles);
  if (isContradicted || wrong.some((code) => !isOfSeal(code)))
    return proof('readable', 'records, state and artifacts contradict each other');
  if (isStateOpen)
    return proof('readable', 'not all of the state was compared, so it may contradict the log');
  if (wrong.length > 0) return proof('consistent', 'the seal does not hold, so files may have been changed');
  if (!sealed)
    return proof('consistent', 'no seal, so records cut from the end would not be seen (noesis checkpoint)');
  if (signed)
    return proof(
      'signed',
      'not anchored, so a rewrite by someone with the key would not be seen (noesis checkpoint)',
    );
  const why = seen.has('manifest/unverified-signature') ? 'signature not checked' : 'not signed';
  return proof('sealed', `${why}, so a rewrite of log and manifest together would not be seen`);
}

/** Whether a level goes at least as far as another one. */
export const reaches = (level: Level, wanted: Level): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);

/** `sealed`; the level none in words, as it is read in a row. */
export const shortProof = ({ level }: Pick<Proof, 'level'>): string =>
  level === 'none' ? 'nothing proven' : level;

/** `sealed: not signed, so …`. */
export const longProof = (proven: Proof): string => `${shortProof(proven)}: ${proven.not_proven}`;
