import type { TimeOfRun } from '../../dialects/kit/account.ts';
import type { TimelineRow } from '../../read/describe/session-timeline.ts';
import type { TimeRange } from '../../read/describe/spans.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { timeText } from './time-of-run.ts';
import { Timeline } from './timeline.ts';
import { hanging, wrap } from './wrap.ts';

interface SessionTimelineOptions {
  readonly width: number;
  readonly style: Style;
  readonly whole: TimeRange | undefined;
  readonly gaps: readonly TimeRange[];
  readonly time: TimeOfRun | undefined;
}

/** The rows of a log of the session; a part has a name. */
interface TimelineGroup {
  readonly name?: string;
  readonly rows: readonly TimelineRow[];
}

/** The turns and calls of a session and its parts with bars, pauses folded, and where the time went. */
export function sessionTimelineText(
  groups: readonly TimelineGroup[],
  { width, style, whole, gaps, time }: SessionTimelineOptions,
): string {
  const lastLine = groups.flatMap(({ rows }) => rows).reduce((most, { line }) => Math.max(most, line), 0);
  const start = whole?.from;
  const timeline = new Timeline({ width, style, whole, gaps, start, lastLine, hasLongNames: true });
  const rowLines = groups.flatMap(({ name, rows }) => [
    ...(name === undefined || rows.length === 0 ? [] : [style.bold(escapeText(name))]),
    ...rows.flatMap((row) => timeline.row(row, row.depth)),
  ]);
  const lines = [timeline.header(), ...rowLines, ...timeline.end()];
  if (time !== undefined)
    lines.push('', ...hanging(`${style.bold('Time')}  `, wrap(timeText(time), width - 6), '      '));
  return `${lines.join('\n')}\n`;
}
