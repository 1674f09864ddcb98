import { randomBytes } from 'node:crypto';
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  isJsonSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../json/ascii.ts';
import type { Content } from '../content.ts';
import type { RowLayout } from '../row-layout.ts';
import type { TextIndex } from '../text-index.ts';
import { namespaceAt, packContent } from './contents.ts';
import { borrow, giveBack, type Loaded } from './module.ts';
import { decodeText, encodeText } from './wtf8.ts';

/** Rows of one run: few enough to stay near the processor. */
const MOST_ROWS = 512;

/** In the accelerator's memory, a row: start, end, type, where its JSON begins if it is read; then the columns. */
const HEAD_WORDS = 4;

/** Set in the end of a column's text where it holds an escape. */
const ESCAPED = 0x8000_0000;
/** Set in a row's type where the record holds a number that a double may not hold. */
const LONG_NUMBER = 0x8000_0000;
/** Set there where no table accepts the record. */
const REFUSED = 0x4000_0000;

/** Set in the length of a text that is kept as a UUID's 16 bytes. */
const PACKED = 0x8000_0000;
const UUID_BYTES = 16;

/** In bytes. */
const SHORT = 128;

const KEY_BYTES = 16;
/** Random bytes for the keys of many logs: to ask for them takes longer than to read a short log. */
const pool = { bytes: Buffer.alloc(0), used: 0 };

/** A key of its own for each log, so that none can be written to make its ids collide. */
function freshKey(): Buffer {
  if (pool.used === pool.bytes.length) {
    pool.bytes = randomBytes(KEY_BYTES * 256);
    pool.used = 0;
  }
  pool.used += KEY_BYTES;
  return pool.bytes.subarray(pool.used - KEY_BYTES, pool.used);
}

