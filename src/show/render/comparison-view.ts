import { pushAll } from '../../base/files/push-all.ts';
import { writeJson } from '../../base/json/write.ts';
import { grouped } from '../../base/text/grouped.ts';
import type { Difference } from '../../findings/projection/difference.ts';
import type { Evidence } from '../../findings/projection/evidence.ts';
import type { Comparison, NotCompared } from '../../findings/projection/projector.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { plural } from './tally.ts';
import { hanging, wrap } from './wrap.ts';

/** Names for the compared documents. */
interface ComparisonViewOptions {
  readonly style: Style;
  readonly width: number;
  readonly log: string;
  readonly stored: string;
  /** The line up to which the log was read; undefined if all of it was. */
  readonly upTo?: number | undefined;
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : escapeText(writeJson(value)));

/** The part of the log that was read. */
const partOf = ({ upTo }: ComparisonViewOptions): string => (upTo === undefined ? '' : ` up to line ${upTo}`);

function differenceLines(difference: Difference, options: ComparisonViewOptions): string[] {
  const { style, width, log } = options;
  const { path, evidence, named_by: namedBy } = difference;
  const value = (label: string, content: unknown, paint: (text: string) => string) =>
    hanging(`  ${label.padEnd(14)}`, wrap(show(content), width - 16)).map(paint);
  const at = ({ line, eventId }: Evidence) =>
    `${escapeText(log)}:${line}${eventId === undefined ? '' : ` (event ${escapeText(eventId)})`}`;
  const source = evidence === undefined ? `no event of the log${partOf(options)} contains it` : at(evidence);
  return [
    style.bold(escapeText(path)),
    ...value('- stored', 'stored' in difference ? difference.stored : undefined, style.red),
    ...value('+ rebuilt', 'projected' in difference ? difference.projected : undefined, style.green),
    style.dim(`  evidence      ${source}`),
    ...(namedBy ? [style.dim(`  named         by ${at(namedBy)}, without a value`)] : []),
  ];
}

/** The parts that were not compared, grouped by reason. */
function notComparedLines(
  parts: readonly NotCompared[],
  { style, width, log }: ComparisonViewOptions,
): string[] {
  const byReason = grouped(parts, ({ reason, line }) =>
    line === undefined ? reason : `${reason}, ${log}:${line}`,
  );
  return [...byReason].flatMap(([why, same]) => {
    const paths = same.map(({ path }) => path).join(', ');
    return wrap(`not compared here: ${escapeText(paths)} (${escapeText(why)})`, width).map(style.yellow);
  });
}

/** Lists where a projection and the stored document differ, with the event behind each projected value. */
export function renderComparison(
  { differences, not_compared }: Comparison,
  options: ComparisonViewOptions,
): string {
  const { style, stored, width } = options;
  const lines = differences.flatMap((difference) => differenceLines(difference, options));
  pushAll(lines, notComparedLines(not_compared, options));
  const count = differences.length;
  const file = escapeText(stored);
  const equal =
    not_compared.length === 0
      ? `equal: ${file} matches the log${partOf(options)}`
      : `no differences in the parts that could be compared${partOf(options)}`;
  lines.push(
    count === 0
      ? wrap(equal, width).map(style.green).join('\n')
      : style.red(`${plural(count, 'difference')} between the log${partOf(options)} and ${file}`),
  );
  return `${lines.join('\n')}\n`;
}
