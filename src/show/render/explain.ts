import { grouped } from '../../base/text/grouped.ts';
import { docsUrl } from '../../base/version.ts';
import { FAMILIES, isHard } from '../../findings/catalogue/index.ts';
import { pageOfCode, variations } from '../../findings/catalogue/page.ts';
import type { CatalogueEntry } from '../../findings/catalogue-entry.ts';
import { familyOf } from './stage-of.ts';
import { type Style, severityPaint } from './style.ts';
import { displayWidth, truncateToWidth } from './width.ts';
import { wrap } from './wrap.ts';

export interface ExplainOptions {
  readonly style: Style;
  /** The width of the terminal; Infinity: do not wrap. */
  readonly width: number;
}

const INDENT = '  ';

/** Paints text between backticks, also across line breaks. */
function paintCode(lines: readonly string[], { cyan }: Style): string[] {
  let inside = false;
  const paint = (part: string, index: number): string => {
    if (index > 0) inside = !inside;
    return inside && part !== '' ? cyan(part) : part;
  };
  return lines.map((line) => line.split('`').map(paint).join('`'));
}

/** Keeps the lines of an example, and the indentation of lines that fit. */
function exampleLines(example: string, width: number): string[] {
  return example.split('\n').flatMap((line) => (displayWidth(line) <= width ? [line] : wrap(line, width)));
}

/** Explains a severity that can vary or cannot be lowered, one line per severity. */
function severitySection({ code, severity, varies }: CatalogueEntry): string[] {
  const hard = isHard(code) ? ['No rule can lower it.'] : [];
  if (varies === undefined) return hard.length === 0 ? [] : [severity, ...hard];
  return [severity, ...variations(varies).map(([other, when]) => `${other} ${when}`.trim()), ...hard];
}

/** Describes a finding code for a terminal; ends with a newline. */
export function renderExplain(entry: CatalogueEntry, { style, width }: ExplainOptions): string {
  const { code, severity, meaning, why, example, fix } = entry;
  const room = width - INDENT.length;
  const section = (title: string, lines: readonly string[]): string[] => [
    '',
    style.bold(title),
    ...lines.map((line) => INDENT + line),
  ];
  const prose = (text: string): string[] => paintCode(wrap(text, room), style);
  const severities = severitySection(entry);
  const lines = [
    ...wrap(`${severity}[${code}]`, width).map((line) => style.bold(severityPaint(style, severity)(line))),
    ...paintCode(wrap(meaning, width), style),
    ...(severities.length === 0 ? [] : section('Severity', severities.flatMap(prose))),
    ...section('Why', prose(why)),
    ...section('Example', exampleLines(example, room)),
    ...section('What to do', prose(fix)),
    ...section('Page', wrap(docsUrl + pageOfCode(code).replace(/#.*$/, ''), room)),
  ];
  return `${lines.join('\n')}\n`;
}

/** Lists every code with severity and meaning, by family; ends with a newline. */
export function renderCatalogueList(
  catalogue: readonly CatalogueEntry[],
  { style, width }: ExplainOptions,
): string {
  const column = Math.max(0, ...catalogue.map(({ code }) => code.length));
  const line = ({ code, severity, meaning }: CatalogueEntry): string => {
    const left = `${INDENT}${code.padEnd(column)}  ${severity.padEnd(5)}  `;
    if (left.length >= width) return truncateToWidth(left.trimEnd(), width);
    const paint = severityPaint(style, severity);
    const painted = `${INDENT}${code.padEnd(column)}  ${paint(severity.padEnd(5))}  `;
    return painted + truncateToWidth(meaning, width - left.length);
  };
  const group = (family: string, entries: readonly CatalogueEntry[]): string => {
    const about = FAMILIES.get(family);
    const title = truncateToWidth(about === undefined ? family : `${family}: ${about}`, width);
    return [style.bold(title), ...entries.map(line)].join('\n');
  };
  const groups = [...grouped(catalogue, ({ code }) => familyOf(code))].map(([family, entries]) =>
    group(family, entries),
  );
  return `${groups.join('\n\n')}\n`;
}
