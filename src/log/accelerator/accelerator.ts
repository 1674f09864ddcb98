import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  isJsonSpace,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
} from '../../base/json/ascii.ts';
import type { ValueIndex } from '../../base/json/value-index.ts';
import type { Content } from '../content.ts';
import type { Printing } from '../printing.ts';
import type { RowLayout } from '../row-layout.ts';
import type { TextIndex } from '../text-index.ts';
import { namespaceAt, packContent } from './contents.ts';
import { borrow, giveBack, type Loaded } from './module.ts';
import { packPrinting } from './printings.ts';
import { decodeText, encodeText } from './wtf8.ts';

/** The number of rows per run; few enough to stay in the processor's cache. */
const MOST_ROWS = 512;

/**
 * A row in the accelerator's memory begins with four words: start, end, type, and the start of its JSON or 0. Its
 * columns follow.
 */
const HEAD_WORDS = 4;

/** A flag in the end of a column's text: it contains an escape. */
const ESCAPED = 0x8000_0000;
/** A flag in a row's type: the record contains a number that a double may not represent. */
const LONG_NUMBER = 0x8000_0000;
/** A flag in a row's type: no table accepts the record. */
const REFUSED = 0x4000_0000;

/** A flag in the length of a text: it is stored as the 16 bytes of a UUID. */
const PACKED = 0x8000_0000;
const UUID_BYTES = 16;

/** In bytes. A loop copies shorter texts faster than a call. */
const SHORT = 128;
/** Texts of up to this many bytes are compared byte by byte. */
const FEW = 16;
const LAST_ASCII = 0x7f;

/**
 * A word of the key of a log's hashes, so that nobody can write a log whose ids collide. V8 seeds these numbers from the
 * system's random ones, as those of its own hashes; whoever writes a log sees none of them.
 */
const keyWord = (): number => Math.floor(Math.random() * 2 ** 32);

