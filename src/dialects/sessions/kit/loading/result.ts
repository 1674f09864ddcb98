import type { Branch, Cut, Entry, LoadedTurns, Loading, LoadingRemark, Part, Skipped } from './model.ts';
import { type PairRules, paired } from './pairs.ts';

/** What the rules of a program found in a log. */
export interface Found {
  readonly session?: string | undefined;
  readonly cwd?: string | undefined;
  readonly version?: string | undefined;
  readonly rules: string;
  readonly refusal?: LoadingRemark | undefined;
  readonly leaf?: number | undefined;
  readonly leafNamedBy?: number | undefined;
  /** The records that the program loads, in its order. */
  readonly reached: readonly Entry[];
  /** The records that it would load if no link was broken. */
  readonly whole: readonly Entry[];
  /** All records of the conversation. */
  readonly all: readonly Entry[];
  /** The record of its last compaction, which replaces those before it, if none of the records is a beginning. */
  readonly compaction?: Entry | undefined;
  readonly cuts?: readonly Cut[];
  readonly skipped: readonly Skipped[];
  readonly danger?: readonly string[];
  readonly deletes?: readonly string[];
  readonly pairs: PairRules;
  /** What else the program drops; undefined for parts that it keeps. */
  readonly drops?: (parts: readonly Part[]) => (part: Part) => string | undefined;
  /** What the API refuses apart from single parts. */
  readonly refuses?: (loaded: readonly Part[]) => Iterable<LoadingRemark>;
  /** What the program did to parts that do not arrive as they were. */
  readonly changed?: readonly LoadingRemark[];
}

const isSent = ({ isEmpty }: Part) => isEmpty !== true;
const partsOf = (entries: readonly Entry[]) => entries.flatMap(({ parts }) => parts).filter(isSent);

/** Finds out which parts reach the API. */
export function loadingOf(found: Found): Loading {
  const { pairs, refusal, skipped } = found;
  const main = mainOf(found);
  const read = partsOf(found.reached);
  const dropped: LoadingRemark[] = [...(found.changed ?? [])];
  const changed = new Set(found.changed?.map(({ line }) => line));
  const pairing = paired(read, pairs);
  const why = found.drops?.(pairing.loaded);
  const sent = pairing.loaded.filter((part) => {
    const message = why?.(part);
    if (message !== undefined) dropped.push({ line: part.line, message });
    return message === undefined;
  });
  const loaded = refusal ? [] : sent.filter(({ line, isAdded }) => !isAdded && !changed.has(line));
  const whole = partsOf(found.whole);
  const missing = skipped.reduce((sum, { parts }) => sum + parts, 0);
  const arrives = new Set(loaded);
  const lost = [...whole, ...(refusal ? [] : read)].filter((part) => !arrives.has(part));
  const prompts = whole.filter(({ kind }) => kind === 'prompt');
  const faults = sent.flatMap(({ line, fault }) => (fault === undefined ? [] : [{ line, message: fault }]));
  return {
    session: found.session,
    cwd: found.cwd,
    version: found.version,
    rules: found.rules,
    refusal,
    refused: refusal ? [] : [...pairing.refused, ...faults, ...(found.refuses?.(sent) ?? [])],
    leaf: found.leaf,
    leafNamedBy: found.leafNamedBy,
    loaded,
    of: Math.max(loaded.length, whole.length + missing),
    records: new Set(loaded.map(({ line }) => line)).size,
    lost: [...new Set(lost)].sort((a, b) => a.line - b.line),
    prompts: prompts.length,
    loadedPrompts: prompts.flatMap((part, index) => (arrives.has(part) ? index + 1 : [])),
    turns: turnsOf(found, main, arrives),
    compacted: main.begins < 0 ? undefined : found.all[main.begins]?.line,
    cuts: found.cuts ?? [],
    skipped,
    dropped: refusal ? [] : [...pairing.dropped, ...dropped].sort((a, b) => a.line - b.line),
    closed: refusal ? [] : pairing.closed,
    branches: branchesOf(found, main),
    danger: found.danger ?? [],
    deletes: found.deletes ?? [],
  };
}

/** The conversation from which the program continues. */
interface Main {
  readonly entries: ReadonlySet<Entry>;
  /** Where it begins after its last compaction; -1 if it has none. */
  readonly begins: number;
}

function mainOf({ all, whole, compaction }: Found): Main {
  const entries = new Set(whole);
  const begins = all.findLastIndex(
    (entry) => (entry.isBeginning === true || entry === compaction) && entries.has(entry),
  );
  return { entries, begins };
}

/** Turns that a compaction replaced are neither loaded nor newer. */
function turnsOf({ all, refusal }: Found, main: Main, arrives: ReadonlySet<Part>): LoadedTurns {
  const prompts = all.flatMap((entry, index) => {
    const parts = entry.parts.filter((part) => part.kind === 'prompt' && isSent(part));
    // What a compaction keeps of earlier prompts begins no turn.
    const isTurn = entry.isAside !== true && entry.isBeginning !== true && parts.length > 0;
    return isTurn ? [{ entry, index, parts }] : [];
  });
  const numbersOf = (which: (prompt: (typeof prompts)[number]) => boolean): number[] =>
    prompts.flatMap((prompt, at) => (which(prompt) ? [at + 1] : []));
  const loaded = numbersOf(({ parts }) => parts.some((part) => arrives.has(part)));
  const missing = numbersOf(({ entry, index }) => main.entries.has(entry) || index >= main.begins);
  const last = loaded.at(-1) ?? 0;
  const newer = refusal ? [] : missing.filter((turn) => turn > last);
  return { of: prompts.length, loaded, newer };
}

/** Records of the conversation that no repair joins to it. What a compaction replaced does not count. */
function branchesOf({ all }: Found, main: Main): Branch[] {
  const branches: { line: number; parts: number }[] = [];
  let open: { line: number; parts: number } | undefined;
  for (const [index, entry] of all.entries()) {
    if (entry.isAside === true) continue;
    if (main.entries.has(entry) || index < main.begins) {
      open = undefined;
      continue;
    }
    const parts = entry.parts.filter(isSent).length;
    if (parts === 0) continue;
    if (open === undefined) {
      open = { line: entry.line, parts: 0 };
      branches.push(open);
    }
    open.parts += parts;
  }
  return branches;
}
