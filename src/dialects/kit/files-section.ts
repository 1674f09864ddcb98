import { countText } from '../../base/text/count.ts';
import type { WrittenFile } from './account.ts';
import { tableSection, type ViewSection, type ViewText, viewCell } from './state-view.ts';

const MOST_FILES = 15;

/** Below the table of a damaged log: why it may lack rows. The tokens above lack the same lines. */
export const lostLines = (lost: string): ViewText[] =>
  lost === '' ? [] : [{ text: lost, tone: 'muted', is_repeated: true }];

/** At most this many are named if there is no room for the table. */
const MOST_NAMED = 2;

/** How many files there are, and those that were edited most. */
function shortOf(files: readonly WrittenFile[]): string {
  const most = files.toSorted((a, b) => b.edits - a.edits).slice(0, MOST_NAMED);
  return `${countText(files.length)}: ${most.map(({ path }) => path).join(', ')}${files.length > most.length ? ', …' : ''}`;
}

/** The files that calls of a run wrote; those of a subagent with its name. `lost`: why there may be more. */
export function filesSection(files: readonly WrittenFile[], lost = ''): ViewSection[] {
  const hasParts = files.some(({ part }) => part !== undefined);
  const rows = files
    .slice(0, MOST_FILES)
    .map(({ path, edits, line, part }) => [
      viewCell(String(line), 'muted'),
      viewCell(String(edits)),
      ...(hasParts ? [viewCell(part, 'muted')] : []),
      viewCell(path),
    ]);
  const rest = files.length - MOST_FILES;
  const columns = ['LINE', 'EDITS', ...(hasParts ? ['BY'] : []), 'PATH'];
  const lines: ViewText[] = [
    ...(rest > 0 ? [{ text: `and ${rest} more`, tone: 'muted' as const }] : []),
    ...lostLines(lost),
  ];
  return tableSection('Files', columns, rows).map((section) => ({
    ...section,
    short: shortOf(files),
    ...(lines.length > 0 && { lines }),
  }));
}