function uuidText(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Reads lines of one log in WebAssembly: gives a row of numbers for each, and says of which there is nothing to say. It
 * also keeps the log's texts that have ordinals. Memory does not move while rows are looked at.
 */
export class Accelerator implements TextIndex {
  readonly #loaded: Loaded;
  readonly #input: number;
  readonly #size: number;
  readonly #columns: number;
  readonly #rowWords: number;
  readonly #rowsAt: number;
  #buffer: Buffer;
  #words: Uint32Array;
  #doubles: Float64Array;
  #row = 0;
  /** Where the tables of contents stand, and where the next one is put. */
  readonly #contents = new Map<Content, number>();
  #contentsEnd: number;
  #namespace: Uint8Array | undefined;

  private constructor(loaded: Loaded) {
    const { module, layout, programSize } = loaded;
    this.#loaded = loaded;
    this.#input = module.input();
    this.#contentsEnd = module.contentTables();
    this.#size = module.inputSize();
    this.#columns = layout.columns.length;
    this.#rowWords = HEAD_WORDS + this.#columns * 4;
    this.#rowsAt = Math.ceil((module.program() + programSize) / 64) * 64;
    const key = freshKey();
    const [a, b, c, d] = [0, 4, 8, 12].map((at) => key.readUInt32LE(at)) as [number, number, number, number];
    module.begin(programSize, this.#rowWords * 4 * MOST_ROWS, MOST_ROWS, a, b, c, d);
    const { buffer } = module.memory;
    this.#buffer = Buffer.from(buffer, this.#input, this.#size + 1);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }

  /** An accelerator with memory of its own, until it is closed; undefined where there is none. */
  static open(layout: RowLayout, bytes: number): Accelerator | undefined {
    const loaded = borrow(layout, bytes);
    return loaded && new Accelerator(loaded);
  }

  /** To be called when the log has been read and nothing more is asked of its rows and texts. */
  close(): void {
    giveBack(this.#loaded);
  }

  /** Where the log's bytes must stand; its last byte is kept for a newline. Another one after {@link run}. */
  get buffer(): Buffer {
    return this.#buffer;
  }

  /** Makes rows of the lines of the buffer's `[from, to)`, which ends with a newline; how many. */
  run(from: number, to: number): number {
    const { module } = this.#loaded;
    // Whatever the lines hold can then be kept in memory as it is, also by those who read them without rows.
    module.room(Math.min(to - from, this.#size));
    module.run(this.#input + from, this.#input + to);
    this.#refresh();
    return module.rowsMade();
  }

  /** Points at one of the rows of the last run. */
  select(row: number): void {
    this.#row = this.#rowsAt / 4 + row * this.#rowWords;
  }

  /** Where the row's line ends in the buffer. */
  get end(): number {
    return (this.#words[this.#row + 1] as number) - this.#input;
  }

  get type(): number {
    return (this.#words[this.#row + 2] as number) & ~(LONG_NUMBER | REFUSED);
  }

  /** Whether the record holds a number that a double may not hold. */
  get mayRound(): boolean {
    return (this.#words[this.#row + 2] as number) >= LONG_NUMBER;
  }

  /** Where the JSON begins of a row that is read. */
  get json(): number {
    return (this.#words[this.#row + 3] as number) - this.#input;
  }

  /** Whether the row's columns are told: the line is one plain record. */
  get isRead(): boolean {
    return this.#words[this.#row + 3] !== 0;
  }

  /** Whether a table accepts the record of a row that is read. */
  get isAccepted(): boolean {
    return ((this.#words[this.#row + 2] as number) & REFUSED) === 0;
  }

  /** The first byte of a column's value; undefined where there is none. */
  firstByte(column: number): number | undefined {
    const start = this.#words[this.#row + HEAD_WORDS + column * 2] as number;
    return start === 0 ? undefined : this.#buffer[start - this.#input];
  }

  /** A column's value as it is stored, of one that is there. */
  stored(column: number): string {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    const end = ((this.#words[at + 1] as number) & ~ESCAPED) - this.#input;
    return this.#buffer.toString('utf8', start, end);
  }

  /** The bytes of the same. */
  storedBytes(column: number): Uint8Array {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    return this.#buffer.subarray(start, ((this.#words[at + 1] as number) & ~ESCAPED) - this.#input);
  }

  /** Whether the array or object in a column holds anything; true where it is neither. */
  isFilled(column: number): boolean {
    let at = (this.#words[this.#row + HEAD_WORDS + column * 2] as number) - this.#input;
    const first = this.#buffer[at];
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return true;
    do at += 1;
    while (isJsonSpace(this.#buffer[at]));
    return this.#buffer[at] !== CLOSE_BRACE && this.#buffer[at] !== CLOSE_BRACKET;
  }

  /** A column's text, of one that holds a string. */
  text(column: number): string {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    const end = this.#words[at + 1] as number;
    if (end >= ESCAPED) return JSON.parse(this.stored(column)) as string;
    return this.#buffer.toString('utf8', start + 1, end - this.#input - 1);
  }

  /** Whether a column, which holds a string, holds this text. Texts of ASCII are compared as they stand there. */
  isText(column: number, text: string): boolean {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input + 1;
    const end = (this.#words[at + 1] as number) - this.#input - 1;
    const length = end - start;
    // Other characters have more bytes than units, and an escape has more bytes than what it stands for.
    if (length !== text.length) return length > text.length && this.text(column) === text;
    const buffer = this.#buffer;
    for (let k = 0; k < length; k += 1) if (buffer[start + k] !== text.charCodeAt(k)) return false;
    return true;
  }

  /** Copies the bytes of a column's text to `into[to]` and on; how many, or -1 where it is none, holds an escape, or is too long. */
  copyText(column: number, into: Uint8Array, to: number): number {
    const at = this.#row + HEAD_WORDS + column * 2;
    const end = (this.#words[at + 1] as number) - this.#input - 1;
    const start = (this.#words[at] as number) - this.#input + 1;
    const buffer = this.#buffer;
    if (end - start > into.length - to || start <= 0 || buffer[start - 1] !== QUOTE) return -1;
    if (end - start > SHORT) into.set(buffer.subarray(start, end), to);
    // So short a text is copied faster so than by a call.
    else for (let k = start; k < end; k += 1) into[to + k - start] = buffer[k] as number;
    return end - start;
  }

  /** The ordinal of a column's text, or -1. */
  ordinal(column: number): number {
    if (this.#words[this.#row + HEAD_WORDS + column * 2] === 0) return -1;
    const at = this.#row + HEAD_WORDS + (this.#columns + column) * 2;
    const ordinal = this.#words[at] as number;
    return ordinal === 0xffff_fffe ? this.intern(this.text(column)) : ordinal | 0;
  }

  /** The instant or number of a column; NaN where it is not known here. */
  number(column: number): number {
    if (this.#words[this.#row + HEAD_WORDS + column * 2] === 0) return Number.NaN;
    return this.#doubles[(this.#row + HEAD_WORDS + (this.#columns + column) * 2) / 2] as number;
  }

  /** Whether the object in a column surely has the id that its content gives, a UUID in this namespace. */
  hasContentId(column: number, content: Content, namespace?: Uint8Array): boolean {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = this.#words[at] as number;
    const table = this.#contents.get(content) ?? this.#putContent(content);
    if (namespace !== undefined && namespace !== this.#namespace) {
      new Uint8Array(this.#words.buffer).set(namespace, namespaceAt(table));
      this.#namespace = namespace;
    }
    const length = ((this.#words[at + 1] as number) & ~ESCAPED) - start;
    return this.#loaded.module.isContent(table, start, length) !== 0;
  }

  #putContent(content: Content): number {
    const table = this.#contentsEnd;
    const bytes = packContent(content);
    new Uint8Array(this.#words.buffer).set(bytes, table);
    this.#contents.set(content, table);
    this.#contentsEnd += bytes.length;
    return table;
  }

  get size(): number {
    return this.#loaded.module.idCount();
  }

  find(text: string): number {
    const { at, length } = this.#write(text);
    return this.#loaded.module.findId(at, length);
  }

  intern(text: string): number {
    const { at, length } = this.#write(text);
    return this.#loaded.module.internId(at, length);
  }

  textOf(ordinal: number): string {
    const at = this.#loaded.module.addressOf(ordinal);
    const head = this.#words[at / 4] as number;
    const bytes = Buffer.from(this.#loaded.module.memory.buffer, at + 4, head & ~PACKED || UUID_BYTES);
    if (head >= PACKED) return uuidText(bytes.toString('hex', 0, UUID_BYTES));
    return decodeText(bytes.subarray(0, head));
  }

  /** Puts a text where the module finds it. */
  #write(text: string): { at: number; length: number } {
    const bytes = encodeText(text);
    const at = this.#loaded.module.scratch(bytes.length);
    this.#refresh();
    new Uint8Array(this.#words.buffer, at, bytes.length).set(bytes);
    return { at, length: bytes.length };
  }

  /** The memory grows now and then, and is another object then. */
  #refresh(): void {
    const { buffer } = this.#loaded.module.memory;
    if (this.#words.buffer === buffer) return;
    this.#buffer = Buffer.from(buffer, this.#input, this.#size + 1);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }
}
