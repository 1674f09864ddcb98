import { OPEN_BRACE, QUOTE } from '../base/json/ascii.ts';
import { parseExactJson } from '../base/json/parse.ts';
import type { ValueKind } from '../base/json/scanner.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { isObject } from '../base/json/value.ts';
import type { ValueIndex } from '../base/json/value-index.ts';
import { parseInstant } from '../base/time/instant.ts';
import { Accelerator } from './accelerator/accelerator.ts';
import type { Content } from './content.ts';
import type { LogForm } from './log-form.ts';
import type { Printing } from './printing.ts';
import { field, kindAt, kindOfValue, type LogRecord, type MemberColumns } from './record.ts';
import { indexOf, type LayoutIndex, NO_COLUMNS, type RowLayout } from './row-layout.ts';
import { PlainTextIndex, type TextIndex } from './text-index.ts';

const ID = field('id');
/** The first bytes of `true`, `false` and `null`. */
const [T, F, N] = [0x74, 0x66, 0x6e];
const NO_BYTES = new Uint8Array();

/**
 * A record as the checks see it: the columns of its layout, and the record itself. There is one object for
 * all records, only valid until the visitor returns.
 */
export class Row {
  /** The physical line, from 1. */
  line = 0;
  /** Another number for each record: a damaged line may have several. */
  serial = 0;
  /** The number of the record's type in the layout. Unknown types have the number of types. */
  type = 0;
  /** The record itself needs no findings: the table of its type accepts it, and it has no duplicate keys. */
  isAccepted = false;
  readonly layout: RowLayout;
  /** The log's indexed texts. */
  readonly texts: TextIndex;
  readonly #accelerator: Accelerator | undefined;
  /** The source of columns, if the accelerator read the record. */
  #columns: Accelerator | undefined;
  readonly #index: LayoutIndex;
  readonly #words = new Map<number, string>();
  /** The last word of each column; the next record mostly has the same. */
  readonly #lastOrdinals: Int32Array;
  readonly #lastWords: string[] = [];
  readonly #idOf: (record: LogRecord) => string | undefined;
  #record: LogRecord | undefined;

  constructor(layout: RowLayout, accelerator: Accelerator | undefined) {
    this.layout = layout;
    this.#index = indexOf(layout);
    this.#lastOrdinals = new Int32Array(layout.columns.length).fill(-1);
    this.#idOf = layout.idOf ?? ((record) => record.string(ID));
    this.#accelerator = accelerator;
    this.texts = accelerator ?? new PlainTextIndex();
  }

  /** Points at a record that the accelerator has read and selected. */
  read(record: LogRecord, type: number, isAccepted: boolean): this {
    this.#record = record;
    this.serial += 1;
    this.line = record.line;
    this.type = type;
    this.isAccepted = isAccepted;
    this.#columns = this.#accelerator;
    return this;
  }

