import { atLeastCell, countText } from '../../base/text/count.ts';
import { formatDuration } from '../../base/time/duration.ts';
import type { Account, ToolUse } from '../../dialects/kit/account.ts';
import { failedCell, ownFailures } from '../../dialects/kit/failed-calls.ts';
import { lostLines } from '../../dialects/kit/files-section.ts';
import { tableSection, type ViewSection, type ViewText, viewCell } from '../../dialects/kit/state-view.ts';
import type { Lacks } from '../../dialects/kit/tokens.ts';
import type { LogAccount } from '../../read/describe/gathering.ts';
import { placeText, withFailed } from './tally.ts';
import { untimedText } from './waits.ts';

/** The damaged lines of a log, and of the logs of its parts. */
export const lostIn = ({ usage, lacks, skipped }: Pick<LogAccount, 'usage' | 'lacks' | 'skipped'>): Lacks =>
  usage?.lacks ?? lacks ?? (skipped && skipped.count > 0 ? { lines: skipped.count } : {});

/** At most this many are named if there is no room for the table. */
const MOST_NAMED = 3;

/** How many calls the tools had that were used most, and how many of those did not succeed. */
function shortOf(tools: readonly ToolUse[]): string {
  const most = tools.toSorted((a, b) => b.calls - a.calls).slice(0, MOST_NAMED);
  const texts = most.map((use) => `${use.tool} (${withFailed(use.calls, 'call', use)})`);
  return `${countText(tools.length)}: ${texts.join(', ')}${tools.length > most.length ? ', …' : ''}`;
}

/** Calls by tool, with the time they took and the line of the last failed one. `lost`: why there may be more calls. */
export function toolsOf({ tools = [] }: Pick<Account, 'tools'>, lost = ''): ViewSection[] {
  const lastFailed = ({ failed, failed_line: line = 0, failed_part: part }: ToolUse): string =>
    failed === 0 ? '' : placeText({ line, part });
  const untimed = tools.reduce((sum, use) => sum + (use.untimed ?? 0), 0);
  const rows = tools.map((use) => [
    viewCell(atLeastCell(lost !== '', countText(use.calls))),
    { ...viewCell(failedCell(use), 'bad'), brief: ownFailures(use) },
    viewCell(lastFailed(use), 'muted'),
    viewCell(
      use.took_ms === 0 ? '' : atLeastCell(use.is_minimum === true, formatDuration(use.took_ms)),
      'muted',
    ),
    viewCell(use.tool, 'name'),
  ]);
  const lines: ViewText[] = [
    ...(untimed === 0 ? [] : [{ text: untimedText(untimed), tone: 'muted' as const }]),
    ...lostLines(lost),
  ];
  return tableSection('Tools', ['CALLS', 'FAILED', 'LAST LINE', 'TOOK', 'TOOL'], rows, {
    spare: ['TOOK'],
  }).map((section) => ({
    ...section,
    short: shortOf(tools),
    ...(lines.length > 0 && { lines }),
  }));
}
