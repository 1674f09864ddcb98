import { BACKSLASH, CLOSE_BRACE, isJsonSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../json/ascii.ts';
import { type JsonNotice, lintJson } from '../json/lint.ts';
import { parseExactJson, parseJson } from '../json/parse.ts';
import type { JsonScanner, ValueKind } from '../json/scanner.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { inNewestForm, mayDifferFromStored } from './newest-form.ts';

/** The name of a member of a record, with its bytes ready to compare. Make one per name, once. */
export interface Field {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Prepares a member's name for {@link LogRecord.string} and {@link LogRecord.kind}. */
export function field(name: string): Field {
  return { name, bytes: Buffer.from(name) };
}

/** Members of records that are known by the number of a column, as far as they are. */
export interface MemberColumns {
  /** The column of a member of the root. */
  columnOf(name: string): number | undefined;
  /** Its value in the record in hand, where it is a string. */
  textOf(column: number): string | undefined;
  kindOf(column: number): ValueKind | undefined;
  readonly mayRound: boolean;
}

/** From the first to behind the last byte in a range that is no white space of JSON; most ranges are empty. */
function strayIn(bytes: Buffer, from: number, to: number): { from: number; to: number } | undefined {
  let first = from;
  while (first < to && isJsonSpace(bytes[first])) first += 1;
  if (first >= to) return undefined;
  let last = to;
  while (isJsonSpace(bytes[last - 1])) last -= 1;
  return { from: first, to: last };
}

/** The kind of a JSON value that begins with a byte. */
export function kindAt(byte: number | undefined): ValueKind {
  switch (byte) {
    case OPEN_BRACE:
      return 'object';
    case OPEN_BRACKET:
      return 'array';
    case QUOTE:
      return 'string';
    case 0x74:
    case 0x66:
      return 'boolean';
    case 0x6e:
      return 'null';
    default:
      return 'number';
  }
}

export function kindOfValue(value: JsonValue | undefined): ValueKind | undefined {
  if (value === undefined) return undefined;
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return typeof value as 'object' | 'string' | 'number' | 'boolean';
}

/**
 * One whole record of a log: a JSON object on a line. It is a window onto the reader's buffer and holds good only
 * until the visitor it was handed to returns; what must outlive that is copied (`text`, `value`, `string()`).
 */
export class LogRecord {
  /** Physical line from 1. */
  line = 0;
  /** Which record of the log it is, from 1. */
  ordinal = 0;
  /** Offsets into the file; the end excludes the newline and includes a carriage return. */
  byteStart = 0;
  byteEnd = 0;
  /** The buffer and the same line in it. */
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  /** Where its JSON begins and ends, white space left out. */
  valueStart = 0;
  valueEnd = 0;

  readonly #scanner: JsonScanner;
  /** What the accelerator has read of the record already. */
  #columns: MemberColumns | undefined;
  /** Whether the scanner knows the members of this very record. */
  #isScanned = false;
  #value: JsonObject | undefined;
  #exact: JsonObject | undefined;

  constructor(scanner: JsonScanner) {
    this.#scanner = scanner;
  }

  /** Points the window at another line, which the scanner has just accepted. */
  moveTo(bytes: Buffer, start: number, end: number, line: number, byteStart: number): this {
    const { valueStart, valueEnd } = this.#scanner;
    this.#isScanned = true;
    this.#columns = undefined;
    return this.#set(bytes, start, end, line, byteStart, valueStart, valueEnd);
  }

  /** Points the window at another line, which the accelerator has read; its JSON begins at `valueStart`. */
  moveToRead(
    bytes: Buffer,
    start: number,
    end: number,
    line: number,
    byteStart: number,
    valueStart: number,
    columns: MemberColumns,
  ): this {
    let valueEnd = end;
    while (bytes[valueEnd - 1] !== CLOSE_BRACE) valueEnd -= 1;
    this.#isScanned = false;
    this.#columns = columns;
    return this.#set(bytes, start, end, line, byteStart, valueStart, valueEnd);
  }

  #set(
    bytes: Buffer,
    start: number,
    end: number,
    line: number,
    byteStart: number,
    valueStart: number,
    valueEnd: number,
  ): this {
    this.bytes = bytes;
    this.start = start;
    this.end = end;
    this.line = line;
    this.byteStart = byteStart;
    this.byteEnd = byteStart + (end - start);
    this.valueStart = valueStart;
    this.valueEnd = valueEnd;
    this.#value = undefined;
    this.#exact = undefined;
    return this;
  }

  /** The stored line, byte for byte, without its newline. Shares the buffer's memory. */
  get raw(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  /**
   * Where white space stands around the record that JSON does not know, as offsets into `bytes`: the runtime strips it,
   * and most readers refuse it.
   */
  get strayWhitespace(): { readonly from: number; readonly to: number } | undefined {
    const { bytes, start, end, valueStart, valueEnd } = this;
    // A byte order mark is no white space, and told of as such.
    const first =
      bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
    return strayIn(bytes, first, valueStart) ?? strayIn(bytes, valueEnd, end);
  }

  /** Where its JSON begins and ends in the file. */
  get json(): { readonly from: number; readonly to: number } {
    const shift = this.byteStart - this.start;
    return { from: this.valueStart + shift, to: this.valueEnd + shift };
  }

  /** Where the record as it is printed begins and ends in the file: its line, or its JSON alone where stray white space is around it. */
  get printed(): { readonly from: number; readonly to: number } {
    return this.strayWhitespace === undefined ? { from: this.byteStart, to: this.byteEnd } : this.json;
  }

  /** The bytes of the record as it is printed. Shares the buffer's memory. */
  get printedBytes(): Buffer {
    const { from, to } = this.printed;
    const shift = this.start - this.byteStart;
    return this.bytes.subarray(from + shift, to + shift);
  }

  /** The JSON text, white space around it left out. */
  get text(): string {
    return this.bytes.toString('utf8', this.valueStart, this.valueEnd);
  }

  /** The parsed record in the newest form of its dialect. Parsed once, on demand. */
  get value(): JsonObject {
    // To the scanner every key with an escape may be a repeated one: without any, no text needs a second look.
    const mayNeedIt = this.#isScanned && this.#scanner.maybeDuplicate;
    const parse = mayNeedIt ? parseJson : JSON.parse;
    this.#value ??= inNewestForm(parse(this.text) as JsonObject);
    return this.#value;
  }

  /** The same with its numbers as they are stored: for what people see. */
  get shown(): JsonObject {
    return mayDifferFromStored() ? inNewestForm(this.exact) : this.exact;
  }

  /** The record as it is stored, with its numbers and in its version: for programs, and for what is written. */
  get exact(): JsonObject {
    const plain = () => (mayDifferFromStored() ? parseJson(this.text) : this.value);
    this.#exact ??= parseExactJson(this.text, plain) as JsonObject;
    return this.#exact;
  }

  /** Whether it holds a number that a double may not hold. */
  get mayRound(): boolean {
    return this.#columns?.mayRound ?? this.#scanned.mayRound;
  }

  /** The same with the values of its numbers, however they are written: for what is compared. Costs less than `exact`. */
  get comparable(): JsonObject {
    return this.mayRound ? this.shown : this.value;
  }

  /** The kind of a member's value; undefined when there is no such member. */
  kind(name: Field): ValueKind | undefined {
    if (mayDifferFromStored()) return kindOfValue(this.value[name.name]);
    const column = this.#columns?.columnOf(name.name);
    if (column !== undefined) return this.#columns?.kindOf(column);
    const at = this.#valueStart(name);
    return at === undefined ? undefined : kindAt(this.bytes[at]);
  }

  /** A member's value when it is a string, else undefined. Of a repeated key the last counts. */
  string(name: Field): string | undefined {
    if (mayDifferFromStored()) {
      const value = this.value[name.name];
      return typeof value === 'string' ? value : undefined;
    }
    const column = this.#columns?.columnOf(name.name);
    if (column !== undefined) return this.#columns?.textOf(column);
    const member = this.#find(name);
    if (member === undefined) return undefined;
    const { members } = this.#scanner;
    const start = members[member + 2] as number;
    const end = members[member + 3] as number;
    if (this.bytes[start] !== QUOTE) return undefined;
    const text = this.bytes.toString('utf8', start + 1, end - 1);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Repeated keys and unsafe integers: cheap to ask, as the scanner has noted whether there may be any. */
  notices(): Iterable<JsonNotice> {
    const { maybeDuplicate, bigIntegerAt } = this.#scanner;
    // What the accelerator read has neither.
    if (!this.#isScanned || (!maybeDuplicate && bigIntegerAt < 0)) return [];
    return lintJson(this.bytes, this.valueStart, this.valueEnd);
  }

  /** The scanner, which has scanned this very record: one that the accelerator read only where that is needed. */
  get #scanned(): JsonScanner {
    if (!this.#isScanned) this.#scanner.scan(this.bytes, this.start, this.end);
    this.#isScanned = true;
    return this.#scanner;
  }

  #valueStart(name: Field): number | undefined {
    const member = this.#find(name);
    return member === undefined ? undefined : this.#scanner.members[member + 2];
  }

  /** The index of a member's four offsets. */
  #find({ name, bytes: wanted }: Field): number | undefined {
    const { bytes } = this;
    const { members, memberCount, escapedKey } = this.#scanned;
    for (let at = (memberCount - 1) * 4; at >= 0; at -= 4) {
      const start = members[at] as number;
      const end = members[at + 1] as number;
      if (escapedKey && bytes.subarray(start, end).includes(BACKSLASH)) {
        if (JSON.parse(`"${bytes.toString('utf8', start, end)}"`) === name) return at;
        continue;
      }
      if (end - start !== wanted.length) continue;
      let k = 0;
      while (k < wanted.length && bytes[start + k] === wanted[k]) k += 1;
      if (k === wanted.length) return at;
    }
    return undefined;
  }
}
