import { QUOTE } from './ascii.ts';
import { indentInto } from './indent.ts';
import { writeJson } from './write.ts';

const CHUNK_BYTES = 1 << 20;
/** A chunk with less room than this takes no more texts that are copied. */
const LEAST_ROOM = 1 << 13;
/** Members are mostly the same few, and a log may hold any. */
const MAX_HEADS = 64;

const A_COMMA = Buffer.from(',');
const BRACE = Buffer.from('}');

/** Where texts stand as JSON has them. */
export interface StoredTexts {
  /** Copies one, without its quotes, to `into[at]` and on; how many bytes, or -1 where it holds an escape or has no room. */
  copyText(number: number, into: Uint8Array, at: number): number;
}

/** A long list of objects that take no more room than their JSON, which is written member by member. */
export class WrittenObjects {
  length = 0;
  readonly #indent: number;
  readonly #depth: number;
  /** By key what stands before the value of its member, of which another comes before it. */
  readonly #heads = new Map<string, Buffer>();
  readonly #opening: Buffer;
  readonly #closing: Buffer;
  readonly #full: Buffer[] = [];
  #chunk = Buffer.alloc(0);
  #end = 0;
  /** How many members the object at hand has. */
  #members = 0;

  /** `depth`: how many arrays and objects the list stands in, each `indent` columns deeper. */
  constructor(indent: number, depth: number) {
    this.#indent = indent;
    this.#depth = depth;
    this.#opening = Buffer.from(`${this.#line(1)}{`);
    this.#closing = Buffer.from(`${this.#line(1)}}`);
  }

  /** Writes the next member of the object at hand. */
  member(key: string, value: unknown): void {
    this.#begin(key);
    this.#put(Buffer.from(writeJson(value, this.#indent, this.#depth + 2)));
  }

  /** Writes the next member, a text as it is stored. Where it cannot be copied: false, and nothing is written. */
  copy(key: string, texts: StoredTexts, number: number): boolean {
    const began = this.#beginInOneChunk(key);
    const from = this.#end + 1;
    const length = texts.copyText(number, this.#chunk, from);
    if (length < 0) return this.#settle(began, -1);
    this.#chunk[from - 1] = QUOTE;
    this.#chunk[from + length] = QUOTE;
    return this.#settle(began, from + length + 1);
  }

  /** The same for a value of any kind, given as its JSON. */
  lay(key: string, json: Uint8Array): boolean {
    const began = this.#beginInOneChunk(key);
    return this.#settle(began, indentInto(json, this.#chunk, this.#end, this.#indent, this.#depth + 2));
  }

  /** Ends the object at hand: what comes next is another. */
  end(): void {
    if (this.#members === 0) this.#open();
    this.#put(this.#members === 0 ? BRACE : this.#closing);
    this.#members = 0;
    this.length += 1;
  }

  /** The JSON of the whole list. */
  *pieces(): Generator<Uint8Array | string> {
    yield '[';
    yield* this.#full;
    yield this.#chunk.subarray(0, this.#end);
    yield this.length === 0 ? ']' : `${this.#line(0)}]`;
  }

  /** A new line, so much deeper than the list stands. */
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

  /** Begins a member, and says where what is written of it begins. */
  #beginInOneChunk(key: string): number {
    this.#room(LEAST_ROOM + this.#headOf(key).length);
    const began = this.#end;
    this.#begin(key);
    return began;
  }

  /** Ends such a member, or takes it back where it was not written or has no room. */
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
    // So few bytes are copied faster so than by a call.
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
