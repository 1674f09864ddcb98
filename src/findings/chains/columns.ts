import { type Column, columnAt, type RowLayout } from '../../log/row-layout.ts';
import type { Profile } from './profile.ts';

/** The members that a chain reads of every record, as columns of its rows. */
export interface ChainColumns {
  readonly link: Column | undefined;
  readonly hash: Column | undefined;
  readonly group: Column | undefined;
  readonly sequence: Column | undefined;
}

/** The columns of a profile. A path with dots may also be a name, so it has none. */
export function columnsOf({ link, hash, group, sequence }: Profile): ChainColumns {
  const column = (name: string | undefined, kind: Column['kind'] = 'text'): Column | undefined =>
    name === undefined || name.includes('.') ? undefined : { path: [name], kind };
  return {
    link: column(link),
    hash: column(hash),
    group: column(group),
    sequence: column(sequence?.member, 'number'),
  };
}

/** The numbers of a profile's columns in a layout; -1 for one that the profile does not need. */
export type ColumnNumbers = { readonly [Name in keyof ChainColumns]: number };

/** Finds the columns of a profile in a layout; undefined if one is missing. */
export function numbersIn({ columns }: RowLayout, wanted: ChainColumns): ColumnNumbers | undefined {
  const at = (column: Column | undefined) => (column === undefined ? -1 : columnAt(columns, column));
  const { link, hash, group, sequence } = wanted;
  const all = [link, hash, group, sequence].filter((one) => one !== undefined);
  if (all.some((one) => at(one) === -1)) return undefined;
  return { link: at(link), hash: at(hash), group: at(group), sequence: at(sequence) };
}
