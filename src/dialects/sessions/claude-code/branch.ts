import type { JsonObject } from '../../../base/json/value.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { Chain, type ChainRules, type MovedParent } from '../kit/loading/chain.ts';
import type { Entry, Part } from '../kit/loading/model.ts';

/** The types of records with a parent that the program follows. */
const LINKS: ReadonlySet<unknown> = new Set(['user', 'assistant', 'attachment', 'system', 'progress']);

/** A missing parent does not matter if a record is at most this much older, in milliseconds. */
const BRIDGE = 5000;

const NO_PARTS: readonly Part[] = [];

/** Where a compaction puts the messages that it keeps. */
interface Preserved {
  readonly index: number;
  readonly head: string;
  readonly anchor: string;
  readonly tail: string;
}

/** The records from a leaf to the beginning, the leaf first, and the records of the conversation by their ids. */
interface Branch {
  readonly chain: Chain;
  /** The same records by the parents that they name, also where a compaction keeps messages. */
  readonly plain: Chain;
  /** The record that the program continues from. */
  readonly leaf: number | undefined;
  /** The line of the record that names it, or the record before it; undefined if it is the last record. */
  readonly namedBy: number | undefined;
  /** That from which it would continue if no link was broken. */
  readonly whole: number | undefined;
}

/** The branches of a session: its records by their parents, and which branch continues. */
export class Branches {
  readonly entries: Entry[] = [];
  readonly #others = new Map<string, string | null>();
  /** By the index of a compaction: the record before it. */
  readonly #before = new Map<number, string>();
  readonly #preserved: Preserved[] = [];
  /** The record of which the last last-prompt record has the id. */
  #leaf: { readonly id: string; readonly line: number } | undefined;

  /** `parts`: what the record says, if that is needed. */
  add(event: JsonObject, line: number, parts: () => readonly Part[] = () => NO_PARTS): void {
    const { type, parentUuid } = event;
    const named = type === 'last-prompt' ? textIn(event, 'leafUuid') : undefined;
    if (named !== undefined) this.#leaf = { id: named, line };
    const id = textIn(event, 'uuid');
    const parent = typeof parentUuid === 'string' ? parentUuid : null;
    if (id === undefined) return;
    if (!LINKS.has(type)) {
      this.#others.set(id, parent);
      return;
    }
    const isBoundary = event['subtype'] === 'compact_boundary';
    if (isBoundary) this.#compacted(event);
    this.entries.push({
      line,
      id,
      parent,
      time: Date.parse(textIn(event, 'timestamp') ?? ''),
      speaker: type === 'assistant' ? 'model' : type === 'user' || type === 'attachment' ? 'user' : undefined,
      answer: type === 'assistant' ? textIn(objectIn(event, 'message'), 'id') : undefined,
      parts: parts(),
      ...((event['isSidechain'] === true || type === 'progress') && { isAside: true }),
      ...((event['isCompactSummary'] === true || (isBoundary && parent === null)) && { isBeginning: true }),
    });
  }

  #compacted(event: JsonObject): void {
    const index = this.entries.length;
    const before = textIn(event, 'logicalParentUuid');
    if (before !== undefined) this.#before.set(index, before);
    const segment = objectIn(objectIn(event, 'compactMetadata'), 'preservedSegment');
    const [head, anchor, tail] = [
      textIn(segment, 'headUuid'),
      textIn(segment, 'anchorUuid'),
      textIn(segment, 'tailUuid'),
    ];
    if (head === undefined || anchor === undefined || tail === undefined) return;
    this.#preserved.push({ index, head, anchor, tail });
  }

  /** The branch that continues. `mends`: whether the program follows `last-prompt`, and joins records over short times. */
  branch(mends: boolean): Branch {
    const plain = new Chain(this.entries, { others: this.#others });
    const chain = this.#chain(plain, mends);
    const named = mends ? chain.placeOf(this.#leaf?.id) : undefined;
    const leaf = named === undefined ? chain.last : chain.newestBelow(named);
    const namedBy = named === undefined || leaf === chain.last ? undefined : this.#leaf?.line;
    return { chain, plain, leaf, namedBy, whole: wholeLeaf(chain, leaf) };
  }

  /**
   * The ids of the records that nobody took back, also of those that a compaction replaced: on the branch from which the
   * program continues, and on that of the last record, which it may not have noted yet.
   */
  live(): ReadonlySet<string> {
    const { chain, plain, whole } = this.branch(true);
    const live = new Set<string>();
    for (const leaf of [whole, chain.last]) this.#addLive(plain, leaf, live);
    return live;
  }

  /**
   * Continues before each compaction, by the parents that records name: the moved parents of the messages that it keeps
   * would lead back to it.
   */
  #addLive(plain: Chain, leaf: number | undefined, live: Set<string>): void {
    for (let from = leaf; from !== undefined; ) {
      const { path } = plain.whole(from);
      const count = live.size;
      for (const index of path) live.add(this.entries[index]?.id ?? '');
      const first = path.at(-1) ?? 0;
      const isOlder = live.size > count && this.entries[first]?.isBeginning === true;
      from = isOlder ? (plain.placeOf(this.#before.get(first)) ?? plain.before(first)) : undefined;
    }
  }

  #chain(plain: Chain, mends: boolean): Chain {
    const moved = new Map<number, MovedParent>();
    for (const { index, head, anchor, tail } of this.#preserved) {
      const first = plain.placeOf(head);
      if (first === undefined || plain.placeOf(tail) === undefined) continue;
      for (const [at, { parent }] of this.entries.entries())
        if (at > index && parent === anchor) moved.set(at, { id: tail });
      moved.set(first, { id: anchor, saidBy: this.#anchorOf(index) });
    }
    const rules: ChainRules = { moved, others: this.#others, ...(mends && { bridge: BRIDGE }) };
    return new Chain(this.entries, rules);
  }

  /** What a compaction calls the record before the messages that it keeps. That is its summary. */
  #anchorOf(index: number): Required<MovedParent>['saidBy'] {
    const { line = 0, id } = this.entries[index] ?? {};
    const hasSummary = this.entries.some(({ parent, isBeginning }) => isBeginning && parent === id);
    return {
      line,
      name: hasSummary
        ? 'the record after which this compaction keeps messages'
        : 'the summary of this compaction',
    };
  }
}

/** The record from which an undamaged session would continue: the last one, if it was cut off from the leaf. */
function wholeLeaf(chain: Chain, leaf: number | undefined): number | undefined {
  const { last } = chain;
  if (leaf === undefined || last === undefined || last === leaf) return leaf;
  const { path, cuts } = chain.whole(last);
  return cuts.length > 0 && path.includes(leaf) ? last : leaf;
}
