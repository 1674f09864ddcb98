import { firstFrom } from '../../../../base/text/first-from.ts';
import { grouped } from '../../../../base/text/grouped.ts';
import type { Cut, Entry } from './model.ts';

/** The parent that a program gives to a record while it reads. */
export interface MovedParent {
  readonly id: string;
  /** The line of the record that says so, and what it calls the parent. */
  readonly saidBy?: { readonly line: number; readonly name: string };
}

/** How a program follows parents. */
export interface ChainRules {
  /** A record without its parent is joined to one that is at most this much older, in milliseconds. */
  readonly bridge?: number;
  /** Parents that the program changes while it reads, by the index of the record. */
  readonly moved?: ReadonlyMap<number, MovedParent>;
  /** The parents of records that are not part of a chain, by their id. */
  readonly others?: ReadonlyMap<string, string | null>;
}

/** The records that are reached from a leaf, the leaf first. */
interface Path {
  readonly path: readonly number[];
  readonly cuts: readonly Cut[];
}

/** In characters: of an id that no other one begins like. */
const SHORT = 8;

/** The chain of the records of a session, which each name their parent. */
export class Chain {
  readonly entries: readonly Entry[];
  readonly #rules: ChainRules;
  readonly #places = new Map<string, number[]>();
  #order: readonly number[] | undefined;
  /** The ids by their first characters. */
  #starts: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(entries: readonly Entry[], rules: ChainRules = {}) {
    this.entries = entries;
    this.#rules = rules;
    for (const [index, { id }] of entries.entries()) {
      if (id === undefined) continue;
      const places = this.#places.get(id);
      if (places) places.push(index);
      else this.#places.set(id, [index]);
    }
  }

  /** The index of the record with an id: the last one, if there are several. */
  placeOf(id: string | null | undefined): number | undefined {
    return typeof id === 'string' ? this.#places.get(id)?.at(-1) : undefined;
  }

  /** The index of the last record that a session can continue from. */
  get last(): number | undefined {
    return this.before(this.entries.length);
  }

  /** The index of the last record of the conversation before another one. Those in `seen` do not count. */
  before(index: number, seen?: ReadonlySet<number>): number | undefined {
    for (let at = index - 1; at >= 0; at -= 1)
      if (this.entries[at]?.isAside !== true && seen?.has(at) !== true) return at;
    return undefined;
  }

  /** The newest record that descends from another one, or that record. */
  newestBelow(root: number): number {
    const isBelow = new Map<number, boolean>([[root, true]]);
    const below = (index: number): boolean => {
      const seen: number[] = [];
      let at: number | undefined = index;
      while (at !== undefined && !isBelow.has(at)) {
        isBelow.set(at, false);
        seen.push(at);
        at = this.placeOf(this.#parentOf(at));
      }
      const result = at !== undefined && isBelow.get(at) === true;
      for (const one of seen) isBelow.set(one, result);
      return result;
    };
    let newest = root;
    for (const [index, { isAside, time }] of this.entries.entries()) {
      if (isAside === true || !below(index)) continue;
      const than = this.entries[newest]?.time ?? Number.NaN;
      if (!(time < than)) newest = index;
    }
    return newest;
  }

  /** Follows parents as the program does. */
  reached(leaf: number): Path {
    return this.#walk(leaf, (index) => {
      const parent = this.#parentOf(index);
      const place = this.placeOf(parent);
      // A parent that the program itself changed is not bridged.
      const mayBridge = typeof parent === 'string' && this.#rules.moved?.has(index) !== true;
      return place ?? (mayBridge ? this.#bridged(index) : undefined);
    });
  }

  /** Follows parents, and where one is missing, goes on with the record that probably was the parent. */
  whole(leaf: number): Path {
    return this.#walk(leaf, (index) => this.#nearest(index) ?? this.guess(index), true);
  }

  /** The record that probably was the parent of one whose parent is missing: the one before it. */
  guess(index: number): number | undefined {
    const entry = this.entries[index];
    if (entry === undefined || entry.isBeginning) return undefined;
    const other = this.#rules.others?.get(entry.parent ?? '');
    const beyond = this.placeOf(other);
    return beyond !== undefined && beyond < index ? beyond : this.before(index);
  }

  #parentOf(index: number): string | null | undefined {
    return this.#rules.moved?.get(index)?.id ?? this.entries[index]?.parent;
  }

  /** The record before it with the id of the parent; if there is none, any. */
  #nearest(index: number): number | undefined {
    const parent = this.#parentOf(index);
    const places = typeof parent === 'string' ? this.#places.get(parent) : undefined;
    return places?.findLast((place) => place < index) ?? places?.find((place) => place !== index);
  }

  /** The newest record that is not much older and comes before it in the log. */
  #bridged(index: number): number | undefined {
    const { bridge } = this.#rules;
    const time = this.entries[index]?.time ?? Number.NaN;
    if (bridge === undefined || Number.isNaN(time)) return undefined;
    const order = this.#byTime();
    const timeAt = (place: number) => this.entries[order[place] ?? -1]?.time ?? Number.NaN;
    const later = firstFrom(order.length, (place) => timeAt(place) > time);
    for (let place = later - 1; place >= 0 && time - timeAt(place) <= bridge; place -= 1) {
      const found = order[place];
      if (found !== undefined && found < index) return found;
    }
    return undefined;
  }

  /** The records of the conversation by time, then by place. */
  #byTime(): readonly number[] {
    this.#order ??= [...this.entries.keys()]
      .filter((index) => !Number.isNaN(this.#timeOf(index)) && this.entries[index]?.isAside !== true)
      .sort((a, b) => this.#timeOf(a) - this.#timeOf(b) || a - b);
    return this.#order;
  }

  #timeOf(index: number): number {
    return this.entries[index]?.time ?? Number.NaN;
  }

  #walk(leaf: number, next: (index: number) => number | undefined, isWhole = false): Path {
    const path: number[] = [];
    const seen = new Set<number>();
    const cuts: Cut[] = [];
    for (let at: number | undefined = leaf; at !== undefined; ) {
      path.push(at);
      seen.add(at);
      const index: number = at;
      let to = next(index);
      const isCycle = to !== undefined && seen.has(to);
      if (isCycle) to = isWhole ? this.before(index, seen) : undefined;
      const cut = this.#cutAt(index, to, isCycle, isWhole);
      if (cut) cuts.push(cut);
      at = to;
    }
    return { path, cuts };
  }

  /** What is wrong at a record after which the chain does not go on to its parent. */
  #cutAt(index: number, to: number | undefined, isCycle: boolean, isWhole: boolean): Cut | undefined {
    const entry = this.entries[index];
    const guess = this.guess(index);
    if (entry === undefined || entry.isBeginning || guess === undefined) return undefined;
    const parent = this.#parentOf(index);
    const isMissing = this.placeOf(parent) === undefined;
    // Another record with the id of the parent replaced it.
    const isReplaced = !isMissing && to !== undefined && this.placeOf(parent) !== to;
    if (!isMissing && !isCycle && !isReplaced) return undefined;
    const id = typeof parent === 'string' ? { parent } : {};
    const short = (one: string | null | undefined) => this.#short(one ?? '');
    const saidBy = isMissing ? this.#rules.moved?.get(index)?.saidBy : undefined;
    return {
      line: saidBy?.line ?? entry.line,
      ...(saidBy && { from: entry.line }),
      ...id,
      guess: this.entries[to ?? guess]?.line,
      isBridged: to !== undefined && !isWhole,
      message: isCycle
        ? 'its parents lead back to it'
        : isReplaced
          ? `its parent ${short(parent)} has the id of a later record`
          : entry.parentIs !== undefined
            ? `its parent is ${entry.parentIs}`
            : typeof parent === 'string'
              ? `${saidBy ? `${saidBy.name} (${short(parent)})` : `its parent ${short(parent)}`} is not in the log`
              : 'it names no parent',
    };
  }

  /** The first characters of an id; all of it if another record has the same. */
  #short(id: string): string {
    const first = id.slice(0, SHORT);
    this.#starts ??= grouped(this.#places.keys(), (other) => other.slice(0, SHORT));
    const isShared = this.#starts.get(first)?.some((other) => other !== id) === true;
    return JSON.stringify(isShared ? id : first).slice(1, -1);
  }
}
