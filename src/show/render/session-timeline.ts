import { pushAll } from '../../base/files/push-all.ts';
import { grouped } from '../../base/text/grouped.ts';
import { costText } from '../../dialects/kit/prices.ts';
import type { Story } from '../../dialects/kit/story.ts';
import { belowText, lacksText, tokensToShow, totalText } from '../../dialects/kit/usage-words.ts';
import type { Pause, TimelineRow } from '../../read/describe/session-timeline.ts';
import type { TimeRange } from '../../read/describe/spans.ts';
import { escapeText } from './escape.ts';
import { turnsText } from './resume-words.ts';
import { copiedText, turnMark } from './story-words.ts';
import type { Style } from './style.ts';
import { timeTexts } from './time-of-run.ts';
import { NO_TIMES, Timeline, totalLines, waitedOf, waitsOf } from './timeline.ts';

interface SessionTimelineOptions {
  readonly width: number;
  readonly style: Style;
  readonly whole: TimeRange | undefined;
  /** When the session began, from which offsets count, as in `events`. In milliseconds since 1970. */
  readonly started: number | undefined;
  readonly gaps: readonly Pause[];
  /** The turns in which each model answered. */
  readonly models: ReadonlyMap<string, readonly number[]>;
  /** The session, with the tokens and the cost of its subagents. */
  readonly story: Pick<Story, 'time' | 'tokens' | 'lacks' | 'cost' | 'subagents' | 'parts' | 'copied'>;
}

/** The rows of a log of the session; a part has a name. */
interface TimelineGroup {
  readonly name?: string;
  readonly rows: readonly TimelineRow[];
}

/** Which part of the bars is the time of the model. */
const MODEL_ROW = 'the model has no row: it worked where a turn has no call below it';

/** Which turns had which model, if several answered. */
const modelsText = (models: SessionTimelineOptions['models']): string[] =>
  models.size < 2 ? [] : [[...models].map(([model, turns]) => `${model} in ${turnsText(turns)}`).join('; ')];

/** Where the time of a session went, and what it used and cost. */
const totalsOf = (
  { time, cost, copied, ...below }: SessionTimelineOptions['story'],
  whole: TimeRange | undefined,
  models: SessionTimelineOptions['models'],
) => {
  const tokens = tokensToShow(below);
  return (
    [
      ['Time', whole === undefined ? [NO_TIMES] : time === undefined ? [] : timeTexts(time)],
      ['', whole === undefined || time === undefined || time.model_ms === 0 ? [] : [MODEL_ROW]],
      ['Models', modelsText(models)],
      ['Tokens', tokens === undefined ? [] : [`${totalText({ ...below, tokens })}${belowText(below)}`]],
      ['', [lacksText(below.lacks)]],
      ['Cost', cost === undefined ? [] : [costText(cost)]],
      ['Copied', copied === undefined ? [] : [copiedText(copied)]],
    ] as const
  ).filter(([, parts]) => parts.some((part) => part !== ''));
};

/** Calls are indented below their turn. */
const nameOf = (row: TimelineRow): string =>
  row.kind === 'turn'
    ? [`${row.turn}.`, turnMark(row), row.name].filter((text) => text !== '').join(' ')
    : `${row.agent === undefined ? '  ' : '    '}${row.name}`;

/** When a row waited for a person. A turn waited where its calls did; the log does not say where it waited otherwise. */
function waitsIn(row: TimelineRow, calls: readonly TimelineRow[] = []): readonly TimeRange[] {
  const ofCalls = row.kind === 'turn' && waitedOf(row) !== '' ? calls.flatMap(waitsOf) : [];
  return ofCalls.length > 0 ? ofCalls : waitsOf(row);
}

/** The turns and calls of a session and its parts with bars, pauses folded, and where the time went. */
export function sessionTimelineText(
  groups: readonly TimelineGroup[],
  { width, style, whole, started, gaps, models, story }: SessionTimelineOptions,
): string {
  const lastLine = groups.flatMap(({ rows }) => rows).reduce((most, { line }) => Math.max(most, line), 0);
  const start = started ?? whole?.from;
  const hasWaits = groups.some(({ rows }) => rows.some((row) => waitedOf(row) !== ''));
  const timeline = new Timeline({
    width,
    style,
    whole,
    gaps,
    gapName: 'idle',
    start,
    lastLine,
    hasWaits,
    hasLongNames: true,
  });
  const rowLines = groups.flatMap(({ name, rows }) => {
    const calls = grouped(
      rows.filter(({ kind }) => kind === 'call'),
      ({ turn }) => turn,
    );
    return [
      ...(name === undefined || rows.length === 0 ? [] : [style.bold(escapeText(name))]),
      ...rows.flatMap((row) =>
        row.kind === 'damaged'
          ? timeline.note(row)
          : timeline.row({ ...row, name: nameOf(row) }, waitsIn(row, calls.get(row.turn))),
      ),
    ];
  });
  const lines = [timeline.header(), ...rowLines, ...timeline.end()];
  const totals = totalsOf(story, whole, models);
  if (totals.length > 0) lines.push('');
  for (const [label, parts] of totals) pushAll(lines, totalLines(label, parts, style, width));
  return `${lines.join('\n')}\n`;
}
