import { firstFrom } from '../text/first-from.ts';
import { Bytes } from './bytes.ts';
import type { Pages } from './pages.ts';
import { type SqlValue, valuesOf } from './record.ts';

const INDEX_INTERIOR = 2;
const TABLE_INTERIOR = 5;
const INDEX_LEAF = 10;
const TABLE_LEAF = 13;
/** A tree of the largest possible database is not as deep. */
const MOST_LEVELS = 32;

/** A row of a table: its number and its bytes. */
export interface Cell {
  readonly rowid: bigint;
  readonly payload: Buffer;
  /** The page with its beginning. */
  readonly page: number;
}

/** A page of a tree, with the places of its cells. */
class TreePage {
  readonly number: number;
  readonly isLeaf: boolean;
  readonly count: number;
  readonly bytes: Buffer;
  readonly #pages: Pages;
  readonly #header: number;

  /** `kind`: `table` or `index`. Throws if the page is of another kind. */
  constructor(pages: Pages, number: number, kind: 'table' | 'index') {
    const bytes = pages.page(number);
    const header = number === 1 ? 100 : 0;
    const type = bytes[header];
    const [interior, leaf] = kind === 'table' ? [TABLE_INTERIOR, TABLE_LEAF] : [INDEX_INTERIOR, INDEX_LEAF];
    if (type !== interior && type !== leaf)
      throw pages.fault(`it is not a page of ${kind === 'table' ? 'a table' : 'an index'}`, number);
    this.#pages = pages;
    this.#header = header;
    this.number = number;
    this.bytes = bytes;
    this.isLeaf = type === leaf;
    this.count = bytes.readUInt16BE(header + 3);
    if (this.#firstPointer + 2 * this.count > pages.usable)
      throw pages.fault('it has more cells than fit', number);
  }

  get #firstPointer(): number {
    return this.#header + (this.isLeaf ? 8 : 12);
  }

