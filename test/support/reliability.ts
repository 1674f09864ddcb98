import type { TestContext } from 'vitest';
import { times } from './length.ts';

/**
 * How much the tests of writing do: little in CI, as much as is asked for by hand with
 * `npm run test:reliability -- --rounds N`.
 */
const asked = Number(process.env['RELIABILITY_ROUNDS'] ?? 0);

/** Whether more is asked for than CI does. */
export const isLong = asked > 0;

/** The number of rounds: as asked for, otherwise what CI does; a part of it in the short form of the tests. */
export const rounds = (inCi: number): number => (isLong ? asked : times(inCi, Math.ceil(inCi / 20)));

/** Where fast-check begins: the same in CI each time, another by hand. */
export const seed = isLong ? Date.now() & 0x7fffffff : 20261122;

declare module 'vitest' {
  interface TaskMeta {
    /** The figures of a test, which `scripts/reliability.mjs` writes to docs/reliability.md. */
    figures?: Record<string, number>;
  }
}

/** Adds to the figures that a test reports. */
export function count({ task }: TestContext, figures: Readonly<Record<string, number>>): void {
  task.meta.figures ??= {};
  for (const [name, more] of Object.entries(figures))
    task.meta.figures[name] = (task.meta.figures[name] ?? 0) + more;
}
