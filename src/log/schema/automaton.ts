import { type Edge, PatternReader, type Piece, Unsupported } from './pattern.ts';

/** A deterministic automaton over bytes. State 1 is the start; state 0 is dead. */
export interface Automaton {
  /** The class of each byte. */
  readonly classOf: Uint8Array;
  readonly classes: number;
  /** The next state, at index state * classes + class. */
  readonly next: Uint16Array;
  /** 1 for accepting states. */
  readonly accepting: Uint8Array;
}

/** A pattern that needs more states is tested with the regex itself. */
const MAX_STATES = 1500;
/** The most members of sets of states: a short pattern can take seconds. The patterns of the schemas need a quarter. */
const MAX_WORK = 10_000;

/** The states that are reachable without consuming a byte, as a sorted list. */
function closure(edges: readonly Edge[][], states: Iterable<number>): number[] {
  const reached = new Set(states);
  for (const state of reached)
    for (const { bytes, to } of edges[state] as Edge[]) if (bytes === undefined) reached.add(to);
  return [...reached].sort((a, b) => a - b);
}

/** Groups bytes into classes that no edge distinguishes. */
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
  // State 0 is dead.
  const sets: number[][] = [[], first];
  const numbers = new Map([
    ['', 0],
    [first.join(), 1],
  ]);
  const next: number[] = samples.map(() => 0);
  let work = 0;
  for (let state = 1; state < sets.length; state += 1) {
    for (const sample of samples) {
      const reached = (sets[state] as number[]).flatMap((one) =>
        (edges[one] as Edge[]).flatMap((edge) => (edge.bytes?.has(sample) ? [edge.to] : [])),
      );
      const set = closure(edges, reached);
      work += reached.length + set.length;
      if (work > MAX_WORK) throw new Unsupported();
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

/** A cache, because patterns recur: the pattern of times alone takes ten milliseconds to compile. */
const known = new Map<string, Automaton | undefined>();

function compile(source: string): Automaton | undefined {
  const reader = new PatternReader(source);
  try {
    return determined(reader.edges, reader.pattern());
  } catch {
    // The caller then uses the regex itself.
    return undefined;
  }
}

/**
 * The automaton of a regex. If it accepts an ASCII text, the text matches; if it does not, the text may still
 * match. Undefined if the regex is not regular or not supported.
 */
export function automatonOf({ source, flags }: RegExp): Automaton | undefined {
  if (flags !== '' && flags !== 'u') return undefined;
  if (!known.has(source)) known.set(source, compile(source));
  return known.get(source);
}

/** An automaton for the ASCII texts that the given one rejects. */
export function complementOf({ classOf, classes, next, accepting }: Automaton): Automaton {
  const sink = accepting.length;
  // Non-ASCII bytes form one class that leads to the dead state.
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

/** An automaton for texts that both accept; undefined if it would be too large. */
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

export function accepts({ classOf, classes, next, accepting }: Automaton, bytes: Uint8Array): boolean {
  let state = 1;
  for (const byte of bytes) state = next[state * classes + (classOf[byte] as number)] as number;
  return accepting[state] === 1;
}