  /** The bytes of a page from the start of a cell. */
  cell(index: number): Bytes {
    const pages = this.#pages;
    const at = this.bytes.readUInt16BE(this.#firstPointer + 2 * index);
    if (at < this.#firstPointer + 2 * this.count || at >= pages.usable)
      throw pages.fault('a cell begins outside of its page', this.number);
    return new Bytes(this.bytes.subarray(0, pages.usable), this.number, pages.fault, at);
  }

  /** The page below a cell of an interior page; after the last cell, the rightmost one. */
  child(index: number): number {
    return index < this.count ? this.cell(index).uint32() : this.bytes.readUInt32BE(this.#header + 8);
  }
}

/** The payload of a cell, with its overflow pages. `cell` is at the start of the payload. */
function payloadOf(pages: Pages, cell: Bytes, size: number, kind: 'table' | 'index'): Buffer {
  const { usable, fault } = pages;
  const most = kind === 'table' ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) {
    cell.need(size);
    return cell.bytes.subarray(cell.at, cell.at + size);
  }
  if (size > pages.count * pages.pageSize) throw fault('a row is longer than the database', cell.page);
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((size - least) % (usable - 4));
  const local = fitting <= most ? fitting : least;
  cell.need(local + 4);
  const parts = [cell.bytes.subarray(cell.at, cell.at + local)];
  cell.at += local;
  let next = cell.uint32();
  let from = cell.page;
  // Each page adds bytes, so a chain that leads back to itself ends too, but the row would be wrong.
  const seen = new Set<number>();
  for (let left = size - local; left > 0; ) {
    if (next === 0) throw fault('the pages with the rest of a row end too early', from);
    if (seen.has(next)) throw fault('the pages with the rest of a row lead back to it', next);
    seen.add(next);
    const page = pages.page(next);
    from = next;
    next = page.readUInt32BE(0);
    const taken = Math.min(left, usable - 4);
    parts.push(page.subarray(4, 4 + taken));
    left -= taken;
  }
  if (next !== 0) throw fault('more pages follow than a row has', from);
  return Buffer.concat(parts, size);
}

/** Yields the rows of a table in the order of their numbers. */
export function* rowsOf(pages: Pages, root: number): Generator<Cell> {
  let before: bigint | undefined;
  for (const page of leavesOf(pages, root)) {
    for (let index = 0; index < page.count; index += 1) {
      const cell = page.cell(index);
      const size = cell.count();
      const rowid = cell.varint();
      if (before !== undefined && rowid <= before)
        throw pages.fault('its rows are not in order', page.number);
      before = rowid;
      yield { rowid, payload: payloadOf(pages, cell, size, 'table'), page: page.number };
    }
  }
}

/** Yields the leaves of a table from left to right. */
function* leavesOf(pages: Pages, root: number): Generator<TreePage> {
  const seen = new Set<number>();
  const left: [number: number, level: number][] = [[root, 0]];
  let leafLevel: number | undefined;
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const [number, level] = next;
    if (seen.has(number)) throw pages.fault('it is in its tree twice', number);
    seen.add(number);
    const page = new TreePage(pages, number, 'table');
    if (!page.isLeaf) {
      if (level === MOST_LEVELS) throw pages.fault('its tree is too deep', number);
      for (let index = page.count; index >= 0; index -= 1) left.push([page.child(index), level + 1]);
      continue;
    }
    leafLevel ??= level;
    if (level !== leafLevel) throw pages.fault('its tree has leaves at several depths', number);
    yield page;
  }
}

/** The row of a table with this number. */
export function rowWith(pages: Pages, root: number, rowid: bigint): Cell | undefined {
  let number = root;
  for (let level = 0; level <= MOST_LEVELS; level += 1) {
    const page = new TreePage(pages, number, 'table');
    const idOf = (index: number): bigint => {
      const cell = page.cell(index);
      if (page.isLeaf) cell.count();
      else cell.uint32();
      return cell.varint();
    };
    const index = firstFrom(page.count, (at) => idOf(at) >= rowid);
    if (!page.isLeaf) {
      number = page.child(index);
      continue;
    }
    if (index === page.count || idOf(index) !== rowid) return undefined;
    const cell = page.cell(index);
    const size = cell.count();
    cell.varint();
    return { rowid, payload: payloadOf(pages, cell, size, 'table'), page: number };
  }
  throw pages.fault('its tree is too deep', number);
}

/** Yields the keys of an index that begin with a text, in their order. The last value is the number of the row. */
export function* keysWith(pages: Pages, root: number, text: string): Generator<readonly SqlValue[]> {
  const wanted = Buffer.from(text);
  const seen = new Set<number>();
  yield* within(root, 0);

  function* within(number: number, level: number): Generator<readonly SqlValue[]> {
    if (seen.has(number)) throw pages.fault('it is in its tree twice', number);
    seen.add(number);
    if (level > MOST_LEVELS) throw pages.fault('its tree is too deep', number);
    const page = new TreePage(pages, number, 'index');
    const keyOf = (index: number): SqlValue[] => {
      const cell = page.cell(index);
      if (!page.isLeaf) cell.uint32();
      return valuesOf(payloadOf(pages, cell, cell.count(), 'index'), number, pages.fault);
    };
    const first = firstFrom(page.count, (index) => compared(keyOf(index)[0], wanted) >= 0);
    for (let index = first; index <= page.count; index += 1) {
      if (!page.isLeaf) yield* within(page.child(index), level + 1);
      if (index === page.count) return;
      const key = keyOf(index);
      const order = compared(key[0], wanted);
      if (order < 0) throw pages.fault('its keys are not in order', number);
      if (order > 0) return;
      yield key;
    }
  }
}

/** Orders a key and a text as an index does: nulls and numbers, then texts by their bytes, then other bytes. */
function compared(value: SqlValue | undefined, text: Buffer): number {
  if (typeof value === 'string') return Buffer.compare(Buffer.from(value), text);
  return value instanceof Buffer ? 1 : -1;
}
