import type { Hash } from 'node:crypto';
import type { LoggedEvent } from '../check.ts';

/** The last record of a part of a chain. */
export interface Tip {
  hash: string | undefined;
  line: number;
  number: number | undefined;
  /** The number that it has, if another was expected. The next record may count on from either. */
  otherNumber?: number | undefined;
  /** Another record names it. */
  isNamed: boolean;
  /** It has a finding, so what follows from it is not reported again. */
  isWrong: boolean;
  /** The hash of its content, if another one is stored. */
  computed: string | undefined;
}

/** A chain of the log: the records with one value of the group. */
export interface Group {
  count: number;
  head: Tip;
  /** The record before the head. */
  before: Tip | undefined;
  /** Ends of parts that no record names yet, after a break. */
  tips: readonly Tip[];
  isBroken: boolean;
  /** The line of the record that ends the chain. */
  closed: number | undefined;
  /** Over the JSON list of the hashes. */
  readonly hashes: Hash | undefined;
  /** The number of gaps in the log before its last record. */
  gaps: number;
  hasLink: boolean;
  byteStart: number;
  byteEnd: number;
}

/** At most this many ends of parts, and last records, are kept in mind. */
const [MOST_TIPS, MOST_OPEN] = [16, 1000];
/** Each takes about 400 bytes. */
const MOST_CHAINS = 1_000_000;
const NO_TIPS: readonly Tip[] = [];

/** The chains of a log. */
export class Groups {
  readonly #groups = new Map<string, Group>();
  /** Before the first record of each chain. */
  readonly #nothingYet: Tip;
  readonly #startHashes: () => Hash | undefined;
  readonly #most: number;
  #last: Group | undefined;

  /** `genesis`: the link of a first record, if it has one. `startHashes`: over the hashes of a chain, if they are needed. */
  constructor(genesis: string | undefined, startHashes: () => Hash | undefined, most = MOST_CHAINS) {
    this.#startHashes = startHashes;
    this.#most = most;
    this.#nothingYet = {
      hash: genesis,
      line: 0,
      number: undefined,
      isNamed: true,
      isWrong: false,
      computed: undefined,
    };
  }

  /** The chain with a name, which begins after this many gaps if it is new; undefined if there are too many. */
  named(name: string, gaps: number): Group | undefined {
    let group = this.#groups.get(name);
    if (group === undefined && this.#groups.size < this.#most) {
      group = {
        count: 0,
        head: this.#nothingYet,
        before: undefined,
        tips: NO_TIPS,
        isBroken: false,
        closed: undefined,
        hashes: this.#startHashes(),
        gaps,
        hasLink: false,
        byteStart: 0,
        byteEnd: 0,
      };
      this.#groups.set(name, group);
    }
    return group;
  }

  /** Makes a record the last one of its chain. `isReattached`: it follows a record before a break. */
  append({ record }: LoggedEvent, group: Group, tip: Tip, follows: Tip, isReattached: boolean): void {
    const { head } = group;
    if (isReattached) group.tips = group.tips.filter((one) => one !== follows);
    else if (!group.isBroken || !tip.isWrong) head.isNamed = true;
    follows.isNamed = !tip.isWrong || isReattached || follows.isNamed;
    if (group.count > 0 && !head.isNamed) group.tips = [...group.tips, head].slice(-MOST_TIPS);
    group.before = head;
    group.head = tip;
    group.count += 1;
    group.byteStart = record.byteStart + record.valueStart - record.start;
    group.byteEnd = record.byteStart + record.valueEnd - record.start;
    this.#last = group;
  }

  get count(): number {
    return this.#groups.size;
  }

  get all(): readonly Group[] {
    return [...this.#groups.values()];
  }

  /** The last record of all chains. */
  get last(): Tip | undefined {
    return this.#last?.head;
  }

  /** Where the last records of the chains are in the file. At most a thousand. */
  lastRecords(): { readonly from: number; readonly to: number }[] {
    const all: { from: number; to: number }[] = [];
    for (const { byteStart: from, byteEnd: to, count } of this.#groups.values()) {
      if (all.length === MOST_OPEN) break;
      if (count > 0) all.push({ from, to });
    }
    return all;
  }
}
