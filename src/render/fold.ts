import type { Finding } from '../verify/finding.ts';

/** How many findings of one code and severity are shown in full. */
export const SHOWN_IN_FULL = 3;

const RANGES = 6;

/** What an episode's findings come down to: some in full, and the like of the third in one row. */
export type Entry =
  | { readonly kind: 'finding'; readonly finding: Finding }
  | {
      readonly kind: 'more';
      readonly code: string;
      readonly severity: Finding['severity'];
      readonly rest: readonly Finding[];
    };

/** Folds findings that are equal in code and severity; the row of the rest follows the last one shown. */
export function fold(findings: readonly Finding[]): Entry[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity} ${finding.code}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [finding]);
    else group.push(finding);
  }
  const entries: Entry[] = [];
  const seen = new Map<string, number>();
  for (const finding of findings) {
    const { code, severity } = finding;
    const key = `${severity} ${code}`;
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    if (count <= SHOWN_IN_FULL) entries.push({ kind: 'finding', finding });
    if (count !== SHOWN_IN_FULL) continue;
    const rest = groups.get(key)?.slice(SHOWN_IN_FULL) ?? [];
    if (rest.length > 0) entries.push({ kind: 'more', code, severity, rest });
  }
  return entries;
}

function lineRanges(lines: readonly number[]): string[] {
  const ranges: { from: number; to: number }[] = [];
  for (const line of lines) {
    const last = ranges.at(-1);
    if (last !== undefined && line >= last.from && line <= last.to + 1) last.to = Math.max(last.to, line);
    else if (ranges.length <= RANGES) ranges.push({ from: line, to: line });
    else break;
  }
  const texts = ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
  return texts.length > RANGES ? [...texts.slice(0, RANGES), '…'] : texts;
}

/** Where findings are: `lines 12-40, 57, …` when they share a file, else `a.jsonl 3-5; b.json; …`. */
export function placesOf(findings: readonly Finding[]): string {
  const files = new Map<string, number[]>();
  for (const { file, line } of findings) {
    const lines = files.get(file) ?? [];
    if (line !== undefined) lines.push(line);
    files.set(file, lines);
  }
  const [only] = files.values();
  if (files.size === 1 && only !== undefined && only.length > 0) {
    const ranges = lineRanges(only);
    return `${ranges.length === 1 && !ranges[0]?.includes('-') ? 'line' : 'lines'} ${ranges.join(', ')}`;
  }
  const texts = [...files]
    .slice(0, RANGES)
    .map(([file, lines]) => [file, lineRanges(lines).join(', ')].join(' ').trim());
  return [...texts, ...(files.size > RANGES ? ['…'] : [])].join('; ');
}
