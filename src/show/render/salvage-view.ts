import { salvageAccountOf } from '../../dialects/kit/lines-left-out.ts';
import type { SalvageEntry, SalvageSummary } from '../../write/salvage/account.ts';
import { escapeText } from './escape.ts';
import { plural } from './tally.ts';

const range = (from: number, to: number): string => `bytes ${from} to ${to}`;

function lineOf(entry: SalvageEntry, shown: (path: string) => string): string | undefined {
  switch (entry.kind) {
    case 'kept': {
      const { line, records, byteStart, byteEnd, source } = entry;
      return `kept      ${shown(source)}:${line}  ${plural(records, 'record')}, ${range(byteStart, byteEnd)}`;
    }
    case 'repaired': {
      const { line, byteStart, byteEnd, source, code, how } = entry;
      return `repaired  ${shown(source)}:${line}  ${range(byteStart, byteEnd)}, ${escapeText(how)} (${code})`;
    }
    case 'lost': {
      const { line, lines, byteStart, byteEnd, source, code, message } = entry;
      const upTo = lines === undefined ? '' : `to line ${line + lines - 1}, `;
      return `lost      ${shown(source)}:${line}  ${upTo}${range(byteStart, byteEnd)}, ${escapeText(message)} (${code})`;
    }
    default:
      return undefined;
  }
}

/** Prints what was kept, repaired and lost, one line per place. */
export function salvagedPlaces(entries: readonly SalvageEntry[], shown: (path: string) => string): string {
  return entries
    .flatMap((entry) => lineOf(entry, shown) ?? [])
    .map((line) => `${line}\n`)
    .join('');
}

/** The totals of a salvage. */
export function salvageSummary({ kept, repaired, lost, lostBytes, sealed }: SalvageSummary): string {
  const gone = lost === 0 ? 'nothing lost' : `${plural(lost, 'part')} lost (${plural(lostBytes, 'byte')})`;
  const seal = sealed ? '; the log matches its seal, which was kept' : '';
  return `${plural(kept + repaired, 'record')} kept, ${repaired} of them repaired; ${gone}${seal}\n`;
}

/**
 * The files that salvage made from a log, each on a line. `copy`: that of the log. The seal of a copy does not list what
 * salvage adds, so a sealed copy has no more files.
 */
export function salvagedFiles(
  { sealed }: Pick<SalvageSummary, 'sealed'>,
  copy: string,
  shown: (path: string) => string,
): string {
  const added = sealed
    ? []
    : [`rejected  ${shown(`${copy}.rejected`)}`, `account   ${shown(salvageAccountOf(copy))}`];
  return [`wrote     ${shown(copy)}`, ...added].map((line) => `${line}\n`).join('');
}
