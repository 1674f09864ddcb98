import { OPEN_BRACE, QUOTE } from '../json/ascii.ts';
import { parseExactJson } from '../json/parse.ts';
import type { ValueKind } from '../json/scanner.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isObject } from '../json/value.ts';
import { parseInstant } from '../time/instant.ts';
import { Accelerator } from './accelerator/accelerator.ts';
import type { Content } from './content.ts';
import { mayDifferFromStored } from './newest-form.ts';
import { field, kindAt, kindOfValue, type LogRecord, type MemberColumns } from './record.ts';
import { membersLayout, type RowLayout } from './row-layout.ts';
import { PlainTextIndex, type TextIndex } from './text-index.ts';

const ID = field('id');
/** How `true`, `false` and `null` begin. */
const [T, F, N] = [0x74, 0x66, 0x6e];
const NO_BYTES = new Uint8Array();

/** What is looked up in a layout. */
interface LayoutIndex {
  /** By column: whether few different texts are expected in it. */
  readonly isWord: readonly boolean[];
  /** By type: its number. */
  readonly types: ReadonlyMap<string, number>;
  /** By the name of a member of the root: its column. */
  readonly members: ReadonlyMap<string, number>;
}

const indexes = new WeakMap<RowLayout, LayoutIndex>();

/** Made once for each layout: there may be thousands of small logs. */
function indexOf(layout: RowLayout): LayoutIndex {
  let index = indexes.get(layout);
  if (index === undefined) {
    const { columns, types } = layout;
    index = {
      isWord: columns.map(({ kind }) => kind === 'word'),
      types: new Map([...types.keys()].map((word, number) => [word, number])),
      members: new Map(
        columns.flatMap(({ path, kind }, column) => {
          const [name] = path;
          return name !== undefined && path.length === 1 && kind !== 'others'
            ? [[name, column] as const]
            : [];
        }),
      ),
    };
    indexes.set(layout, index);
  }
  return index;
}

/**
 * One record of a log as the checks see it: the columns of its layout, and the record itself for those who need it all.
 * The same object for each record: it holds good only until the visitor it was handed to returns.
 */
export class Row {
  /** Physical line from 1. */
  line = 0;
  /** The number of the record's type in the layout; that of all others is the number of types. */
  type = 0;
  /** There is nothing to say about the record itself: the table of its type allows it, and it says nothing twice. */
  isAccepted = false;
  readonly layout: RowLayout;
  /** The log's texts that have ordinals. */
  readonly texts: TextIndex;
  readonly #accelerator: Accelerator | undefined;
  /** What knows the columns of the record at hand, where the accelerator has read it. */
  #columns: Accelerator | undefined;
  readonly #index: LayoutIndex;
  readonly #words = new Map<number, string>();
  /** By column the word that it held last: the next record mostly holds the same. */
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

  /** Points at a record that the accelerator has read, and selected. */
  read(record: LogRecord, type: number, isAccepted: boolean): this {
    this.#record = record;
    this.line = record.line;
    this.type = type;
    this.isAccepted = isAccepted;
    this.#columns = this.#accelerator;
    return this;
  }

