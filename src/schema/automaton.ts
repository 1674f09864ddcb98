/**
 * A deterministic automaton over the bytes of a text: state 1 is the first, state 0 the one that nothing leads out of.
 */
export interface Automaton {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** The next state, by state times classes plus class. */
  readonly next: Uint16Array;
  /** 1 for the states in which a text may end. */
  readonly accepting: Uint8Array;
}

/** A pattern that takes more states is left to the regular expression itself. */
const MAX_STATES = 1500;
/** A repetition is unrolled: `{1,500}` makes 500 copies of what it repeats. */
const MAX_NODES = 20_000;

/** A set of bytes, or a step that takes none. */
interface Edge {
  readonly bytes: ReadonlySet<number> | undefined;
  readonly to: number;
}

/** What a part of a pattern became: where it is entered and left. */
interface Piece {
  readonly from: number;
  readonly to: number;
}

class Unsupported extends Error {}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index);
const ASCII = range(0, 127);
const EVERY_BYTE: ReadonlySet<number> = new Set(range(0, 255));
const DIGITS = range(0x30, 0x39);
const WORD = [...DIGITS, ...range(0x41, 0x5a), ...range(0x61, 0x7a), 0x5f];
const SPACE = [0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20];
const CONTROL: Readonly<Record<string, number>> = { n: 0x0a, r: 0x0d, t: 0x09, f: 0x0c, v: 0x0b };
/** Beyond ASCII a character is no byte: such texts are refused here, and the regular expression is asked. */
const except = (bytes: readonly number[]): number[] => ASCII.filter((byte) => !bytes.includes(byte));

/** Reads the part of the language of regular expressions that is regular and plain; throws {@link Unsupported} at the rest. */
class Reader {
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

  /** The whole pattern; each alternative may have anchors of its own. */
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

  /** Without an anchor anything may come before, or after. */
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
    // What is repeated is read again for each copy: states of their own.
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

  /** How often the last atom may stand. */
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

  /** A single character or an escape that stands for several. */
  #one(): number[] {
    const char = this.#next;
    if (char === undefined || '(*+?{}[]^'.includes(char)) throw new Unsupported();
    this.#at += 1;
    if (char !== '\\') return [this.#byte(char)];
    const escaped = this.#next ?? '';
    this.#at += 1;
    const named = { d: DIGITS, D: except(DIGITS), w: WORD, W: except(WORD), s: SPACE, S: except(SPACE) };
    if (Object.hasOwn(named, escaped)) return named[escaped as keyof typeof named];
    const control = CONTROL[escaped];
    if (control !== undefined) return [control];
    if (escaped === '' || /[A-Za-z0-9]/.test(escaped)) throw new Unsupported();
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
      const [first, last] = [from[0] ?? 0, to[0] ?? 0];
      if (from.length !== 1 || to.length !== 1 || last < first) throw new Unsupported();
      bytes.push(...range(first, last));
    }
    return inverted ? except(bytes) : bytes;
  }

  /** In a set most characters stand for themselves. */
  #inSet(): number[] {
    if (this.#next === '\\') return this.#one();
    const char = this.#next;
    if (char === undefined) throw new Unsupported();
    this.#at += 1;
    return [this.#byte(char)];
  }
}

/** The states that are reached from some without a byte, as a sorted list. */
function closure(edges: readonly Edge[][], states: Iterable<number>): number[] {
  const reached = new Set(states);
  for (const state of reached)
    for (const { bytes, to } of edges[state] ?? []) if (bytes === undefined) reached.add(to);
  return [...reached].sort((a, b) => a - b);
}

/** Bytes that no edge tells apart are of one class. */
function classesOf(edges: readonly Edge[][]): { classOf: Uint8Array; samples: number[] } {
  const sets = [...new Set(edges.flat().flatMap(({ bytes }) => (bytes === undefined ? [] : [bytes])))];
  const names = new Map<string, number>();
  const samples: number[] = [];
  const classOf = Uint8Array.from({ length: 256 }, (_, byte) => {
    const name = sets.map((set) => (set.has(byte) ? '1' : '0')).join('');
    const known = names.get(name) ?? names.size;
    if (known === names.size) {
      names.set(name, known);
      samples.push(byte);
    }
    return known;
  });
  return { classOf, samples };
}

