import { hash } from 'node:crypto';
import type { Profile } from '../../../src/findings/chains/profile.ts';
import { tempFile } from '../../support/temp.ts';

/** A chain that a user declares. */
export const MINE: Profile = {
  detect: ['seq', 'prev', 'sum=^[0-9a-f]{64}$'],
  link: 'prev',
  genesis: 'start',
  hash: 'sum',
  over: 'sorted',
  without: ['sum'],
  sequence: { member: 'seq', start: 1 },
};

export interface Line {
  readonly seq: number;
  readonly prev: string;
  readonly sum: string;
  readonly text: string;
}

/** The hash of a record of the profile above. */
export const sumOf = ({ seq, prev, text }: Omit<Line, 'sum' | 'text'> & { readonly text: unknown }): string =>
  hash('sha256', JSON.stringify({ prev, seq, text }), 'hex');

/** A chain of records that holds. */
export function chain(count: number): Line[] {
  const lines: Line[] = [];
  for (let seq = 1; seq <= count; seq += 1) {
    const record = { seq, prev: lines.at(-1)?.sum ?? 'start', text: `step ${seq}` };
    lines.push({ ...record, sum: sumOf(record) });
  }
  return lines;
}

/** Writes records, or lines, as a log. */
export const write = (lines: readonly unknown[]): string =>
  tempFile(
    lines.map((one) => `${typeof one === 'string' ? one : JSON.stringify(one)}\n`).join(''),
    'log.jsonl',
  );

export const at = (lines: readonly Line[], index: number): Line => lines[index] as Line;
