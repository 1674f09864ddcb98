import type { TestContext } from 'vitest';
import { times } from './length.ts';

/** How much the tests of writing do: little in CI, or as much as `npm run test:reliability -- --rounds N` requests. */
const asked = Number(process.env['RELIABILITY_ROUNDS'] ?? 0);

/** Whether more is requested than CI does. */
export const isLong = asked > 0;

/** The number of rounds: as requested, else as in CI. The short form of the tests does a part of it. */
export const rounds = (inCi: number): number => (isLong ? asked : times(inCi, Math.ceil(inCi / 30)));

/** The seed of fast-check: constant in CI, different by hand. */
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
