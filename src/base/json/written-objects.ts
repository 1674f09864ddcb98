import { QUOTE } from './ascii.ts';
import { indentInto } from './indent.ts';
import { isObject } from './value.ts';
import { writeJson } from './write.ts';

const CHUNK_BYTES = 1 << 20;
/** A text is copied only into a chunk with at least this many free bytes. */
const LEAST_ROOM = 1 << 13;
/** Most objects have the same few members, but a log may contain any. */
const MAX_HEADS = 64;

const A_COMMA = Buffer.from(',');
const BRACE = Buffer.from('}');

/** A store of texts in their JSON form. */
export interface StoredTexts {
  /** Copies a text without its quotes to `into[at]`. Returns its length, or -1 if it has an escape or there is no room. */
  copyText(number: number, into: Uint8Array, at: number): number;
}

/** A long list of objects, kept as JSON to save memory and written member by member. */
export class WrittenObjects {
  length = 0;
  readonly #indent: number;
  readonly #depth: number;
  /** By key: the comma, white space and key before the value of every member except the first. */
  readonly #heads = new Map<string, Buffer>();
  readonly #opening: Buffer;
  readonly #closing: Buffer;
  readonly #full: Buffer[] = [];
  #chunk = Buffer.alloc(0);
  #end = 0;
  /** The number of members of the current object. */
  #members = 0;

  /** `depth`: the number of arrays and objects around the list, each indented by `indent` columns. */
  constructor(indent: number, depth: number) {
    this.#indent = indent;
    this.#depth = depth;
    this.#opening = Buffer.from(`${this.#line(1)}{`);
    this.#closing = Buffer.from(`${this.#line(1)}}`);
  }

  /** Writes the next member of the current object. */
  member(key: string, value: unknown): void {
    this.#begin(key);
    this.#put(Buffer.from(writeJson(value, this.#indent, this.#depth + 2)));
  }

  /** Writes the next member, a text as it is stored. Writes nothing and returns false if it cannot be copied. */
  copy(key: string, texts: StoredTexts, number: number): boolean {
    const began = this.#beginInOneChunk(key);
    const from = this.#end + 1;
    const length = texts.copyText(number, this.#chunk, from);
    if (length < 0) return this.#settle(began, -1);
    this.#chunk[from - 1] = QUOTE;
    this.#chunk[from + length] = QUOTE;
    return this.#settle(began, from + length + 1);
  }

  /**
   * Writes the next member from the JSON of its value. Writes nothing and returns false if it cannot be copied.
   */
  copyJson(key: string, json: Uint8Array): boolean {
    const began = this.#beginInOneChunk(key);
    return this.#settle(began, indentInto(json, this.#chunk, this.#end, this.#indent, this.#depth + 2));
  }

  end(): void {
    if (this.#members === 0) this.#open();
    this.#put(this.#members === 0 ? BRACE : this.#closing);
    this.#members = 0;
    this.length += 1;
  }

  /** Yields the JSON of the whole list. */
  *pieces(): Generator<Uint8Array | string> {
    yield '[';
    yield* this.#full;
    yield this.#chunk.subarray(0, this.#end);
    yield this.length === 0 ? ']' : `${this.#line(0)}]`;
  }

  /** A line break, and the indent `deeper` levels below the list. */
  #line(deeper: number): string {
    return this.#indent === 0 ? '' : `\n${' '.repeat(this.#indent * (this.#depth + deeper))}`;
  }

  #open(): void {
    if (this.length > 0) this.#put(A_COMMA);
    this.#put(this.#opening);
  }

  #begin(key: string): void {
    const head = this.#headOf(key);
    if (this.#members > 0) this.#put(head);
    else {
      this.#open();
      this.#put(head.subarray(1));
    }
    this.#members += 1;
  }

  /** Begins a member, and returns the offset of its first byte. */
  #beginInOneChunk(key: string): number {
    this.#room(LEAST_ROOM + this.#headOf(key).length);
    const began = this.#end;
    this.#begin(key);
    return began;
  }

  /** Keeps a member, or removes it if it was not written or there was no room. */
  #settle(began: number, end: number): boolean {
    const isWritten = end >= 0 && end <= this.#chunk.length;
    this.#end = isWritten ? end : began;
    if (!isWritten) this.#members -= 1;
    return isWritten;
  }

  #headOf(key: string): Buffer {
    const known = this.#heads.get(key);
    if (known !== undefined) return known;
    const head = Buffer.from(`,${this.#line(2)}${JSON.stringify(key)}:${this.#indent === 0 ? '' : ' '}`);
    if (this.#heads.size < MAX_HEADS) this.#heads.set(key, head);
    return head;
  }

  #put(bytes: Buffer): void {
    this.#room(bytes.length);
    const [chunk, at] = [this.#chunk, this.#end];
    // A loop copies a few bytes faster than a call does.
    if (bytes.length > 32) chunk.set(bytes, at);
    else for (let k = 0; k < bytes.length; k += 1) chunk[at + k] = bytes[k] as number;
    this.#end = at + bytes.length;
  }

  #room(bytes: number): void {
    if (this.#end + bytes <= this.#chunk.length) return;
    this.#full.push(this.#chunk.subarray(0, this.#end));
    this.#chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes));
    this.#end = 0;
  }
}

/** Lists of ready-made JSON are not deeper than this. */
const DEEPEST = 2;

/** Like writeJson, but yields pieces. Ready-made JSON in a list is never joined into one string. */
export function* jsonPieces(value: unknown, indent: number, depth = 0): Generator<string | Uint8Array> {
  if (value instanceof WrittenObjects) return yield* value.pieces();
  const members = isObject(value) && depth < DEEPEST ? Object.entries(value) : [];
  const written = members.filter(([, member]) => member !== undefined);
  if (written.length === 0) return yield writeJson(value, indent, depth);
  const line = indent === 0 ? '' : `\n${' '.repeat(indent * depth)}`;
  const inner = indent === 0 ? '' : `${line}${' '.repeat(indent)}`;
  const colon = indent === 0 ? ':' : ': ';
  for (const [index, [key, member]] of written.entries()) {
    yield `${index === 0 ? '{' : ','}${inner}${JSON.stringify(key)}${colon}`;
    yield* jsonPieces(member, indent, depth + 1);
  }
  yield `${line}}`;
}
