/** How far a verdict goes, in ascending order. Each level includes those before it. */
export const LEVELS = ['none', 'readable', 'consistent', 'sealed', 'signed', 'anchored'] as const;

type Level = (typeof LEVELS)[number];

export const REQUIRED_LEVELS = ['readable', 'consistent', 'sealed', 'signed', 'anchored'] as const;

export type RequiredLevel = (typeof REQUIRED_LEVELS)[number];

/** The level of an episode, and the facts that it does not prove. */
interface Proof {
  readonly level: Level;
  /** The facts that the verdict does not prove. */
  readonly notProven: string;
}

/** What chains prove if they hold. */
export interface ChainedFacts {
  /** Every record is linked to the one before. */
  readonly isLinked: boolean;
  /** No chain has more than one record. */
  readonly isSingle: boolean;
  /** Something says how many records there are. */
  readonly isSealed: boolean;
  /** Every record, with its place in the chain, is signed with a key that the user gave. */
  readonly isSigned: boolean;
  /** So is the number of records, or the user gave it. */
  readonly isEndSigned: boolean;
}

/** The facts that decide the level. */
interface ProofFacts {
  readonly events: number;
  /** The episode claims to be sealed, and its manifest was compared. */
  readonly sealed: boolean;
  /** A signature of the manifest is valid for a given key. */
  readonly signed: boolean;
  /** No check compared the records, because their format is not known. */
  readonly isUnchecked?: boolean;
  /** The records of the format do not name each other, so no check can miss one. */
  readonly isUnlinked?: boolean;
  /** Part of the state was not compared with the log. */
  readonly isStateOpen?: boolean;
  /** The records of all logs are chained: what the chains prove. */
  readonly chained?: ChainedFacts | undefined;
  /** All reported codes. */
  readonly seen: ReadonlySet<string>;
  readonly errors: ReadonlySet<string>;
  /** Reported codes that are errors or warnings before the policy is applied. */
  readonly faults: ReadonlySet<string>;
}

/** Errors that only say that a required part is missing. */
const ASKED: ReadonlySet<string> = new Set([
  'seal/missing',
  'manifest/unsigned',
  'manifest/unverified-signature',
  'manifest/unlisted-file',
  'chain/unverified-signature',
  'chain/key-unpinned',
]);

const isUnread = (code: string): boolean => /^(?:log|archive|verify)\//.test(code);
/** Codes that say that a state is not the result of its log. */
const contradictsState = (code: string): boolean =>
  code.startsWith('projection/') && code !== 'projection/not-derivable';
/** Codes that say that files or records of the episode contradict each other, even if each could be right alone. */
const contradictsFiles = (code: string): boolean =>
  /^(?:consistency\/.*|checkpoint\/mismatch|sequence\/counter|session\/copy-differs|usage\/.*)$/.test(code);
/** Codes that say that the log had a record which it does not have any more. */
const lacksRecord = (code: string): boolean =>
  /^(?:lineage\/missing-parent|session\/(?:event-count|missing-log))$/.test(code);
const isOfSeal = (code: string): boolean => /^(?:seal|manifest)\//.test(code);

const NO_RECORD = 'there is no record';

const proof = (level: Level, notProven: string): Proof => ({ level, notProven });

const UNLINKED =
  'not sealed and without links between records; verify cannot find changed contents or most missing records (see noesis help checkpoint)';
const UNSEALED =
  'not sealed; verify cannot tell if contents were changed or the end is missing (see noesis help checkpoint)';

/** What shows that a log is not whole, although its program writes such logs, too. */
const PARTIAL: readonly (readonly [code: string, text: string])[] = [
  ['lineage/begins-inside', 'the log begins inside a session'],
  ['sequence/gap', 'the numbers of the records have gaps'],
  ['session/file-size', 'the log had another size when a record noted it'],
];

function partial(seen: ReadonlySet<string>): string {
  const texts = PARTIAL.flatMap(([code, text]) => (seen.has(code) ? [text] : []));
  return texts.length === 0 ? '' : `${texts.join(', and ')}; `;
}