  /** Points at a record of which no more is known than that it is one. */
  take(record: LogRecord): this {
    this.#record = record;
    this.line = record.line;
    this.isAccepted = false;
    this.#columns = undefined;
    const { type, types } = this.layout;
    const word = type === undefined ? undefined : record.value[type];
    this.type = (typeof word === 'string' ? this.#index.types.get(word) : undefined) ?? types.size;
    return this;
  }

  /** Where the record is, and its bytes. */
  get record(): LogRecord {
    if (this.#record === undefined) throw new Error('no record has been read yet');
    return this.#record;
  }

  /** The name by which findings know the record, where it has one. */
  get id(): string | undefined {
    return this.#idOf(this.record);
  }

  /** The parsed record. Parsed once, on demand. */
  get event(): JsonObject {
    return this.record.value;
  }

  /** The kind of a column's value; undefined where there is none. */
  kind(column: number): ValueKind | undefined {
    const columns = this.#columns;
    if (columns === undefined) return kindOfValue(this.#value(column));
    const byte = columns.firstByte(column);
    return byte === undefined ? undefined : kindAt(byte);
  }

  /** A column's value. */
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

  /** A column's value with its numbers as they are stored. */
  exact(column: number): JsonValue | undefined {
    const columns = this.#columns;
    if (columns === undefined) return memberAt(this.record.shown, this.layout.columns[column]?.path);
    if (columns.firstByte(column) === undefined) return undefined;
    return parseExactJson(columns.stored(column));
  }

  /** A column's value as it is stored, of one that is there; nothing of a record that the accelerator has not read. */
  stored(column: number): string {
    return this.#columns?.stored(column) ?? '';
  }

  /** The bytes of the same, until the next record. */
  storedBytes(column: number): Uint8Array {
    return this.#columns?.storedBytes(column) ?? NO_BYTES;
  }

  /** A column's value where it is a string. */
  text(column: number): string | undefined {
    const columns = this.#columns;
    if (columns !== undefined) {
      if (this.#index.isWord[column]) return this.#word(column);
      return columns.firstByte(column) === 0x22 ? columns.text(column) : undefined;
    }
    const value = this.#value(column);
    return typeof value === 'string' ? value : undefined;
  }

  /** Whether a column holds this text. */
  isText(column: number, text: string): boolean {
    const columns = this.#columns;
    if (columns === undefined || this.#index.isWord[column]) return this.text(column) === text;
    return columns.firstByte(column) === QUOTE && columns.isText(column, text);
  }

  /**
   * Copies the bytes of a column's text to `into[at]` and on, where they are at hand as they are and there is room for
   * them; how many, or -1 where {@link text} has to be asked.
   */
  copyText(column: number, into: Uint8Array, at = 0): number {
    return this.#columns?.copyText(column, into, at) ?? -1;
  }

  /**
   * Whether the object in a column surely has the id that its content gives: where not, it may have it all the same.
   * `namespace`: of UUIDs.
   */
  hasContentId(column: number, content: Content, namespace?: Uint8Array): boolean {
    const columns = this.#columns;
    return columns?.firstByte(column) === OPEN_BRACE && columns.hasContentId(column, content, namespace);
  }

  /** The ordinal of a column's text among {@link texts}; -1 where it is no string. */
  ordinal(column: number): number {
    const columns = this.#columns;
    if (columns !== undefined) return columns.ordinal(column);
    const value = this.#value(column);
    return typeof value === 'string' ? this.texts.intern(value) : -1;
  }

  /** The instant that a column's text says, in milliseconds since 1970; NaN where it says none. */
  time(column: number): number {
    const known = this.#columns?.number(column);
    if (known !== undefined && !Number.isNaN(known)) return known;
    const text = this.text(column);
    return text === undefined ? Number.NaN : (parseInstant(text) ?? Number.NaN);
  }

  /** A column's value where it is a number; NaN where it is none. */
  number(column: number): number {
    const known = this.#columns?.number(column);
    if (known !== undefined && !Number.isNaN(known)) return known;
    const value = this.kind(column) === 'number' ? this.value(column) : undefined;
    return typeof value === 'number' ? value : Number.NaN;
  }

  /** Whether the array or object of a column holds anything; true where it is neither. */
  isFilled(column: number): boolean {
    const columns = this.#columns;
    if (columns !== undefined) return columns.isFilled(column);
    const value = this.#value(column);
    return typeof value !== 'object' || value === null || Object.keys(value).length > 0;
  }

  /** Whether the object at a column's path may hold members that neither the table nor a column names. */
  hasOthers(column: number): boolean {
    return !this.isAccepted || this.#columns?.firstByte(column) !== undefined;
  }

  /** A word is made a string once. */
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

/** What lies at the end of a path of keys; the items of a list have their numbers for keys. */
function memberAt(root: JsonValue, path: readonly string[] = []): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const key of path) {
    if (Array.isArray(value)) value = value[Number(key)];
    else if (isObject(value) && Object.hasOwn(value, key)) value = value[key];
    else return undefined;
  }
  return value;
}

/** For those who look at no member. */
const NOTHING: RowLayout = membersLayout();

/** What turns the records of one log into rows. */
export class RowSource implements MemberColumns {
  readonly accelerator: Accelerator | undefined;
  readonly row: Row;
  readonly #members: ReadonlyMap<string, number>;

  private constructor(layout: RowLayout, accelerator: Accelerator | undefined) {
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

  /** A source with memory of its own, until it is closed; `bytes` is how long the log is. */
  static open(layout = NOTHING, bytes = Number.POSITIVE_INFINITY): RowSource {
    // The accelerator reads what is stored.
    return new RowSource(layout, mayDifferFromStored() ? undefined : Accelerator.open(layout, bytes));
  }

  /** To be called when the log has been read and nothing more is asked of its rows and texts. */
  close(): void {
    this.accelerator?.close();
  }
}
