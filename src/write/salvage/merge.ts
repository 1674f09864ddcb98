import { createHash } from 'node:crypto';
import { LogError } from '../../errors.ts';
import { Turns } from '../../time/turns.ts';
import type { KeptRecord, LostRange, ReadCopy } from './read-copy.ts';

/** A record of one of several copies. */
export interface SourcedRecord {
  /** Which copy, from 0. */
  readonly copy: number;
  readonly record: KeptRecord;
}

/** The records of a log as several damaged copies give them together. */
export interface MergedCopies {
  readonly records: readonly SourcedRecord[];
  /** Records that another copy tells otherwise. */
  readonly conflicts: readonly (LostRange & { readonly copy: number })[];
}

/** Reads what a record holds, and the id that it bears. */
export type RecordReader = (
  copy: number,
  record: KeptRecord,
) => { readonly text: Buffer; readonly id?: string | undefined; readonly time?: number | undefined };

/** A record that one copy has, or several. */
interface Node {
  readonly first: SourcedRecord;
  readonly id: string | undefined;
  /** When it happened, in milliseconds since 1970. */
  readonly time: number | undefined;
  readonly copies: Set<number>;
  /** Where it stands, by the offsets of the first copy as far as they are known. */
  readonly place: number;
  readonly after: Set<Node>;
  before: number;
}

async function nodesOf(
  copies: readonly ReadCopy[],
  read: RecordReader,
  turns: Turns,
): Promise<{ nodes: Node[]; rows: Node[][] }> {
  const known = new Map<string, Node>();
  const rows: Node[][] = [];
  for (const [copy, { kept }] of copies.entries()) {
    const seen = new Map<string, number>();
    const row: Node[] = [];
    // Bytes that this copy lacks, or has too many: told by the records that others have as well.
    let shift = 0;
    for (const record of kept) {
      if (turns.isDue) await turns.give();
      const { text, id, time } = read(copy, record);
      const hash = createHash('sha256').update(text).digest('base64');
      const times = (seen.get(hash) ?? 0) + 1;
      seen.set(hash, times);
      // The same line may stand in a log more than once.
      const key = `${hash} ${times}`;
      const before = known.get(key);
      if (before) shift = before.place - record.byteStart;
      const node = before ?? {
        first: { copy, record },
        id,
        time,
        copies: new Set<number>(),
        place: record.byteStart + shift,
        after: new Set<Node>(),
        before: 0,
      };
      known.set(key, node);
      node.copies.add(copy);
      row.push(node);
    }
    rows.push(row);
  }
  return { nodes: [...known.values()], rows };
}

/** Of records with one id that no copy has both of, the one that most copies have; the others are told. */
async function withoutConflicts(
  nodes: readonly Node[],
  turns: Turns,
): Promise<{ kept: Set<Node>; dropped: Node[] }> {
  const kept = new Set(nodes);
  const dropped: Node[] = [];
  const byId = new Map<string, Node>();
  for (const node of nodes) {
    if (turns.isDue) await turns.give();
    if (node.id === undefined) continue;
    const other = byId.get(node.id);
    if (other === undefined || [...node.copies].some((copy) => other.copies.has(copy))) {
      if (other === undefined) byId.set(node.id, node);
      continue;
    }
    const loser = node.copies.size > other.copies.size ? other : node;
    kept.delete(loser);
    dropped.push(loser);
    byId.set(node.id, loser === node ? other : node);
  }
  return { kept, dropped };
}

/** Whether of two records, whose order no copy tells, one comes first: by their times, else by their places. */
function isBefore(a: Node, b: Node): boolean {
  if (a.time !== undefined && b.time !== undefined && a.time !== b.time) return a.time < b.time;
  return a.place < b.place;
}

/** Those that nothing comes before any more, the first of them first. */
class Ready {
  readonly #heap: Node[] = [];

  push(node: Node): void {
    const heap = this.#heap;
    let at = heap.push(node) - 1;
    for (let up = (at - 1) >> 1; at > 0; up = (at - 1) >> 1) {
      const above = heap[up];
      if (above === undefined || !isBefore(node, above)) break;
      heap[at] = above;
      at = up;
    }
    heap[at] = node;
  }

  pop(): Node | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[at * 2 + 1], heap[at * 2 + 2]];
      const isRight = left !== undefined && right !== undefined && isBefore(right, left);
      const next = isRight ? right : left;
      if (next === undefined || !isBefore(next, last)) break;
      heap[at] = next;
      at = at * 2 + (isRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

async function inOrder(kept: ReadonlySet<Node>, rows: readonly Node[][], turns: Turns): Promise<Node[]> {
  for (const row of rows) {
    let before: Node | undefined;
    for (const node of row) {
      if (turns.isDue) await turns.give();
      if (!kept.has(node)) continue;
      if (before && !before.after.has(node)) {
        before.after.add(node);
        node.before += 1;
      }
      before = node;
    }
  }
  const ready = new Ready();
  for (const node of kept) if (node.before === 0) ready.push(node);
  const order: Node[] = [];
  for (let node = ready.pop(); node; node = ready.pop()) {
    if (turns.isDue) await turns.give();
    order.push(node);
    for (const next of node.after) {
      next.before -= 1;
      if (next.before === 0) ready.push(next);
    }
  }
  return order;
}

/**
 * Puts damaged copies of one log together: every record that is whole in any of them, once, in the order that all of
 * them have. Throws `salvage-refused` where they are no copies of one log.
 */
export async function mergeCopies(copies: readonly ReadCopy[], read: RecordReader): Promise<MergedCopies> {
  const turns = new Turns();
  const { nodes, rows } = await nodesOf(copies, read, turns);
  const { kept, dropped } = await withoutConflicts(nodes, turns);
  const refuse = (why: string) =>
    new LogError('salvage-refused', `these are no copies of one log: ${why}`, {
      hint: 'salvage each of them by itself',
    });
  for (const [index, row] of rows.entries()) {
    const isAlone = row.length > 0 && row.every((node) => node.copies.size === 1);
    const others = rows.some((other, at) => at !== index && other.length > 0);
    if (isAlone && others) throw refuse(`${copies[index]?.path} has no record in common with the others`);
  }
  const order = await inOrder(kept, rows, turns);
  if (order.length < kept.size) throw refuse('their records stand in another order');
  return {
    records: order.map(({ first }) => first),
    conflicts: dropped.map(({ first: { copy, record }, id }) => ({
      copy,
      line: record.line,
      byteStart: record.byteStart,
      byteEnd: record.byteEnd,
      code: 'salvage/conflict',
      message: `another copy tells the event ${id} otherwise`,
    })),
  };
}
