import type { WrittenFile } from './account.ts';
import { tableSection, type ViewSection, viewCell } from './state-view.ts';

const MOST_FILES = 15;

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
  const remarks = [...(rest > 0 ? [`and ${rest} more`] : []), ...(lost === '' ? [] : [lost])];
  return tableSection('Files', columns, rows).map((section) =>
    remarks.length === 0
      ? section
      : { ...section, lines: remarks.map((text) => ({ text, tone: 'muted' as const })) },
  );
}
