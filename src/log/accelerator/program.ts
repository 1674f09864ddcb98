import type { Column, ColumnKind, RowLayout } from '../row-layout.ts';
import type { Automaton } from '../schema/automaton.ts';
import {
  ANY,
  type ArrayForm,
  anyObject,
  isFree,
  type NumberForm,
  type ObjectForm,
  type Shape,
  type StringForm,
} from '../schema/shape.ts';
import type { Table } from './packed-table.ts';

const KIND_BITS = { null: 1, true: 2, false: 4, number: 8, string: 16, array: 32, object: 64 } as const;
/** The column kinds that have a value in addition to their text. */
const VALUE_KINDS: Readonly<Record<ColumnKind, number | undefined>> = {
  text: undefined,
  others: undefined,
  word: 1,
  id: 1,
  time: 2,
  number: 3,
};

const WHOLE = 1;
const ABOVE = 2;
const BELOW = 4;
const INSTANT = 1;

/** The keys of an object have one bit each. */
const MAX_MEMBERS = 64;
const NO_LIMIT = 0xffff_ffff;

/** Comparisons always read sixteen bytes. */
const SLACK = 16;

/** The columns at and below a path. */
class ColumnTree {
  /** The index of a column + 1, or 0. */
  column = 0;
  others = 0;
  readonly members = new Map<string, ColumnTree>();

  static of(columns: readonly Column[]): ColumnTree {
    const root = new ColumnTree();
    columns.forEach(({ path, kind }, index) => {
      let tree = root;
      for (const key of path) {
        const next = tree.members.get(key) ?? new ColumnTree();
        tree.members.set(key, next);
        tree = next;
      }
      if (kind === 'others') tree.others = index + 1;
      else tree.column = index + 1;
    });
    return root;
  }
}

/** Whether a key is a list index. */
const isItem = (key: string): boolean => /^\d+$/.test(key);

const hasItems = (tree: ColumnTree | undefined): boolean => [...(tree?.members.keys() ?? [])].some(isItem);

