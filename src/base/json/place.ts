/** How many UTF-16 units an excerpt shows before the place, and in total. */
export const EXCERPT_BEFORE = 60;
export const EXCERPT_LENGTH = 160;

const BYTES_BEFORE = EXCERPT_BEFORE * 4;
const BYTES_AFTER = EXCERPT_LENGTH * 4;
const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const isContinuation = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80;

/** Replaces half a surrogate pair at either end with U+FFFD. The length does not change. */
export function wholeCharacters(text: string): string {
  return text.replace(/^[\udc00-\udfff]/, '\ufffd').replace(/[\ud800-\udbff]$/, '\ufffd');
}

/**
 * The text around a place in a line: at most {@link EXCERPT_BEFORE} units before it and {@link
 * EXCERPT_LENGTH} in all. The place is at unit `min(column - 1, EXCERPT_BEFORE)` of the excerpt. Invalid
 * UTF-8 becomes U+FFFD.
 */
export function excerptAround(bytes: Uint8Array, start: number, end: number, place: number): string {
  let from = Math.max(start, place - BYTES_BEFORE);
  while (from < place && isContinuation(bytes[from])) from += 1;
  let to = Math.min(end, place + BYTES_AFTER);
  while (to > place && isContinuation(bytes[to])) to -= 1;
  const before = lenient.decode(bytes.subarray(from, place)).slice(-EXCERPT_BEFORE);
  const after = lenient.decode(bytes.subarray(place, to)).slice(0, EXCERPT_LENGTH - before.length);
  return wholeCharacters(before + after);
}

/** The line and column of a place, from 1, and an excerpt of its line. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The number of bytes counted at a time. */
const BLOCK = 4096;

/** Counts of the text before an offset. */
interface Counted {
  readonly offset: number;
  /** UTF-16 units and newlines. */
  readonly units: number;
  readonly newlines: number;
  /** The offset where the line begins, and the number of units before it. */
  readonly lineStart: number;
  readonly lineUnits: number;
}

/**
 * Finds lines and columns of the text `bytes[start, end)`, in any order. The text is counted once, however
 * many places are looked up.
 */
export class TextPlaces {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  /** Counts at the start of each block, computed on demand. */
  readonly #blocks: Counted[];
  /** The last count; most callers ask for places in order. */
  #last: Counted;

  constructor(bytes: Uint8Array, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#start = start;
    this.#end = end;
    this.#last = { offset: start, units: 0, newlines: 0, lineStart: start, lineUnits: 0 };
    this.#blocks = [this.#last];
  }

  at(offset: number): TextPlace {
    const { units, newlines, lineStart, lineUnits } = this.#countTo(offset);
    const reach = this.#bytes.subarray(offset, Math.min(this.#end, offset + BYTES_AFTER));
    const newline = reach.indexOf(0x0a);
    const lineEnd = offset + (newline === -1 ? reach.length : newline);
    return { line: newlines + 1, column: units - lineUnits + 1, lineStart, lineEnd };
  }

  #countTo(offset: number): Counted {
    const block = Math.floor((offset - this.#start) / BLOCK);
    let before = this.#blocks[Math.min(block, this.#blocks.length - 1)] as Counted;
    while (this.#blocks.length <= block) {
      before = this.#count(before, this.#start + this.#blocks.length * BLOCK);
      this.#blocks.push(before);
    }
    if (this.#last.offset <= offset && this.#last.offset > before.offset) before = this.#last;
    this.#last = this.#count(before, offset);
    return this.#last;
  }

  #count(before: Counted, offset: number): Counted {
    let { units, newlines, lineStart, lineUnits } = before;
    for (let at = before.offset; at < offset; at += 1) {
      const byte = this.#bytes[at] as number;
      if (byte < 0x80 || byte >= 0xc0) units += byte >= 0xf0 ? 2 : 1;
      if (byte !== 0x0a) continue;
      newlines += 1;
      lineStart = at + 1;
      lineUnits = units;
    }
    return { offset, units, newlines, lineStart, lineUnits };
  }
}

export function placeInText(bytes: Uint8Array, offset: number): TextPlace {
  return new TextPlaces(bytes).at(offset);
}
