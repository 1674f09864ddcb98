import { Yielder } from '../../base/time/yielder.ts';
import type { RecordSource } from '../../dialects/dialect.ts';
import { RunStart } from '../../dialects/kit/run-start.ts';
import type { Corruption } from '../../log/corruption.ts';
import { LargeMap } from '../../log/large-map.ts';
import type { LogRecord } from '../../log/record.ts';
import { readUntilCorrupt } from '../../log/until-corrupt.ts';
import { compileRunFilter, type Filters, passOver } from './filter.ts';
import { LineRanges } from './line-ranges.ts';
import { namesOf } from './lineage.ts';

/** The events of a log in tree order: each after its cause. */
interface LineageTree {
  readonly lines: LineRanges;
  /** The place of each line in the tree. */
  readonly places: readonly TreePlace[];
  readonly corruption: Corruption | undefined;
  /** When the log or run starts, in milliseconds since 1970. */
  readonly startedAt: number | undefined;
}

/**
 * A branch of a tree. It refers only to the branch above, because a tree may be as deep as its log is long.
 */
export interface Branch {
  readonly above: Branch | undefined;
  /** The number of branches above. */
  readonly depth: number;
  /** It is the last branch of its node. */
  readonly isLast: boolean;
}

/** The place of an event. An only child shares the branch of its parent, so chains are not indented. */
export interface TreePlace {
  /** Undefined at the root. */
  readonly branch: Branch | undefined;
  /** The event is the first of its branch. */
  readonly begins: boolean;
}

const ROOT: TreePlace = { branch: undefined, begins: false };

/** The events that pass the filters, each with its nearest cause that passes. */
class Nodes {
  readonly places = new LineRanges();
  /** For each event of the log: its index among those that passed, or -1. */
  readonly shown: number[] = [];
  readonly #causes: (string | undefined)[] = [];
  readonly #indexById = new LargeMap<number>();

  add(names: readonly string[], cause: string | undefined, passes: boolean): void {
    const index = this.#causes.length;
    this.#causes.push(cause);
    this.shown.push(passes ? this.places.length : -1);
    for (const name of names) if (this.#indexById.get(name) === undefined) this.#indexById.add(name, index);
  }

  /**
   * The parent of each event that passed, or -1. If an event is in a cycle of causes, the root is the first
   * event of the cycle.
   */
  async parents(yielder: Yielder): Promise<Int32Array> {
    const parents = new Int32Array(this.places.length).fill(-1);
    const nearest = new Int32Array(this.#causes.length).fill(-2);
    for (const [index, own] of this.shown.entries()) {
      if (yielder.isDue) await yielder.yield();
      if (own >= 0) parents[own] = this.#nearestAbove(index, nearest);
    }
    return parents;
  }

  /**
   * The nearest cause that passed. Results are cached for events on the way, so all events together take one
   * walk.
   */
  #nearestAbove(index: number, nearest: Int32Array): number {
    const way: number[] = [];
    let found = -1;
    for (let at = this.#causeOf(index); at >= 0; at = this.#causeOf(at)) {
      const own = this.shown[at] as number;
      const known = own >= 0 ? own : (nearest[at] as number);
      if (known !== -2) {
        found = known;
        break;
      }
      // Ends the walk if a cycle has no event that passed.
      nearest[at] = -1;
      way.push(at);
    }
    for (const at of way) nearest[at] = found;
    return found;
  }

  #causeOf(index: number): number {
    const cause = this.#causes[index];
    return (cause === undefined ? undefined : this.#indexById.get(cause)) ?? -1;
  }
}

/** The earliest event of the cycle that the causes of an event lead to. */
function cycleAbove(index: number, parents: Int32Array): number {
  const onWay = new Set<number>();
  let at = index;
  for (; !onWay.has(at); at = parents[at] as number) onWay.add(at);
  let earliest = at;
  for (let next = parents[at] as number; next !== at; next = parents[next] as number)
    earliest = Math.min(earliest, next);
  return earliest;
}

/** The children of each event, in log order. */
async function childrenOf(parents: Int32Array, yielder: Yielder): Promise<ReadonlyMap<number, number[]>> {
  const children = new Map<number, number[]>();
  for (const [index, parent] of parents.entries()) {
    if (yielder.isDue) await yielder.yield();
    const siblings = children.get(parent);
    if (siblings) siblings.push(index);
    else children.set(parent, [index]);
  }
  return children;
}

/** Yields events in tree order. A cycle of causes starts at its first event. */
function* inTreeOrder(
  parents: Int32Array,
  children: ReadonlyMap<number, readonly number[]>,
): Generator<{ readonly index: number; readonly place: TreePlace }> {
  const seen = new Uint8Array(parents.length);
  const below = function* (root: number) {
    const waiting = [{ index: root, place: ROOT }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (seen[next.index] === 1) continue;
      seen[next.index] = 1;
      yield next;
      const own = children.get(next.index) ?? [];
      const { branch: above } = next.place;
      const [only, ...others] = own;
      if (only !== undefined && others.length === 0)
        waiting.push({ index: only, place: { branch: above, begins: false } });
      else
        for (const [at, index] of own.toReversed().entries()) {
          const branch = { above, depth: (above?.depth ?? 0) + 1, isLast: at === 0 };
          waiting.push({ index, place: { branch, begins: true } });
        }
    }
  };
  for (const root of children.get(-1) ?? []) yield* below(root);
  for (const index of parents.keys()) if (seen[index] === 0) yield* below(cycleAbove(index, parents));
}

/** Reads a log and orders its events by cause. Returns the first corruption of a damaged log. */
export const lineageTree = (log: string, filters: Filters, source: RecordSource): Promise<LineageTree> =>
  passOver(filters, source, (passes) => treeOf(log, filters, source, passes));

async function treeOf(
  log: string,
  filters: Filters,
  source: RecordSource,
  passes: (record: LogRecord) => boolean,
): Promise<LineageTree> {
  const { view } = source;
  const inRun = compileRunFilter(filters, source);
  const nodes = new Nodes();
  const start = new RunStart(source);
  const { extent, corruption } = await readUntilCorrupt(log, source.form, {
    row({ record }) {
      if (!inRun(record)) return;
      start.add(record);
      const isShown = passes(record);
      nodes.add(namesOf(record, source), view.cause?.(record), isShown);
      const { from, to } = record.printed;
      if (isShown) nodes.places.add(record.line, from, to);
    },
  });
  const { places: found } = nodes;
  const lines = new LineRanges().of(extent.file);
  const places: TreePlace[] = [];
  const yielder = new Yielder();
  const parents = await nodes.parents(yielder);
  for (const { index, place } of inTreeOrder(parents, await childrenOf(parents, yielder))) {
    if (yielder.isDue) await yielder.yield();
    lines.addFrom(found, index);
    places.push(place);
  }
  return { lines, places, corruption, startedAt: start.at };
}