/** Whether a key needs no escape in JSON. */
const isPlain = (key: string): boolean => !/["\\\0-\x1f\x7f-\x9f]/.test(key) && key.isWellFormed();

/** Writes a table. wasm/shape.ts, words.ts and rows.ts describe the memory layout. */
class Writer {
  readonly sets: number[] = [];
  readonly #base: number;
  #bytes = new Uint8Array(1 << 14);
  #view = new DataView(this.#bytes.buffer);
  #end = 0;
  readonly #nodes = new Map<Shape, Map<ColumnTree | undefined, number>>();
  readonly #automata = new Map<Automaton, number>();
  readonly #words = new Map<ReadonlySet<string>, number>();

  constructor(base: number) {
    this.#base = base;
  }

  get table(): Table {
    return { bytes: this.#bytes.subarray(0, this.#end), sets: this.sets };
  }

  /** Reserves zeroed bytes and returns their address. */
  allocate(size: number): number {
    const at = this.#end;
    this.#end += Math.ceil(size / 8) * 8;
    if (this.#end > this.#bytes.length) {
      const grown = new Uint8Array(2 ** Math.ceil(Math.log2(this.#end)));
      grown.set(this.#bytes);
      this.#bytes = grown;
      this.#view = new DataView(grown.buffer);
    }
    return this.#base + at;
  }

  put(address: number, ...words: readonly number[]): void {
    for (const [index, word] of words.entries())
      this.#view.setUint32(address - this.#base + index * 4, word, true);
  }

  #copy(address: number, bytes: Uint8Array): void {
    this.#bytes.set(bytes, address - this.#base);
  }

  /** The node of a shape with the columns at and below it; 0 if nothing is allowed. */
  node(shape: Shape, tree: ColumnTree | undefined): number {
    if (shape.length === 0) return 0;
    const known = this.#nodes.get(shape) ?? new Map<ColumnTree | undefined, number>();
    this.#nodes.set(shape, known);
    const before = known.get(tree);
    if (before !== undefined) return before;
    const address = this.allocate(24);
    known.set(tree, address);
    this.#fill(address, shape, tree);
    return address;
  }

  #fill(address: number, shape: Shape, tree: ColumnTree | undefined): void {
    const firsts = { number: 0, string: 0, array: 0, object: 0 };
    let kinds = 0;
    // Backwards, because each rule refers to the next one.
    for (const form of shape.toReversed()) {
      let rule = 0;
      switch (form.kind) {
        case 'number':
          rule = isFree(form) ? 0 : this.#number(form, firsts.number);
          break;
        case 'string':
          rule = isFree(form) ? 0 : this.#string(form, firsts.string);
          break;
        case 'array':
          rule = isFree(form) && !hasItems(tree) ? 0 : this.#array(form, tree, firsts.array);
          break;
        case 'object': {
          const hasColumns = tree !== undefined && (tree.members.size > 0 || tree.others > 0);
          if (!isFree(form) || hasColumns) rule = this.#object(form, tree, firsts.object);
          if (rule === -1) continue;
          break;
        }
      }
      if (form.kind in firsts) firsts[form.kind as keyof typeof firsts] = rule;
      kinds |= KIND_BITS[form.kind];
    }
    const { number, string, array, object } = firsts;
    this.put(address, kinds, number, string, array, object, tree?.column ?? 0);
  }

  #number({ whole, min, max, above, below }: NumberForm, next: number): number {
    const address = this.allocate(24);
    this.put(address, next, (whole ? WHOLE : 0) | (above ? ABOVE : 0) | (below ? BELOW : 0));
    this.#view.setFloat64(address - this.#base + 8, min, true);
    this.#view.setFloat64(address - this.#base + 16, max, true);
    return address;
  }

  #string({ min, max, words, automaton, instant }: StringForm, next: number): number {
    const wordSet = words === undefined ? 0 : this.#wordSet(words);
    const machine = automaton === undefined ? 0 : this.#automaton(automaton);
    const address = this.allocate(24);
    this.put(address, next, min, max === Infinity ? NO_LIMIT : max, wordSet, machine, instant ? INSTANT : 0);
    return address;
  }

  #wordSet(words: ReadonlySet<string>): number {
    const before = this.#words.get(words);
    if (before !== undefined) return before;
    const address = this.entries(
      [...words].filter(isPlain).map((word, number) => ({ word, number, node: 0 })),
    );
    this.#words.set(words, address);
    return address;
  }

  #automaton(automaton: Automaton): number {
    const before = this.#automata.get(automaton);
    if (before !== undefined) return before;
    const { classes, classOf, next, accepting } = automaton;
    const transitions = this.allocate(next.length * 2);
    for (const [index, state] of next.entries())
      this.#view.setUint16(transitions - this.#base + index * 2, state, true);
    const ends = this.allocate(accepting.length);
    this.#copy(ends, accepting);
    const address = this.allocate(16 + 256);
    this.put(address, classes, transitions, ends);
    this.#copy(address + 16, classOf);
    this.#automata.set(automaton, address);
    return address;
  }

  #array({ min, max, first, others }: ArrayForm, tree: ColumnTree | undefined, next: number): number {
    const items = Math.max(
      first.length,
      ...[...(tree?.members.keys() ?? [])].filter(isItem).map((key) => Number(key) + 1),
    );
    const nodes = Array.from({ length: items }, (_, index) =>
      this.node(first[index] ?? others, tree?.members.get(String(index))),
    );
    const rest = this.node(others, undefined);
    const address = this.allocate(20 + nodes.length * 4);
    this.put(address, next, min, max === Infinity ? NO_LIMIT : max, rest, nodes.length, ...nodes);
    return address;
  }

  /** -1 for an object that a table cannot describe. */
  #object({ members, others }: ObjectForm, tree: ColumnTree | undefined, next: number): number {
    const required = [...members].filter(([, member]) => member.required).map(([key]) => key);
    const keys = [...new Set([...members.keys(), ...(tree?.members.keys() ?? [])])].filter(isPlain);
    if (keys.length > MAX_MEMBERS || !required.every((key) => keys.includes(key))) return -1;
    const set = this.entries(
      keys.map((word, number) => {
        const shape = members.get(word)?.shape ?? others;
        return { word, number, node: this.node(shape, tree?.members.get(word)) };
      }),
    );
    const rest = this.node(others, undefined);
    const bits = required.reduce((all, key) => all | (1n << BigInt(keys.indexOf(key))), 0n);
    const address = this.allocate(28);
    this.put(
      address,
      next,
      set,
      Number(bits & 0xffff_ffffn),
      Number(bits >> 32n),
      rest,
      0,
      tree?.others ?? 0,
    );
    return address;
  }

  /** A set of words, or of keys with their nodes. */
  entries(words: readonly { word: string; number: number; node: number }[]): number {
    const addresses = words.map(({ word, number, node }) => {
      const bytes = Buffer.from(`${word}"`);
      const address = this.allocate(16 + bytes.length + SLACK);
      this.put(address, bytes.length - 1, number, node, 0);
      this.#copy(address + 16, bytes);
      return address;
    });
    const slots = 2 ** Math.ceil(Math.log2(Math.max(2, words.length * 2)));
    const address = this.allocate(8 + slots * 4 + words.length * 4);
    this.put(address, slots - 1, words.length);
    this.put(address + 8 + slots * 4, ...addresses);
    this.sets.push(address);
    return address;
  }

  /** The entry of the key that contains a record's type. */
  keyEntry(key: string): number {
    const bytes = Buffer.from(`${key}"`);
    const address = this.allocate(16 + bytes.length + SLACK);
    this.put(address, bytes.length - 1, 0, 0, 0);
    this.#copy(address + 16, bytes);
    return address;
  }
}

const RECORD: Shape = [anyObject];

/** Makes the table of a layout for the address `base`. */
export function tableOf({ type, types, other, columns }: RowLayout, base: number): Table {
  const writer = new Writer(base);
  const valued = columns.flatMap(({ kind }, column) => {
    const value = VALUE_KINDS[kind];
    return value === undefined ? [] : [column, value];
  });
  const head = writer.allocate(32 + valued.length * 4);
  const tree = ColumnTree.of(columns);
  // A record is always an object.
  const record = (shape: Shape) =>
    writer.node(shape === ANY ? RECORD : shape.filter(({ kind }) => kind === 'object'), tree);
  const words = [...types].map(([word, shape], number) => ({ word, number, node: record(shape()) }));
  writer.put(
    head,
    type === undefined ? 0 : writer.keyEntry(type),
    writer.entries(words),
    record(other()),
    type === undefined ? 0 : columns.findIndex(({ path }) => path.length === 1 && path[0] === type),
    types.size,
    columns.length,
    valued.length / 2,
    record(ANY),
    ...valued,
  );
  return writer.table;
}
