import { formatDuration } from '../../base/time/duration.ts';
import type { Account, ToolUse } from '../../dialects/kit/account.ts';
import { tableSection, type ViewSection, viewCell } from '../../dialects/kit/state-view.ts';
import { placeText } from './tally.ts';
import { untimedText } from './waits.ts';

/** Calls by tool, with the time they took and the line of the last failed one. */
export function toolsOf({ tools = [] }: Pick<Account, 'tools'>): ViewSection[] {
  const failures = ({ failed, failed_line: line = 0, failed_part: part }: ToolUse): string =>
    failed === 0 ? '' : `${failed}, ${failed === 1 ? 'line' : 'last line'} ${placeText({ line, part })}`;
  const untimed = tools.reduce((sum, use) => sum + (use.untimed ?? 0), 0);
  const rows = tools.map((use) => [
    viewCell(String(use.calls)),
    viewCell(failures(use), 'bad'),
    viewCell(use.took_ms === 0 ? '' : formatDuration(use.took_ms), 'muted'),
    viewCell(use.tool, 'name'),
  ]);
  return tableSection('Tools', ['CALLS', 'FAILED', 'TOOK', 'TOOL'], rows).map((section) =>
    untimed === 0 ? section : { ...section, lines: [{ text: untimedText(untimed), tone: 'muted' }] },
  );
}
