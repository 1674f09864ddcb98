import { BACKSLASH, OPEN_BRACE, OPEN_BRACKET, QUOTE } from '../../base/json/ascii.ts';
import { afterString } from '../../base/json/tokens-at.ts';
import { isKey, keyAt, type ValueIndex } from '../../base/json/value-index.ts';
import { type Cut, type CutNode, type Form, WHOLE } from './forms.ts';
import { isAmbiguous, printedByJavaScript, printedByPython } from './numbers.ts';
import { beginsNumber, isPlain, isPlainNumber, isPlainText } from './stored-spelling.ts';

const NUL_LETTER = 0x6e;
const [COMMA_BYTE, COLON_BYTE, SPACE_BYTE] = [0x2c, 0x3a, 0x20];
/** Shorter ranges are copied byte by byte, which takes less time than a call. */
const SHORT = 40;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** A text with its quotes as a form prints it. */
function printedText(text: string, { strings }: Form): string {
  const plain = JSON.stringify(text);
  if (strings === 'ascii') return plain.replace(/[\u007f-\uffff]/g, escaped);
  return strings === 'go' ? plain.replace(/[<>&\u2028\u2029]/g, escaped) : plain;
}

/** The order of two keys of a text, given the offsets of their quotes. */
function compareKeys(bytes: Uint8Array, a: number, b: number, isUtf16: boolean): number {
  for (let left = a + 1, right = b + 1; ; left += 1, right += 1) {
    const one = bytes[left] as number;
    const other = bytes[right] as number;
    if (one === BACKSLASH || other === BACKSLASH)
      return compareTexts(keyAt(bytes, a), keyAt(bytes, b), isUtf16);
    if (one === other) {
      if (one === QUOTE) return 0;
    } else if (one === QUOTE) return -1;
    else if (other === QUOTE) return 1;
    // In UTF-16, a surrogate comes before U+E000 to U+FFFF.
    else if (isUtf16 && one >= 0xee && other >= 0xee && one >= 0xf0 !== other >= 0xf0) return other - one;
    else return one - other;
  }
}