function uuidText(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Reads the lines of one log in WebAssembly. Makes a row of numbers for each line, and finds the records that
 * need no findings. Also stores the log's indexed texts. Its memory does not move while rows are in use.
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
  #places: Int32Array = new Int32Array();
  /** The addresses of the tables of contents, and the next free address. */
  readonly #contents = new Map<Content, number>();
  #contentsEnd: number;
  #namespace: Uint8Array | undefined;
  /** The addresses of the tables of printed forms, or 0 if there is no room for one, and the next free address. */
  readonly #printings = new Map<Printing, number>();
  #printingsEnd: number;

  private constructor(loaded: Loaded) {
    const { module, layout, programSize } = loaded;
    this.#loaded = loaded;
    this.#input = module.input();
    this.#contentsEnd = module.contentTables();
    this.#printingsEnd = module.printTables();
    this.#size = module.inputSize();
    this.#columns = layout.columns.length;
    this.#rowWords = HEAD_WORDS + this.#columns * 4;
    this.#rowsAt = Math.ceil((module.program() + programSize) / 64) * 64;
    const rowsSize = this.#rowWords * 4 * MOST_ROWS;
    module.begin(programSize, rowsSize, MOST_ROWS, keyWord(), keyWord(), keyWord(), keyWord());
    const { buffer } = module.memory;
    this.#buffer = Buffer.from(buffer, this.#input, this.#size + 1);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }

  /** Opens an accelerator, which owns its memory until it is closed; undefined if none is available. */
  static open(layout: RowLayout): Accelerator | undefined {
    const loaded = borrow(layout);
    return loaded && new Accelerator(loaded);
  }

  /** Call it once the rows and texts of the log are no longer needed. */
  close(): void {
    giveBack(this.#loaded);
  }

  /**
   * The buffer for the log's bytes. Its last byte is reserved for a newline. It changes with each {@link
   * run}.
   */
  get buffer(): Buffer {
    return this.#buffer;
  }

  /**
   * Makes rows of the lines in the buffer's `[from, to)`, which ends with a newline. Returns their number.
   */
  run(from: number, to: number): number {
    const { module } = this.#loaded;
    // Reserves enough memory to store any text of these lines, also for readers without rows.
    module.room(Math.min(to - from, this.#size));
    module.run(this.#input + from, this.#input + to);
    this.#refresh();
    return module.rowsMade();
  }

  /** Selects a row of the last run. */
  select(row: number): void {
    this.#row = this.#rowsAt / 4 + row * this.#rowWords;
  }

  /** The end of the row's line in the buffer. */
  get end(): number {
    return (this.#words[this.#row + 1] as number) - this.#input;
  }

  get type(): number {
    return (this.#words[this.#row + 2] as number) & ~(LONG_NUMBER | REFUSED);
  }

  /** Whether the record contains a number that a double may not represent. */
  get mayRound(): boolean {
    return (this.#words[this.#row + 2] as number) >= LONG_NUMBER;
  }

  /** The start of the row's JSON, if it is read. */
  get json(): number {
    return (this.#words[this.#row + 3] as number) - this.#input;
  }

  /** Whether the row's columns are known: the line is a plain record. */
  get isRead(): boolean {
    return this.#words[this.#row + 3] !== 0;
  }

  /** Whether a table accepts the record. The row must be read. */
  get isAccepted(): boolean {
    return ((this.#words[this.#row + 2] as number) & REFUSED) === 0;
  }

  /** The first byte of a column's value; undefined if it has none. */
  firstByte(column: number): number | undefined {
    const start = this.#words[this.#row + HEAD_WORDS + column * 2] as number;
    return start === 0 ? undefined : this.#buffer[start - this.#input];
  }

  /** The stored text of a column's value, which must exist. */
  stored(column: number): string {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    const end = ((this.#words[at + 1] as number) & ~ESCAPED) - this.#input;
    return this.#buffer.toString('utf8', start, end);
  }

  /** The stored bytes of a column's value. */
  storedBytes(column: number): Uint8Array {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    return this.#buffer.subarray(start, ((this.#words[at + 1] as number) & ~ESCAPED) - this.#input);
  }

  /** Whether the array or object in a column has members; true for other values. */
  isFilled(column: number): boolean {
    let at = (this.#words[this.#row + HEAD_WORDS + column * 2] as number) - this.#input;
    const first = this.#buffer[at];
    if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return true;
    do at += 1;
    while (isJsonSpace(this.#buffer[at]));
    return this.#buffer[at] !== CLOSE_BRACE && this.#buffer[at] !== CLOSE_BRACKET;
  }

  /** The text of a column, which must be a string. */
  text(column: number): string {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input;
    const end = this.#words[at + 1] as number;
    if (end >= ESCAPED) return JSON.parse(this.stored(column)) as string;
    return this.#buffer.toString('utf8', start + 1, end - this.#input - 1);
  }

  /** Whether a column, which must be a string, has this text. ASCII texts are compared in place. */
  isText(column: number, text: string): boolean {
    const at = this.#row + HEAD_WORDS + column * 2;
    const start = (this.#words[at] as number) - this.#input + 1;
    const end = this.#words[at + 1] as number;
    const length = (end & ~ESCAPED) - this.#input - 1 - start;
    // A UTF-16 unit has up to three bytes, or six as an escape; ASCII has one.
    if (length !== text.length || end >= ESCAPED)
      return length > text.length && length <= text.length * 6 && this.text(column) === text;
    const buffer = this.#buffer;
    // A call takes longer than comparing a few bytes.
    if (length > FEW) return buffer.toString('utf8', start, start + length) === text;
    for (let k = 0; k < length; k += 1) {
      const byte = buffer[start + k] as number;
      // Another byte is a part of a character, so the text has fewer characters than bytes.
      if (byte !== text.charCodeAt(k) || byte > LAST_ASCII) return false;
    }
    return true;
  }

  /**
   * Copies the bytes of a column's text to `into[to]`. Returns their number, or -1 if the text is missing,
   * has an escape, or is too long.
   */
  copyText(column: number, into: Uint8Array, to: number): number {
    const at = this.#row + HEAD_WORDS + column * 2;
    const end = (this.#words[at + 1] as number) - this.#input - 1;
    const start = (this.#words[at] as number) - this.#input + 1;
    const buffer = this.#buffer;
    if (end - start > into.length - to || start <= 0 || buffer[start - 1] !== QUOTE) return -1;
    if (end - start > SHORT) into.set(buffer.subarray(start, end), to);
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

  /** The instant or number in a column; NaN if it is not known here. */
  number(column: number): number {
    if (this.#words[this.#row + HEAD_WORDS + column * 2] === 0) return Number.NaN;
    return this.#doubles[(this.#row + HEAD_WORDS + (this.#columns + column) * 2) / 2] as number;
  }

  /**
   * Whether the object in a column has the id that its content requires, a UUID in this namespace. False also
   * means unknown.
   */
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

  /** Indexes a record in the buffer. False if this must be done elsewhere. */
  index(into: ValueIndex, from: number, to: number): boolean {
    const { module } = this.#loaded;
    const size = module.findPlaces(this.#input + from, this.#input + to);
    if (size === 0) return false;
    if (this.#places.buffer !== this.#words.buffer)
      this.#places = new Int32Array(this.#words.buffer, module.places());
    into.adopt(this.#buffer, this.#places, size);
    return true;
  }

  /**
   * Prints the record in the buffer's `[from, to)`, which must be read. The bytes are valid until the next call. Undefined if
   * this must be done elsewhere.
   */
  print(printing: Printing, from: number, to: number): Uint8Array | undefined {
    const { module } = this.#loaded;
    const table = this.#printings.get(printing) ?? this.#putPrinting(printing);
    const size = table === 0 ? 0 : module.printRecord(table, this.#input + from, this.#input + to);
    return size === 0 ? undefined : new Uint8Array(this.#words.buffer, module.printed(), size);
  }

  #putPrinting(printing: Printing): number {
    const { module } = this.#loaded;
    const bytes = packPrinting(printing);
    const hasRoom = this.#printingsEnd + bytes.length <= module.printTables() + module.printTablesSize();
    const table = hasRoom ? this.#printingsEnd : 0;
    if (hasRoom) {
      new Uint8Array(this.#words.buffer).set(bytes, table);
      this.#printingsEnd += bytes.length;
    }
    this.#printings.set(printing, table);
    return table;
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

  /** Copies a text to the module's memory. */
  #write(text: string): { at: number; length: number } {
    const bytes = encodeText(text);
    const at = this.#loaded.module.scratch(bytes.length);
    this.#refresh();
    new Uint8Array(this.#words.buffer, at, bytes.length).set(bytes);
    return { at, length: bytes.length };
  }

  /** Memory may grow, which replaces the buffer object. */
  #refresh(): void {
    const { buffer } = this.#loaded.module.memory;
    if (this.#words.buffer === buffer) return;
    this.#buffer = Buffer.from(buffer, this.#input, this.#size + 1);
    this.#words = new Uint32Array(buffer);
    this.#doubles = new Float64Array(buffer);
  }
}
