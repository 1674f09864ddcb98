import type { Finding, Severity } from '../../findings/finding.ts';
import type { OmittedFindings } from '../../findings/report.ts';
import { SEVERITIES } from '../../findings/severity.ts';

/** The number of files, and of line ranges per file, that are listed. */
const NAMED = 6;

/** Collects line ranges, up to the number that is listed. */
class LineRanges {
  readonly #ranges: { from: number; to: number }[] = [];
  #full = false;

  add(line: number): void {
    if (this.#full) return;
    const last = this.#ranges.at(-1);
    if (last !== undefined && line >= last.from && line <= last.to + 1) last.to = Math.max(last.to, line);
    else if (this.#ranges.length <= NAMED) this.#ranges.push({ from: line, to: line });
    else this.#full = true;
  }

  /** `12-40`, `57`, and `…` if there are more. */
  texts(): string[] {
    const texts = this.#ranges.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`));
    return texts.length > NAMED ? [...texts.slice(0, NAMED), '…'] : texts;
  }
}

/** Summarises the places of any number of findings. */
export class Places {
  readonly #files = new Map<string, LineRanges>();
  #more = false;

  add({ file, line }: Finding): void {
    let ranges = this.#files.get(file);
    if (ranges === undefined) {
      if (this.#files.size > NAMED) return;
      ranges = new LineRanges();
      this.#files.set(file, ranges);
    }
    if (line !== undefined) ranges.add(line);
  }

  /** Notes that there are more findings at unknown places. */
  addMore(): void {
    this.#more = true;
  }

  /** `lines 12-40, 57, …` for one file, else `a.jsonl 3-5; b.json; …`. */
  toString(): string {
    const text = this.#named();
    if (!this.#more || text.endsWith('…')) return text;
    return text === '' ? '…' : `${text}, …`;
  }

  #named(): string {
    const [only] = this.#files.values();
    const ranges = this.#files.size === 1 && only !== undefined ? only.texts() : [];
    if (ranges.length > 0) {
      return `${ranges.length === 1 && !ranges[0]?.includes('-') ? 'line' : 'lines'} ${ranges.join(', ')}`;
    }
    const texts = [...this.#files]
      .slice(0, NAMED)
      .map(([file, lines]) => [file, lines.texts().join(', ')].join(' ').trim());
    return [...texts, ...(this.#files.size > NAMED ? ['…'] : [])].join('; ');
  }
}

/** The number of findings per code and severity that are shown in full. */
const SHOWN_IN_FULL = 3;

/** Further findings of a code and severity: their number and places. */
interface Rest {
  readonly kind: 'more';
  readonly code: string;
  readonly severity: Severity;
  count: number;
  readonly places: Places;
}

/** A finding shown in full, or a row for further ones like it. */
export type Entry = { readonly kind: 'finding'; readonly finding: Finding } | Rest;

/**
 * Folds findings of equal code and severity. The row for the rest follows the last one shown. Errors first,
 * then warnings, then infos; otherwise the order is kept. Needs memory only for its result.
 */
export function fold(findings: Iterable<Finding>, omitted: readonly OmittedFindings[] = []): Entry[] {
  const groups = new Map<string, { shown: number; readonly rest: Rest }>();
  const entries: Record<Severity, Entry[]> = { error: [], warn: [], info: [] };
  const groupOf = ({ code, severity }: Pick<Finding, 'code' | 'severity'>) => {
    const key = `${severity} ${code}`;
    let group = groups.get(key);
    if (group === undefined) {
      group = { shown: 0, rest: { kind: 'more', code, severity, count: 0, places: new Places() } };
      groups.set(key, group);
    }
    return group;
  };
  for (const finding of findings) {
    const { severity } = finding;
    const group = groupOf(finding);
    if (group.shown === SHOWN_IN_FULL) {
      group.rest.count += 1;
      group.rest.places.add(finding);
      continue;
    }
    group.shown += 1;
    entries[severity].push({ kind: 'finding', finding });
    if (group.shown === SHOWN_IN_FULL) entries[severity].push(group.rest);
  }
  for (const more of omitted) {
    const { shown, rest } = groupOf(more);
    rest.count += more.count;
    rest.places.addMore();
    if (shown < SHOWN_IN_FULL) entries[more.severity].push(rest);
  }
  return SEVERITIES.flatMap((severity) => entries[severity]).filter(
    (entry) => entry.kind === 'finding' || entry.count > 0,
  );
}