function compareTexts(a: string, b: string, isUtf16: boolean): number {
  if (isUtf16) return a < b ? -1 : a > b ? 1 : 0;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** What makes a printed value depend on the program that reads the log. */
export type Ambiguity = 'number' | 'surrogate' | 'nfc';

/** Prints values of a text into a buffer, which grows as needed and is used again. */
export class CanonicalWriter {
  /** The ambiguities in the values printed so far, with an example of each. */
  readonly ambiguities: Map<Ambiguity, string>;
  /** By the number of members: the order of the last object with so many. */
  readonly #orders: number[][] = [];
  #out = Buffer.allocUnsafe(4096);
  #at = 0;
  /** All strings of the value that is printed are printed as they are stored. */
  #isPlain = false;

  /** Set if other values are printed with these bytes too: why. */
  doubt: string | undefined;

  /** `ambiguities`: shared by several writers. */
  constructor(ambiguities = new Map<Ambiguity, string>()) {
    this.ambiguities = ambiguities;
  }

  /** Begins another text. */
  clear(): void {
    this.#at = 0;
    this.doubt = undefined;
  }

  /** The bytes printed so far. They share the buffer's memory. */
  get bytes(): Buffer {
    return this.#out.subarray(0, this.#at);
  }

  /** The number of bytes printed so far. */
  get size(): number {
    return this.#at;
  }

  /** Copies bytes. */
  raw(bytes: Uint8Array, from = 0, to = bytes.length): void {
    const size = to - from;
    this.#reserve(size);
    const out = this.#out;
    let at = this.#at;
    if (size < SHORT) for (let next = from; next < to; next += 1) out[at++] = bytes[next] as number;
    else out.set(bytes.subarray(from, to), at);
    this.#at += size;
  }

  text(text: string): void {
    this.#reserve(text.length * 3);
    this.#at += this.#out.write(text, this.#at);
  }

  /** Prints a value of an indexed text. */
  json(index: ValueIndex, value: number, form: Form, cut: Cut = WHOLE): void {
    const { only } = cut;
    const stored = index.bytes.subarray(index.startOf(value), index.endOf(value));
    this.#isPlain = isPlainText(stored, form.strings, cut.isNfc);
    if (only === undefined || !index.isObject(value)) this.#value(index, value, form, cut, cut.root, false);
    else this.#object(index, this.#chosen(index, value, only), form, cut, cut.root, false);
  }

  /** The members that are asked for, in this order. */
  #chosen(index: ValueIndex, value: number, only: readonly string[]): number[] {
    const members = membersOf(index, value);
    return only.flatMap((name) => members.filter((member) => isKey(index.bytes, index.keyOf(member), name)));
  }

  #value(
    index: ValueIndex,
    value: number,
    form: Form,
    cut: Cut,
    node: CutNode | undefined,
    isSorted: boolean,
  ): void {
    const start = index.startOf(value);
    switch (index.bytes[start]) {
      case OPEN_BRACE:
        this.#object(index, membersOf(index, value), form, cut, node, isSorted);
        break;
      case OPEN_BRACKET:
        this.#array(index, value, form, cut, isSorted);
        break;
      case QUOTE:
        this.#string(index.bytes, start, index.endOf(value), form, cut.isNfc);
        break;
      default:
        this.#word(index.bytes, start, index.endOf(value), form);
    }
  }

  #array(index: ValueIndex, value: number, form: Form, cut: Cut, isSorted: boolean): void {
    this.#byte(OPEN_BRACKET);
    const after = index.after(value);
    for (let child = value + 1; child < after; child = index.after(child)) {
      if (child > value + 1) this.#separator(COMMA_BYTE, form);
      this.#value(index, child, form, cut, undefined, isSorted);
    }
    this.#byte(0x5d);
  }

  #object(
    index: ValueIndex,
    members: number[],
    form: Form,
    cut: Cut,
    node: CutNode | undefined,
    isSorted: boolean,
  ): void {
    const { bytes } = index;
    // Sorted maps inside an object in stored order come from programs that compare bytes.
    const order = isSorted && form.order === 'stored' ? 'codepoint' : form.order;
    const sorted = order === 'stored' ? members : this.#sorted(index, members, order === 'utf16');
    this.#byte(OPEN_BRACE);
    let isFirst = true;
    const gap = form.spaced === true ? 2 : 1;
    // Members that are printed as they are stored, and follow each other in the log, are copied together.
    let [from, to] = [-1, -1];
    for (const member of sorted) {
      const key = index.keyOf(member);
      const below = node === undefined ? undefined : nodeOf(node, bytes, key);
      if (below?.isLeftOut === true) continue;
      if (cut.dropsNull && below?.keepsNull !== true && bytes[index.startOf(member)] === NUL_LETTER) continue;
      const isStored = below === undefined && this.#isStored(index, member, key, form, cut);
      if (
        isStored &&
        key === to + gap &&
        bytes[to] === COMMA_BYTE &&
        (gap === 1 || bytes[to + 1] === SPACE_BYTE)
      ) {
        to = index.endOf(member);
        continue;
      }
      if (to !== -1) this.raw(bytes, from, to);
      [from, to] = isStored ? [key, index.endOf(member)] : [-1, -1];
      if (!isFirst) this.#separator(COMMA_BYTE, form);
      isFirst = false;
      if (isStored) continue;
      this.#string(bytes, key, afterString(bytes, key), form, cut.isNfc);
      this.#separator(COLON_BYTE, form);
      if (below?.instead === undefined)
        this.#value(index, member, form, cut, below, isSorted || below?.isSorted === true);
      else this.text(below.instead);
    }
    if (to !== -1) this.raw(bytes, from, to);
    this.#byte(0x7d);
  }

  /** Whether a form prints a member with its key as they are stored. */
  #isStored(
    index: ValueIndex,
    member: number,
    key: number,
    { spaced, strings, numbers }: Form,
    { isNfc }: Cut,
  ): boolean {
    const { bytes } = index;
    const start = index.startOf(member);
    const end = index.endOf(member);
    const first = bytes[start] as number;
    if (first === OPEN_BRACE || first === OPEN_BRACKET) return false;
    // Other white space around the colon is not printed.
    const colon = spaced === true ? start - 2 : start - 1;
    if (spaced === true && bytes[start - 1] !== SPACE_BYTE) return false;
    if (bytes[colon] !== COLON_BYTE || bytes[colon - 1] !== QUOTE) return false;
    if (beginsNumber(first) && numbers !== 'stored' && !isPlainNumber(bytes, start, end)) return false;
    return this.#isPlain || isPlain(bytes, key, end, strings, isNfc);
  }

  /** The members in order. Most objects have the keys of an earlier one, so its order is tried first. */
  #sorted(index: ValueIndex, members: number[], isUtf16: boolean): number[] {
    const { length } = members;
    if (length < 2) return members;
    const { bytes } = index;
    const known = this.#orders[length];
    if (known !== undefined) {
      const tried: number[] = new Array(length);
      let before = -1;
      let at = 0;
      for (; at < length; at += 1) {
        const member = members[known[at] as number] as number;
        const key = index.keyOf(member);
        if (before !== -1 && compareKeys(bytes, before, key, isUtf16) > 0) break;
        tried[at] = member;
        before = key;
      }
      if (at === length) return tried;
    }
    const sorted = members.slice();
    sortMembers(index, sorted, isUtf16);
    if (length <= FEW) this.#orders[length] = sorted.map((member) => members.indexOf(member));
    return sorted;
  }

  #string(bytes: Uint8Array, start: number, end: number, form: Form, isNfc: boolean): void {
    if (this.#isPlain || isPlain(bytes, start, end, form.strings, isNfc)) {
      this.raw(bytes, start, end);
      return;
    }
    let text = keyAt(bytes, start);
    if (isNfc) {
      const normalised = text.normalize('NFC');
      if (normalised !== text) this.#note('nfc', text);
      text = normalised;
    }
    if (!text.isWellFormed()) this.#note('surrogate', text);
    this.text(printedText(text, form));
  }

  #word(bytes: Uint8Array, start: number, end: number, { numbers }: Form): void {
    if (!beginsNumber(bytes[start] as number) || numbers === 'stored' || isPlainNumber(bytes, start, end)) {
      this.raw(bytes, start, end);
      return;
    }
    const stored = Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1');
    if (isAmbiguous(stored)) this.#note('number', stored);
    this.text(numbers === 'python' ? printedByPython(stored) : printedByJavaScript(stored));
  }

  #note(kind: Ambiguity, example: string): void {
    if (!this.ambiguities.has(kind)) this.ambiguities.set(kind, example);
  }

  #separator(byte: number, { spaced }: Form): void {
    this.#byte(byte);
    if (spaced === true) this.#byte(SPACE_BYTE);
  }

  #byte(byte: number): void {
    if (this.#at === this.#out.length) this.#reserve(1);
    this.#out[this.#at++] = byte;
  }

  #reserve(size: number): void {
    if (this.#at + size <= this.#out.length) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#out.length * 2, this.#at + size));
    this.#out.copy(grown, 0, 0, this.#at);
    this.#out = grown;
  }
}

function membersOf(index: ValueIndex, value: number): number[] {
  const members: number[] = [];
  const after = index.after(value);
  for (let child = value + 1; child < after; child = index.after(child)) members.push(child);
  return members;
}

/** What a cut does with a member. */
function nodeOf({ below }: CutNode, bytes: Uint8Array, key: number): CutNode | undefined {
  for (const [name, node] of below) if (isKey(bytes, key, name)) return node;
  return undefined;
}

/** Objects with more members are sorted by the engine; insertion is faster for few, most of all if they are in order. */
const FEW = 24;

function sortMembers(index: ValueIndex, members: number[], isUtf16: boolean): void {
  const { bytes } = index;
  if (members.length > FEW) {
    members.sort((a, b) => compareKeys(bytes, index.keyOf(a), index.keyOf(b), isUtf16));
    return;
  }
  for (let next = 1; next < members.length; next += 1) {
    const member = members[next] as number;
    const key = index.keyOf(member);
    let at = next;
    while (at > 0 && compareKeys(bytes, index.keyOf(members[at - 1] as number), key, isUtf16) > 0) {
      members[at] = members[at - 1] as number;
      at -= 1;
    }
    members[at] = member;
  }
}
