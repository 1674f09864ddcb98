import type { SalvageEntry, SalvageSummary } from '../write/salvage/account.ts';
import { escapeText } from './escape.ts';
import { plural } from './words.ts';

const range = (from: number, to: number): string => `bytes ${from} to ${to}`;

function lineOf(entry: SalvageEntry, shown: (path: string) => string): string | undefined {
  switch (entry.kind) {
    case 'kept': {
      const { line, records, byteStart, byteEnd, source } = entry;
      return `kept      ${shown(source)}:${line}  ${plural(records, 'record')}, ${range(byteStart, byteEnd)}`;
    }
    case 'repaired': {
      const { line, byteStart, byteEnd, source, code, how } = entry;
      return `repaired  ${shown(source)}:${line}  ${code}: ${escapeText(how)}, ${range(byteStart, byteEnd)}`;
    }
    case 'lost': {
      const { line, byteStart, byteEnd, source, code, message } = entry;
      return `lost      ${shown(source)}:${line}  ${code}: ${escapeText(message)}, ${range(byteStart, byteEnd)}`;
    }
    default:
      return undefined;
  }
}

/** What salvaging kept, repaired and lost, a line each, and in all. */
export function salvageText(
  entries: readonly SalvageEntry[],
  { kept, repaired, lost, lostBytes, sealed }: SalvageSummary,
  shown: (path: string) => string,
): string {
  const lines = entries.flatMap((entry) => lineOf(entry, shown) ?? []);
  const gone = lost === 0 ? 'nothing lost' : `${plural(lost, 'place')} lost (${plural(lostBytes, 'byte')})`;
  const seal = sealed ? '; the log is the one that was sealed, and its seal was kept' : '';
  const all = `${plural(kept + repaired, 'record')} kept, ${repaired} of them repaired; ${gone}${seal}`;
  return [...lines, all].map((line) => `${line}\n`).join('');
}