/** The level of a verified episode, and the facts that it does not prove. */
export function proofOf({
  events,
  sealed,
  signed,
  isUnchecked = false,
  isUnlinked = false,
  isStateOpen = false,
  chained,
  seen,
  errors,
  faults,
}: ProofFacts): Proof {
  const wrong = [...errors].filter((code) => !ASKED.has(code));
  if (events === 0) return proof('none', NO_RECORD);
  if (wrong.some(isUnread)) return proof('none', 'not every record could be read');
  if (wrong.some((code) => code.startsWith('chain/')))
    return proof('readable', 'the chain of the records does not hold');
  if ([...seen].some(contradictsState) || [...faults].some(contradictsFiles))
    return proof('readable', 'the records of the run, its files or their names contradict each other');
  if (wrong.some((code) => !isOfSeal(code)))
    return proof('readable', 'records of this log are not valid or contradict each other');
  if ([...faults].some(lacksRecord))
    return proof('readable', 'records are missing that others name or count');
  // A program that was killed during an answer leaves its calls open.
  if (faults.has('tool/unanswered') && !seen.has('session/unfinished-answer'))
    return proof('readable', 'a call has no result, although the run continues as if it had one');
  if (isUnchecked && chained === undefined)
    return proof('readable', 'the dialect is not known, so the records were not compared with each other');
  if (isStateOpen)
    return proof('readable', 'not all of the state was compared, so it may contradict the log');
  if (wrong.length > 0) return proof('consistent', 'the seal is not valid, so files may have been changed');
  if (!sealed && chained !== undefined) return proofOfChain(chained);
  if (!sealed) return proof('consistent', `${partial(seen)}${isUnlinked ? UNLINKED : UNSEALED}`);
  if (signed)
    return proof(
      'signed',
      'not anchored; someone with the key could rewrite the run (see noesis help checkpoint)',
    );
  const why = seen.has('manifest/unverified-signature') ? 'signature not checked' : 'not signed';
  return proof('sealed', `${why}; someone could rewrite the log and the manifest together`);
}

/** The level of records whose chain holds. */
function proofOfChain({ isLinked, isSingle, isSealed, isSigned, isEndSigned }: ChainedFacts): Proof {
  if (!isLinked)
    return proof(
      'consistent',
      'not all records are linked to the one before; verify cannot tell if records were removed, repeated or moved (see noesis help checkpoint)',
    );
  if (!isSealed && isSingle && !isSigned)
    return proof(
      'consistent',
      'each chain has only one record, so no other confirms it; verify cannot tell if the end is missing (see noesis help checkpoint)',
    );
  if (!isSealed)
    return proof(
      'consistent',
      'the chain covers every record up to the last one; verify cannot tell if the end is missing (see noesis help checkpoint)',
    );
  if (!isSigned)
    return proof(
      'sealed',
      'not signed with a given key; someone could rewrite the whole log (see --key, noesis help checkpoint)',
    );
  if (!isEndSigned)
    return proof(
      'signed',
      'the number of records is not signed; someone could remove the end and change the number (see --expect-count, noesis help checkpoint)',
    );
  return proof(
    'signed',
    'not anchored; someone with the key could rewrite the run (see noesis help checkpoint)',
  );
}

/** Whether a level is at least the wanted one. */
export const reaches = (level: Level, wanted: Level): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(wanted);

/** The level in a word or two for a row. */
export const shortProof = ({ level }: Pick<Proof, 'level'>): string =>
  level === 'none' ? 'nothing proven' : level;

/** For levels whose names alone would mislead on a line about one run: without a seal nobody can tell if contents were changed. */
const PLAIN: Partial<Record<Level, string>> = {
  none: 'not every record could be read',
  consistent: 'consistent, not sealed',
};

/** The level for a line about one run. */
export const plainProof = ({ level, notProven }: Pick<Proof, 'level'> & Partial<Proof>): string =>
  notProven === NO_RECORD ? notProven : (PLAIN[level] ?? level);

/** The level with what it does not prove: `sealed: not signed, so …`. */
export const longProof = (proven: Proof): string => `${shortProof(proven)}: ${proven.notProven}`;
