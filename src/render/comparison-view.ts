import { writeJson } from '../json/write.ts';
import type { Difference } from '../projection/difference.ts';
import type { Comparison } from '../projection/projector.ts';
import { escapeText } from './escape.ts';
import type { Style } from './style.ts';
import { wrap } from './wrap.ts';

/** What the comparison is between, for its words. */
export interface ComparisonViewOptions {
  readonly style: Style;
  readonly width: number;
  /** The names of the log and of the stored document. */
  readonly log: string;
  readonly stored: string;
}

const show = (value: unknown): string => (value === undefined ? 'nothing' : escapeText(writeJson(value)));

function differenceLines(difference: Difference, { style, width, log }: ComparisonViewOptions): string[] {
  const { path, evidence } = difference;
  const value = (label: string, content: unknown, paint: (text: string) => string) =>
    wrap(show(content), width - 16).map((line, index) =>
      paint(`  ${(index === 0 ? label : '').padEnd(14)}${line}`),
    );
  const source =
    evidence === undefined
      ? 'no event of the log tells of it'
      : `${log}:${evidence.line}${evidence.eventId === undefined ? '' : ` (event ${escapeText(evidence.eventId)})`}`;
  return [
    style.bold(escapeText(path)),
    ...value('- stored', 'stored' in difference ? difference.stored : undefined, style.red),
    ...value('+ projected', 'projected' in difference ? difference.projected : undefined, style.green),
    style.dim(`  evidence      ${source}`),
  ];
}

/** Where a projection and the stored document differ, each with the event that the projected value comes from. */
export function renderComparison(
  { differences, underivable }: Comparison,
  options: ComparisonViewOptions,
): string {
  const { style, stored, width } = options;
  const lines = differences.flatMap((difference) => differenceLines(difference, options));
  if (underivable.length > 0) {
    lines.push(
      ...wrap(`not derivable, as this log holds no evidence for it: ${underivable.join(', ')}`, width).map(
        style.yellow,
      ),
    );
  }
  const count = differences.length;
  lines.push(
    count === 0
      ? style.green(`equal: ${escapeText(stored)} holds what the log gives`)
      : style.red(`${count} difference${count === 1 ? '' : 's'} between the log and ${escapeText(stored)}`),
  );
  return `${lines.join('\n')}\n`;
}