function determined(edges: readonly Edge[][], { from, to }: Piece): Automaton {
  const { classOf, samples } = classesOf(edges);
  const first = closure(edges, [from]);
  // State 0 is the dead one.
  const sets: number[][] = [[], first];
  const numbers = new Map([
    ['', 0],
    [first.join(), 1],
  ]);
  const next: number[] = samples.map(() => 0);
  for (let state = 1; state < sets.length; state += 1) {
    for (const sample of samples) {
      const reached = (sets[state] ?? []).flatMap((one) =>
        (edges[one] ?? []).flatMap((edge) => (edge.bytes?.has(sample) ? [edge.to] : [])),
      );
      const set = closure(edges, reached);
      const name = set.join();
      let number = numbers.get(name);
      if (number === undefined) {
        number = sets.push(set) - 1;
        if (number > MAX_STATES) throw new Unsupported();
        numbers.set(name, number);
      }
      next.push(number);
    }
  }
  return {
    classOf,
    classes: samples.length,
    next: Uint16Array.from(next),
    accepting: Uint8Array.from(sets, (set) => (set.includes(to) ? 1 : 0)),
  };
}

/**
 * The automaton of a regular expression: a text of ASCII that it accepts matches, and one that it does not accept need
 * not be one that does not match. Undefined for what is not regular, or not plain.
 */
export function automatonOf(pattern: RegExp): Automaton | undefined {
  if (pattern.flags !== '' && pattern.flags !== 'u') return undefined;
  const reader = new Reader(pattern.source);
  try {
    return determined(reader.edges, reader.pattern());
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

/** The automaton that accepts those texts of ASCII that the given one does not. */
export function complementOf({ classOf, classes, next, accepting }: Automaton): Automaton {
  const sink = accepting.length;
  // A class of its own for what is not ASCII leads nowhere.
  const flipped: number[] = Array.from({ length: classes + 1 }, () => 0);
  for (let state = 1; state <= sink; state += 1) {
    for (let kind = 0; kind < classes; kind += 1)
      flipped.push((state < sink ? (next[state * classes + kind] as number) : 0) || sink);
    flipped.push(0);
  }
  return {
    classOf: classOf.map((kind, byte) => (byte > 127 ? classes : kind)),
    classes: classes + 1,
    next: Uint16Array.from(flipped),
    accepting: Uint8Array.from({ length: sink + 1 }, (_, state) => (state === 0 || accepting[state] ? 0 : 1)),
  };
}

/** The automaton of the texts that two accept; undefined where it would be too large. */
export function bothAutomata(a: Automaton, b: Automaton): Automaton | undefined {
  const pairs = new Map<number, number>();
  const classOf = a.classOf.map((kind, byte) => {
    const pair = kind * b.classes + (b.classOf[byte] as number);
    if (!pairs.has(pair)) pairs.set(pair, pairs.size);
    return pairs.get(pair) as number;
  });
  const width = b.accepting.length;
  const states = [0, width + 1];
  const numbers = new Map(states.map((state, number) => [state, number]));
  const next: number[] = Array.from(pairs, () => 0);
  for (let number = 1; number < states.length; number += 1) {
    const state = states[number] as number;
    const [one, other] = [Math.floor(state / width), state % width];
    for (const pair of pairs.keys()) {
      const left = a.next[one * a.classes + Math.floor(pair / b.classes)] as number;
      const right = b.next[other * b.classes + (pair % b.classes)] as number;
      const to = left === 0 || right === 0 ? 0 : left * width + right;
      if (!numbers.has(to)) numbers.set(to, states.push(to) - 1);
      next.push(numbers.get(to) as number);
    }
    if (states.length > MAX_STATES) return undefined;
  }
  const isEnd = (state: number) => a.accepting[Math.floor(state / width)] && b.accepting[state % width];
  const accepting = Uint8Array.from(states, (state) => (isEnd(state) ? 1 : 0));
  return { classOf, classes: pairs.size, next: Uint16Array.from(next), accepting };
}

/** Whether an automaton accepts a text. */
export function accepts({ classOf, classes, next, accepting }: Automaton, bytes: Uint8Array): boolean {
  let state = 1;
  for (const byte of bytes) state = next[state * classes + (classOf[byte] as number)] as number;
  return accepting[state] === 1;
}
