import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  MINUS,
  NINE,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE,
  SPACE,
  ZERO,
} from './ascii.ts';
import { MAX_DEPTH, MAX_VALUES } from './limits.ts';
import { type ScanFault, STRING_STOP, TokenReader } from './tokens.ts';

/** The kind of a JSON value, known from its first byte. */
export type ValueKind = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';

const IN_OBJECT = 1;
const IN_ARRAY = 0;

/** In larger objects keys are not compared here: lint.ts does it. */
const MAX_COMPARED_KEYS = 64;

// The working memory of a scan. All scanners share it, because scans never overlap and thousands of small
// files have a scanner each.
const containers = new Uint8Array(MAX_DEPTH + 2);
const firstKeys = new Int32Array(MAX_DEPTH + 2);
let keyHashes = new Int32Array(256);

/**
 * Checks one JSON text byte by byte against RFC 8259 and notes where the members of the outermost object are.
 * Builds nothing. Every byte of every log passes through `scan`, so speed wins over readability here: one
 * loop, without recursion, allocation or bounds checks. It is safe because `bytes[end]` must be a newline,
 * which ends every token.
 * Accepts Python's `NaN` and infinities and notes them in `nonFiniteAt`, so one such word does not hide the
 * rest of the line.
 */
export class JsonScanner extends TokenReader {
  /** Two keys of one object may be equal; lint.ts finds out. */
  maybeDuplicate = false;
  /** A key of the outermost object has an escape, so its bytes are not its name. */
  escapedKey = false;
  /** The range of the text without surrounding white space. */
  valueStart = 0;
  valueEnd = 0;
  /** The depth at which the scan ended; above 0 only if it failed inside a container. */
  depth = 0;

  /** The members of the outermost object. Each has four offsets: its key without quotes, and its value. */
  memberCount = 0;
  readonly members: number[] = [];

  /** Whether `bytes[start, end)` is one JSON text. `bytes[end]` must be a newline. */
  scan(bytes: Uint8Array, start: number, end: number): boolean {
    const stack = containers;
    const keyBase = firstKeys;
    let hashes = keyHashes;
    let hashCount = 0;
    let depth = 0;
    let values = 0;
    let at = start;
    let byte = 0;
    this.fault = undefined;
    this.nonFiniteAt = -1;
    this.bigIntegerAt = -1;
    this.mayRound = false;
    this.maybeDuplicate = false;
    this.escapedKey = false;
    this.memberCount = 0;

    while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
    this.valueStart = at;

    value: while (true) {
      if (++values > MAX_VALUES) return this.#fail('too-many-values', at, depth);
      while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
      if (depth === 1 && stack[1] === IN_OBJECT) this.members[this.memberCount * 4 - 2] = at;

      let inKey = false;
      if (byte === QUOTE) {
        do byte = bytes[++at] as number;
        while (STRING_STOP[byte] === 0);
        if (byte !== QUOTE && (at = this.restOfString(bytes, at, end)) < 0) return this.#stop(depth);
        at += 1;
      } else if (byte === OPEN_BRACE) {
        if (depth === MAX_DEPTH) return this.#fail('too-deep', at, depth);
        depth += 1;
        stack[depth] = IN_OBJECT;
        keyBase[depth] = hashCount;
        at += 1;
        while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
        if (byte === CLOSE_BRACE) {
          depth -= 1;
          at += 1;
        } else inKey = true;
      } else if (byte === OPEN_BRACKET) {
        if (depth === MAX_DEPTH) return this.#fail('too-deep', at, depth);
        depth += 1;
        stack[depth] = IN_ARRAY;
        at += 1;
        while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
        if (byte !== CLOSE_BRACKET) continue;
        depth -= 1;
        at += 1;
      } else if (byte === MINUS || (byte >= ZERO && byte <= NINE)) {
        at = this.number(bytes, at, end);
        if (at < 0) return this.#stop(depth);
      } else {
        at = this.word(bytes, at, end);
        if (at < 0) return this.#stop(depth);
      }

      // Here a value has ended, or an object was opened and needs a key.
      while (true) {
        if (!inKey) {
          if (depth === 0) break value;
          if (depth === 1 && stack[1] === IN_OBJECT) this.members[this.memberCount * 4 - 1] = at;
          while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
          if (stack[depth] === IN_ARRAY) {
            if (byte === COMMA) {
              at += 1;
              while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
              if (byte === CLOSE_BRACKET) return this.#fail('trailing-comma', at, depth);
              continue value;
            }
            if (byte !== CLOSE_BRACKET)
              return this.#fail(at >= end ? 'end-of-text' : 'comma-expected', at, depth);
            depth -= 1;
            at += 1;
            continue;
          }
          if (byte === CLOSE_BRACE) {
            hashCount = keyBase[depth] as number;
            depth -= 1;
            at += 1;
            continue;
          }
          if (byte !== COMMA) return this.#fail(at >= end ? 'end-of-text' : 'comma-expected', at, depth);
          at += 1;
          while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
          if (byte === CLOSE_BRACE) return this.#fail('trailing-comma', at, depth);
        }
        inKey = false;

        if (byte !== QUOTE) return this.#fail(at >= end ? 'end-of-text' : 'key-expected', at, depth);
        const keyStart = at + 1;
        let hash = 0;
        while (STRING_STOP[(byte = bytes[++at] as number)] === 0) hash = (Math.imul(hash, 31) + byte) | 0;
        if (byte !== QUOTE) {
          if (depth === 1) this.escapedKey = true;
          this.maybeDuplicate = true;
          if ((at = this.restOfString(bytes, at, end)) < 0) return this.#stop(depth);
        }
        const base = keyBase[depth] as number;
        if (hashCount - base > MAX_COMPARED_KEYS) this.maybeDuplicate = true;
        else for (let k = base; k < hashCount; k += 1) if (hashes[k] === hash) this.maybeDuplicate = true;
        if (hashCount === hashes.length) hashes = this.#growHashes();
        hashes[hashCount++] = hash;
        if (depth === 1) this.#noteKey(keyStart, at);
        at += 1;
        while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
        if (byte !== COLON) return this.#fail(at >= end ? 'end-of-text' : 'colon-expected', at, depth);
        at += 1;
        continue value;
      }
    }

    this.valueEnd = at;
    while ((byte = bytes[at] as number) === SPACE || byte === 0x0d || byte === 0x09) at += 1;
    return at >= end ? true : this.#fail('trailing-text', at, 0);
  }

  #noteKey(start: number, end: number): void {
    const base = this.memberCount * 4;
    this.members[base] = start;
    this.members[base + 1] = end;
    this.memberCount += 1;
  }

  #growHashes(): Int32Array<ArrayBuffer> {
    const grown = new Int32Array(keyHashes.length * 2);
    grown.set(keyHashes);
    keyHashes = grown;
    return grown;
  }

  #fail(fault: ScanFault, at: number, depth: number): false {
    this.fault = fault;
    this.faultAt = at;
    this.depth = depth;
    return false;
  }

  /** Ends a scan after a token noted its fault. */
  #stop(depth: number): false {
    this.depth = depth;
    return false;
  }
}
