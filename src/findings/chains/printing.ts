import type { Printing } from '../../log/printing.ts';
import type { Form } from './forms.ts';
import type { CutTable } from './profile.ts';

/** Names that every program writes with the same bytes. */
const isPlainName = (name: string): boolean => /^[ !#-[\]-~]+$/.test(name);

/** What the accelerator needs to print a record; undefined if it cannot print it. */
export function printingOf(
  { strings, ...form }: Form,
  { without = [], ...cut }: CutTable,
): Printing | undefined {
  const isWhole = [cut.only, cut.set, cut.sort_below, cut.drop_null, cut.nfc].every(
    (one) => one === undefined,
  );
  if (strings === 'go' || !isWhole) return undefined;
  return without.every((name) => isPlainName(name) && !name.includes('.'))
    ? { ...form, strings, without }
    : undefined;
}
