import { BACKSLASH, CLOSE_BRACE, isJsonSpace, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../base/json/ascii.ts';
import { type JsonNotice, lintJson } from '../base/json/lint.ts';
import { parseExactJson, parseJson } from '../base/json/parse.ts';
import type { JsonScanner, ValueKind } from '../base/json/scanner.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import type { MayConvert } from './newest-form.ts';

/** The name of a member, with its bytes for comparison. Make each once. */
export interface Field {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** Prepares a name for {@link LogRecord.string} and {@link LogRecord.kind}. */
export function field(name: string): Field {
  // Pages read records too, and a browser has no Buffer.
  return { name, bytes: new TextEncoder().encode(name) };
}

/** Members of records that are available as columns. */
export interface MemberColumns {
  /** The column of a top-level member. */
  columnOf(name: string): number | undefined;
  /** Its value in the current record, if it is a string. */
  textOf(column: number): string | undefined;
  kindOf(column: number): ValueKind | undefined;
  readonly mayRound: boolean;
}

/** The range of bytes that are not JSON white space; mostly empty. */
function strayIn(bytes: Buffer, from: number, to: number): { from: number; to: number } | undefined {
  let first = from;
  while (first < to && isJsonSpace(bytes[first])) first += 1;
  if (first >= to) return undefined;
  let last = to;
  while (isJsonSpace(bytes[last - 1])) last -= 1;
  return { from: first, to: last };
}

/** The kind of a JSON value, from its first byte. */
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
 * A record of a log: a JSON object on a line. It is a window onto the reader's buffer and only valid until
 * the visitor returns. Copy what must live longer (`text`, `value`, `string()`).
 */
export class LogRecord {
  /** The physical line, from 1. */
  line = 0;
  /** The number of the record in the log, from 1. */
  ordinal = 0;
  /** Offsets into the file. The end excludes the newline and includes a carriage return. */
  byteStart = 0;
  byteEnd = 0;
  /** The buffer and the line's offsets in it. */
  bytes: Buffer = Buffer.alloc(0);
  start = 0;
  end = 0;

  /** The start and end of its JSON, without white space. */
  valueStart = 0;
  valueEnd = 0;

  readonly #scanner: JsonScanner;
  /** If it is given, columns of stored lines cannot be used. */
  readonly #newest: MayConvert['newest'];
  /** The columns, if the accelerator read the record. */
  #columns: MemberColumns | undefined;
  /** Whether the scanner has scanned this record. */
  #isScanned = false;
  #value: JsonObject | undefined;
  #exact: JsonObject | undefined;

  constructor(scanner: JsonScanner, { newest }: MayConvert) {
    this.#scanner = scanner;
    this.#newest = newest;
  }

  /** Moves the window to a line that the scanner has accepted. */
  moveTo(bytes: Buffer, start: number, end: number, line: number, byteStart: number): this {
    const { valueStart, valueEnd } = this.#scanner;
    this.#isScanned = true;
    this.#columns = undefined;
    return this.#set(bytes, start, end, line, byteStart, valueStart, valueEnd);
  }

  /** Moves the window to a line that the accelerator has read; its JSON begins at `valueStart`. */
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

  /** The stored line without its newline. Shares the buffer's memory. */
  get raw(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  /**
   * The white space around the record that JSON does not allow, as offsets into `bytes`. The runtime strips
   * it, but most readers refuse it.
   */
  get strayWhitespace(): { readonly from: number; readonly to: number } | undefined {
    const { bytes, start, end, valueStart, valueEnd } = this;
    // A byte order mark is not white space and is reported separately.
    const first =
      bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
    return strayIn(bytes, first, valueStart) ?? strayIn(bytes, valueEnd, end);
  }

  /** The start and end of its JSON in the file. */
  get json(): { readonly from: number; readonly to: number } {
    const shift = this.byteStart - this.start;
    return { from: this.valueStart + shift, to: this.valueEnd + shift };
  }

  /** The range to print: the line, or only its JSON if there is stray white space. */
  get printed(): { readonly from: number; readonly to: number } {
    return this.strayWhitespace === undefined ? { from: this.byteStart, to: this.byteEnd } : this.json;
  }

  /** The bytes to print. Shares the buffer's memory. */
  get printedBytes(): Buffer {
    const { from, to } = this.printed;
    const shift = this.start - this.byteStart;
    return this.bytes.subarray(from + shift, to + shift);
  }

  /** The JSON text without surrounding white space. */
  get text(): string {
    return this.bytes.toString('utf8', this.valueStart, this.valueEnd);
  }

  /** The parsed record in the newest form of its dialect. Parsed once, on demand. */
  get value(): JsonObject {
    // Every escaped key counts as a possible duplicate. Without one, JSON.parse reads all keys correctly.
    const mayNeedIt = this.#isScanned && this.#scanner.maybeDuplicate;
    const parse = mayNeedIt ? parseJson : JSON.parse;
    this.#value ??= this.#inNewestForm(parse(this.text) as JsonObject);
    return this.#value;
  }

  #inNewestForm(event: JsonObject): JsonObject {
    return this.#newest ? this.#newest(event) : event;
  }

  /** The parsed record, if somebody asked for its value. */
  get parsed(): JsonObject | undefined {
    return this.#value;
  }

  /** The parsed record with numbers as stored, for display. */
  get shown(): JsonObject {
    return this.#inNewestForm(this.exact);
  }

  /**
   * The stored record, not converted to the newest form, with numbers as stored: for programs and for writing.
   */
  get exact(): JsonObject {
    const plain = () => (this.#newest ? parseJson(this.text) : this.value);
    this.#exact ??= parseExactJson(this.text, plain) as JsonObject;
    return this.#exact;
  }

  /** Whether it contains a number that a double may not represent. */
  get mayRound(): boolean {
    return this.#columns?.mayRound ?? this.#scanned.mayRound;
  }

  /** The parsed record with normalised numbers, for comparison. Cheaper than `exact`. */
  get comparable(): JsonObject {
    return this.mayRound ? this.shown : this.value;
  }

  /** The kind of a member's value; undefined if there is no such member. */
  kind(name: Field): ValueKind | undefined {
    if (this.#newest) return kindOfValue(this.value[name.name]);
    const column = this.#columns?.columnOf(name.name);
    if (column !== undefined) return this.#columns?.kindOf(column);
    const at = this.#valueStart(name);
    return at === undefined ? undefined : kindAt(this.bytes[at]);
  }

  /** A member's value if it is a string, else undefined. The last of repeated keys counts. */
  string(name: Field): string | undefined {
    const column = this.#newest ? undefined : this.#columns?.columnOf(name.name);
    if (column !== undefined) return this.#columns?.textOf(column);
    // A parsed record need not be scanned.
    const parsed = this.#newest ? this.value : this.#value;
    if (parsed !== undefined) {
      const value = parsed[name.name];
      return typeof value === 'string' ? value : undefined;
    }
    const member = this.#find(name);
    if (member === undefined) return undefined;
    const { members } = this.#scanner;
    const start = members[member + 2] as number;
    const end = members[member + 3] as number;
    if (this.bytes[start] !== QUOTE) return undefined;
    const text = this.bytes.toString('utf8', start + 1, end - 1);
    return text.includes('\\') ? (JSON.parse(`"${text}"`) as string) : text;
  }

  /** Repeated keys and unsafe integers. Cheap if there are none. */
  notices(): Iterable<JsonNotice> {
    const { maybeDuplicate, bigIntegerAt } = this.#scanner;
    // Records that the accelerator read have neither.
    if (!this.#isScanned || (!maybeDuplicate && bigIntegerAt < 0)) return [];
    return lintJson(this.bytes, this.valueStart, this.valueEnd);
  }

  /** The scanner after scanning this record. Records from the accelerator are scanned on demand. */
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
