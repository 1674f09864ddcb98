import { type PartStart, startsOf } from '../describe/story-parts.ts';
import { keysOf, type Side } from './behaviour.ts';
import type { CallKeys } from './call-key.ts';
import type { Incidental } from './incidental.ts';
import type { PartContent, RunContent } from './run-content.ts';

/** The logs of a run. */
export interface RunLogs {
  /** What its own log contains. */
  readonly content: RunContent;
  readonly parts: readonly PartContent[];
  readonly incidental: Incidental;
}

/** A part of one run and its counterpart in the other. At least one of them is present. */
export interface PartPair {
  readonly a?: PartContent;
  readonly b?: PartContent;
}

/** The parts of a run below the one that started them. */
class PartTree {
  readonly #logs: RunLogs;
  readonly #starts: ReadonlyMap<PartContent, PartStart<PartContent>>;
  /** A log can name itself as its own origin in a circle, so each part is taken once. */
  readonly #taken = new Set<PartContent>();

  constructor(logs: RunLogs) {
    this.#logs = logs;
    this.#starts = startsOf(logs.content, logs.parts);
  }

  /** The log that contains the calls of an owner. */
  side(owner: PartContent | undefined): Side {
    return { content: owner ?? this.#logs.content, incidental: this.#logs.incidental };
  }

  /** The parts that an owner started, in the order of the calls; the last ones have no call. */
  below(owner: PartContent | undefined): PartContent[] {
    const lineOf = (part: PartContent): number =>
      this.#starts.get(part)?.call?.line ?? Number.MAX_SAFE_INTEGER;
    return this.#take((part) => this.#starts.get(part)?.owner === owner).sort(
      (a, b) => lineOf(a) - lineOf(b),
    );
  }

  /** The parts that are not below the run. */
  rest(): PartContent[] {
    return this.#take(() => true);
  }

  /** The call that started a part, as the text that calls are compared by. */
  key(part: PartContent, keys: CallKeys): string | undefined {
    const call = this.#starts.get(part)?.call;
    return call && keys.of(call);
  }

  #take(isWanted: (part: PartContent) => boolean): PartContent[] {
    const found = this.#logs.parts.filter((part) => !this.#taken.has(part) && isWanted(part));
    for (const part of found) this.#taken.add(part);
    return found;
  }
}

/** Pairs parts by the call that started them, the others in order. */
function paired(
  a: readonly PartContent[],
  b: readonly PartContent[],
  keyOfA: (part: PartContent) => string | undefined,
  keyOfB: (part: PartContent) => string | undefined,
): PartPair[] {
  const rest = [...b];
  const take = (at: number): PartContent | undefined => (at < 0 ? undefined : rest.splice(at, 1)[0]);
  const counterparts = new Map<PartContent, PartContent>();
  for (const part of a) {
    const key = keyOfA(part);
    const other = key === undefined ? undefined : take(rest.findIndex((one) => keyOfB(one) === key));
    if (other) counterparts.set(part, other);
  }
  for (const part of a) {
    const other = counterparts.has(part) ? undefined : take(0);
    if (other) counterparts.set(part, other);
  }
  const pairs = a.map((part): PartPair => {
    const other = counterparts.get(part);
    return { a: part, ...(other && { b: other }) };
  });
  return [...pairs, ...rest.map((part): PartPair => ({ b: part }))];
}

/** The parts of two runs, each with its counterpart, if there is one. */
export function pairedParts(a: RunLogs, b: RunLogs): PartPair[] {
  const [treeA, treeB] = [new PartTree(a), new PartTree(b)];
  const pairsOf = (ofA: PartContent[], ofB: PartContent[], owner: PartPair = {}): PartPair[] => {
    const keys = keysOf(treeA.side(owner.a), treeB.side(owner.b));
    const pairs = paired(
      ofA,
      ofB,
      (part) => treeA.key(part, keys.a),
      (part) => treeB.key(part, keys.b),
    );
    const below = (pair: PartPair) =>
      pairsOf(pair.a ? treeA.below(pair.a) : [], pair.b ? treeB.below(pair.b) : [], pair);
    return pairs.flatMap((pair) => [pair, ...below(pair)]);
  };
  if (a.parts.length + b.parts.length === 0) return [];
  return [...pairsOf(treeA.below(undefined), treeB.below(undefined)), ...pairsOf(treeA.rest(), treeB.rest())];
}
