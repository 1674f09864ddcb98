import type { WrittenFile } from './account.ts';
import { tableSection, type ViewSection, viewCell } from './state-view.ts';

const MOST_FILES = 15;

/** The files that calls of a run wrote; those of a subagent with its name. */
export function filesSection(files: readonly WrittenFile[]): ViewSection[] {
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
  return tableSection('Files', columns, rows).map((section) =>
    rest > 0 ? { ...section, lines: [{ text: `and ${rest} more`, tone: 'muted' }] } : section,
  );
}
