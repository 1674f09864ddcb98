/** Repetitions are unrolled: `{1,500}` makes 500 copies. */
const MAX_NODES = 20_000;

/** A transition on a set of bytes, or on none. */
export interface Edge {
  readonly bytes: ReadonlySet<number> | undefined;
  readonly to: number;
}

/** Part of a pattern, with its entry and exit states. */
export interface Piece {
  readonly from: number;
  readonly to: number;
}

/** The pattern is not regular, not supported, or too large. */
export class Unsupported extends Error {}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ASCII = range(0, 127);
const EVERY_BYTE: ReadonlySet<number> = new Set(range(0, 255));
const DIGITS = range(0x30, 0x39);
const WORD = [...DIGITS, ...range(0x41, 0x5a), ...range(0x61, 0x7a), 0x5f];
const SPACE = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20];
const CONTROL: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b };
/**
 * Non-ASCII characters are more than a byte. The automaton rejects such texts, and the caller uses the regex.
 */
const except = (bytes: readonly number[]): number[] => ASCII.filter((byte) => !bytes.includes(byte));

/** Compiles the regular subset of regex syntax. Throws {@link Unsupported} for the rest. */
export class PatternReader {
  readonly #source: string;
  #at = 0;
  readonly edges: Edge[][] = [];

  constructor(source: string) {
    this.#source = source;
  }

  state(): number {
    if (this.edges.length === MAX_NODES) throw new Unsupported();
    return this.edges.push([]) - 1;
  }

  link(from: number, to: number, bytes?: ReadonlySet<number>): void {
    this.edges[from]?.push({ bytes, to });
  }

  /** The whole pattern. Each alternative may have its own anchors. */
  pattern(): Piece {
    const piece = this.#alternatives(true);
    if (this.#at < this.#source.length) throw new Unsupported();
    return piece;
  }

  get #next(): string | undefined {
    return this.#source[this.#at];
  }

  #take(wanted: string): boolean {
    if (!this.#source.startsWith(wanted, this.#at)) return false;
    this.#at += wanted.length;
    return true;
  }

  #alternatives(top: boolean): Piece {
    const from = this.state();
    const to = this.state();
    do {
      const piece = top ? this.#anchored() : this.#sequence();
      this.link(from, piece.from);
      this.link(piece.to, to);
    } while (this.#take('|'));
    return { from, to };
  }

  /** Without an anchor, any text may come before or after. */
  #anchored(): Piece {
    const before = this.#take('^') ? [] : [this.#anything()];
    const pieces = [...before, this.#sequence()];
    if (!this.#take('$')) pieces.push(this.#anything());
    return this.#joined(pieces);
  }

  #anything(): Piece {
    const state = this.state();
    this.link(state, state, EVERY_BYTE);
    return { from: state, to: state };
  }

  #joined(pieces: readonly Piece[]): Piece {
    const from = this.state();
    let to = from;
    for (const piece of pieces) {
      this.link(to, piece.from);
      to = piece.to;
    }
    return { from, to };
  }

  #sequence(): Piece {
    const pieces: Piece[] = [];
    while (this.#next !== undefined && !'|)$'.includes(this.#next)) pieces.push(this.#repeated());
    return this.#joined(pieces);
  }

  #repeated(): Piece {
    const start = this.#at;
    const once = this.#atom();
    const [min, max] = this.#bounds();
    if (min === 1 && max === 1) return once;
    const end = this.#at;
    // A repeated atom is parsed again for each copy, which needs its own states.
    const copy = (): Piece => {
      this.#at = start;
      const piece = this.#atom();
      this.#at = end;
      return piece;
    };
    const pieces: Piece[] = Array.from({ length: min }, copy);
    if (max === Infinity) {
      const piece = copy();
      const loop = this.state();
      this.link(loop, piece.from);
      this.link(piece.to, loop);
      pieces.push({ from: loop, to: loop });
    } else {
      for (let extra = min; extra < max; extra += 1) {
        const piece = copy();
        const after = this.state();
        this.link(piece.to, after);
        this.link(piece.from, after);
        pieces.push({ from: piece.from, to: after });
      }
    }
    return this.#joined(pieces);
  }

  /** The minimum and maximum repetition of the last atom. */
  #bounds(): readonly [number, number] {
    let bounds: readonly [number, number] = [1, 1];
    const counted = /^\{(\d+)(,(\d*))?\}/.exec(this.#source.slice(this.#at));
    if (this.#take('*')) bounds = [0, Infinity];
    else if (this.#take('+')) bounds = [1, Infinity];
    else if (this.#take('?')) bounds = [0, 1];
    else if (counted) {
      const [all, min, more, max] = counted;
      this.#at += all.length;
      bounds = [Number(min), more === undefined ? Number(min) : max === '' ? Infinity : Number(max)];
    } else return bounds;
    // A lazy repetition matches the same texts.
    this.#take('?');
    if (this.#next !== undefined && '*+?{'.includes(this.#next)) throw new Unsupported();
    return bounds;
  }

  #atom(): Piece {
    if (this.#take('(?:') || (!this.#source.startsWith('(?', this.#at) && this.#take('('))) {
      const piece = this.#alternatives(false);
      if (!this.#take(')')) throw new Unsupported();
      return piece;
    }
    const bytes = this.#take('[') ? this.#set() : this.#take('.') ? except([0x0a, 0x0d]) : this.#one();
    const from = this.state();
    const to = this.state();
    this.link(from, to, new Set(bytes));
    return { from, to };
  }

  /** A single character, or an escape for several. */
  #one(): number[] {
    const char = this.#next;
    if (char === undefined || '(*+?{}[]^'.includes(char)) throw new Unsupported();
    this.#at += 1;
    if (char !== '\\') return [this.#byte(char)];
    const escaped = this.#next as string;
    this.#at += 1;
    const named = { d: DIGITS, D: except(DIGITS), w: WORD, W: except(WORD), s: SPACE, S: except(SPACE) };
    if (Object.hasOwn(named, escaped)) return named[escaped as keyof typeof named];
    const control = CONTROL[escaped];
    if (control !== undefined) return [control];
    if (/[A-Za-z0-9]/.test(escaped)) throw new Unsupported();
    return [this.#byte(escaped)];
  }

  #byte(char: string): number {
    const code = char.charCodeAt(0);
    if (code > 127) throw new Unsupported();
    return code;
  }

  #set(): number[] {
    const inverted = this.#take('^');
    const bytes: number[] = [];
    while (!this.#take(']')) {
      const from = this.#inSet();
      const isRange = this.#next === '-' && this.#source[this.#at + 1] !== ']';
      if (!isRange) {
        bytes.push(...from);
        continue;
      }
      this.#at += 1;
      const to = this.#inSet();
      const [[first = 0], [last = 0]] = [from, to];
      if (from.length !== 1 || to.length !== 1 || last < first) throw new Unsupported();
      bytes.push(...range(first, last));
    }
    return inverted ? except(bytes) : bytes;
  }

  /** In a set most characters are literal. */
  #inSet(): number[] {
    if (this.#next === '\\') return this.#one();
    const char = this.#next as string;
    this.#at += 1;
    return [this.#byte(char)];
  }
}