  /** Points at a record without columns. */
  take(record: LogRecord): this {
    this.#record = record;
    this.serial += 1;
    this.line = record.line;
    this.isAccepted = false;
    this.#columns = undefined;
    const { type, types } = this.layout;
    const word = type === undefined ? undefined : record.value[type];
    this.type = (typeof word === 'string' ? this.#index.types.get(word) : undefined) ?? types.size;
    return this;
  }

  /** Finds the place of every value in the record. They are valid until the next record. */
  index(into: ValueIndex): ValueIndex {
    const { bytes, valueStart, valueEnd } = this.record;
    const isDone = this.#columns?.index(into, valueStart, valueEnd) === true;
    return isDone ? into : into.read(bytes, valueStart, valueEnd);
  }

  /** The record as a program printed it. The bytes are valid until the next call. Undefined if this must be done elsewhere. */
  printed(printing: Printing): Uint8Array | undefined {
    const { valueStart, valueEnd } = this.record;
    return this.#columns?.print(printing, valueStart, valueEnd);
  }

  get record(): LogRecord {
    if (this.#record === undefined) throw new Error('no record has been read yet');
    return this.#record;
  }

  /** The id of the record in findings, if it has one. */
  get id(): string | undefined {
    return this.#idOf(this.record);
  }

  /** The parsed record. Parsed once, on demand. */
  get event(): JsonObject {
    return this.record.value;
  }

  /** The kind of a column's value; undefined if it has none. */
  kind(column: number): ValueKind | undefined {
    const columns = this.#columns;
    if (columns === undefined) return kindOfValue(this.#value(column));
    const byte = columns.firstByte(column);
    return byte === undefined ? undefined : kindAt(byte);
  }

  value(column: number): JsonValue | undefined {
    const columns = this.#columns;
    if (columns === undefined) return this.#value(column);
    switch (columns.firstByte(column)) {
      case undefined:
        return undefined;
      case T:
        return true;
      case F:
        return false;
      case N:
        return null;
      default:
        return JSON.parse(columns.stored(column)) as JsonValue;
    }
  }

  /** A column's value with numbers as stored. */
  exact(column: number): JsonValue | undefined {
    const columns = this.#columns;
    if (columns === undefined) return memberAt(this.record.shown, this.layout.columns[column]?.path);
    if (columns.firstByte(column) === undefined) return undefined;
    const parsed = this.record.parsed;
    const path = this.layout.columns[column]?.path;
    const text = columns.stored(column);
    return parsed === undefined
      ? parseExactJson(text)
      : parseExactJson(text, () => memberAt(parsed, path) ?? null);
  }

  /** The stored text of a column, which must exist; empty unless the accelerator read the record. */
  stored(column: number): string {
    return this.#columns?.stored(column) ?? '';
  }

  /** The stored bytes of a column, valid until the next record. */
  storedBytes(column: number): Uint8Array {
    return this.#columns?.storedBytes(column) ?? NO_BYTES;
  }

  /** A column's value if it is a string. */
  text(column: number): string | undefined {
    const columns = this.#columns;
    if (columns !== undefined) {
      if (this.#index.isWord[column]) return this.#word(column);
      return columns.firstByte(column) === 0x22 ? columns.text(column) : undefined;
    }
    const value = this.#value(column);
    return typeof value === 'string' ? value : undefined;
  }

  isText(column: number, text: string): boolean {
    const columns = this.#columns;
    if (columns === undefined || this.#index.isWord[column]) return this.text(column) === text;
    return columns.firstByte(column) === QUOTE && columns.isText(column, text);
  }

  /**
   * Copies the bytes of a column's text to `into[at]`. Returns their number, or -1 if they are not available
   * or do not fit; use {@link text} then.
   */
  copyText(column: number, into: Uint8Array, at = 0): number {
    return this.#columns?.copyText(column, into, at) ?? -1;
  }

  /**
   * Whether the object in a column has the id that follows from its content. False also means unknown.
   * `namespace`: for UUIDs.
   */
  hasContentId(column: number, content: Content, namespace?: Uint8Array): boolean {
    const columns = this.#columns;
    return columns?.firstByte(column) === OPEN_BRACE && columns.hasContentId(column, content, namespace);
  }

  /** The ordinal of a column's text among {@link texts}; -1 if it is not a string. */
  ordinal(column: number): number {
    const columns = this.#columns;
    if (columns !== undefined) return columns.ordinal(column);
    const value = this.#value(column);
    return typeof value === 'string' ? this.texts.intern(value) : -1;
  }

  /** The instant in a column, in milliseconds since 1970, or NaN. */
  time(column: number): number {
    const known = this.#columns?.number(column);
    if (known !== undefined && !Number.isNaN(known)) return known;
    const text = this.text(column);
    return text === undefined ? Number.NaN : (parseInstant(text) ?? Number.NaN);
  }

  /** The number in a column, or NaN. */
  number(column: number): number {
    const known = this.#columns?.number(column);
    if (known !== undefined && !Number.isNaN(known)) return known;
    const value = this.kind(column) === 'number' ? this.value(column) : undefined;
    return typeof value === 'number' ? value : Number.NaN;
  }

  /** Whether the array or object in a column has members; true for other values. */
  isFilled(column: number): boolean {
    const columns = this.#columns;
    if (columns !== undefined) return columns.isFilled(column);
    const value = this.#value(column);
    return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
  }

  /** Whether the object at a column's path may have members that neither the table nor a column names. */
  hasOthers(column: number): boolean {
    return !this.isAccepted || this.#columns?.firstByte(column) !== undefined;
  }

  /** Caches the string of a word. */
  #word(column: number): string | undefined {
    const ordinal = this.ordinal(column);
    if (ordinal < 0) return undefined;
    if (this.#lastOrdinals[column] === ordinal) return this.#lastWords[column];
    let word = this.#words.get(ordinal);
    if (word === undefined) {
      word = this.texts.textOf(ordinal);
      this.#words.set(ordinal, word);
    }
    this.#lastOrdinals[column] = ordinal;
    this.#lastWords[column] = word;
    return word;
  }

  #value(column: number): JsonValue | undefined {
    return memberAt(this.event, this.layout.columns[column]?.path);
  }
}

function memberAt(root: JsonValue, path: readonly string[] = []): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** Makes rows of the records of one log. */
export class RowSource implements MemberColumns {
  readonly accelerator: Accelerator | undefined;
  readonly row: Row;
  readonly newest: LogForm['newest'];
  readonly takesGlued: boolean;
  readonly #members: ReadonlyMap<string, number>;

  private constructor(
    layout: RowLayout,
    accelerator: Accelerator | undefined,
    { newest, takesGlued }: LogForm,
  ) {
    this.newest = newest;
    this.takesGlued = takesGlued;
    this.accelerator = accelerator;
    this.row = new Row(layout, accelerator);
    this.#members = indexOf(layout).members;
  }

  columnOf(name: string): number | undefined {
    return this.#members.get(name);
  }

  textOf(column: number): string | undefined {
    return this.row.text(column);
  }

  get mayRound(): boolean {
    return this.accelerator?.mayRound ?? true;
  }

  kindOf(column: number): ValueKind | undefined {
    return this.row.kind(column);
  }

  /** Opens a source, which owns its memory until it is closed. */
  static open(form: LogForm): RowSource {
    const { layout = NO_COLUMNS, newest } = form;
    // The accelerator only reads stored forms.
    return new RowSource(layout, newest ? undefined : Accelerator.open(layout), form);
  }

  /** Call it once the rows and texts of the log are no longer needed. */
  close(): void {
    this.accelerator?.close();
  }
}
