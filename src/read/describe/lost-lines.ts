import type { Lacks } from '../../dialects/kit/tokens.ts';

/** A turn: it begins on its line, and the next one ends it. */
interface Turn {
  readonly line: number;
  readonly lacks?: Lacks;
}

/** Says of each turn of a session how many lines in it could not be read. Lines before the first turn are in none. */
export function withLostLines<Of extends Turn>(turns: readonly Of[], lost: ArrayLike<number>): readonly Of[] {
  if (lost.length === 0) return turns;
  const lines = Array.from(lost);
  return turns.map((turn, at) => {
    const end = turns[at + 1]?.line ?? Infinity;
    const count = lines.filter((line) => line > turn.line && line < end).length;
    return count === 0 ? turn : { ...turn, lacks: { ...turn.lacks, lines: count } };
  });
}
