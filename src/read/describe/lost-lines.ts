import type { Lacks } from '../../dialects/kit/tokens.ts';

/** A turn: it begins on its line, and the next one ends it. */
interface Turn {
  readonly line: number;
  readonly lacks?: Lacks;
}

/**
 * Says of each turn of a session how many lines in it could not be read. Turns and lines are in order. Lines before the first
 * turn belong to no turn.
 */
export function withLostLines<Of extends Turn>(turns: readonly Of[], lost: ArrayLike<number>): readonly Of[] {
  if (lost.length === 0) return turns;
  let at = 0;
  const skipUntil = (line: number): number => {
    const from = at;
    while ((lost[at] ?? line) < line) at += 1;
    return at - from;
  };
  skipUntil(turns[0]?.line ?? 0);
  return turns.map((turn, index) => {
    const lines = skipUntil(turns[index + 1]?.line ?? Infinity);
    return lines === 0 ? turn : { ...turn, lacks: { ...turn.lacks, lines } };
  });
}
