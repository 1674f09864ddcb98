import { listed } from '../../../base/text/listed.ts';
import type { EventReporter, LogEnd } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { CauseCycles } from '../../kit/cause-cycles.ts';
import type { Rule } from '../../kit/rules.ts';
import { COLUMN } from '../event/rows.ts';

/** A `caused_by` whose event has not come yet. */
interface OpenCause {
  readonly line: number;
  /** The ordinal of the event's id, or -1 if it has none or is a duplicate. */
  readonly child: number;
  readonly cause: number;
  /** The finding in case the cause never comes; only kept for a limited number. */
  readonly draft: FindingDraft | undefined;
}

const DANGLING = {
  code: 'lineage/dangling-cause',
  message: 'caused_by names no event of this log',
} as const;

/** The ids and causes of a log. */
export class Causes {
  /** By the ordinal of an id: the line of its event, from 1, and the ordinal + 1 of its cause. */
  readonly #lines = new GrowingNumbers(Int32Array);
  readonly #parents = new GrowingNumbers(Int32Array);
  readonly #open: OpenCause[] = [];
  readonly #texts: TextIndex;
  /** The number of findings that are worth keeping whole. */
  readonly #limit: number;
  readonly #noId: number;
  #readLine = 0;
  /** Of the event that was read last: the ordinal of its id, or -1, and the line of the first event with it, or 0. */
  id = -1;
  firstLine = 0;
  /** The ordinal of its cause, or -1, and whether that has come. */
  cause = -1;
  isKnown = false;

  constructor(texts: TextIndex, limit: number) {
    this.#texts = texts;
    this.#limit = limit;
    this.#noId = texts.intern('');
  }

  /** Reads the next event, once. */
  read(row: Row): this {
    if (this.#readLine === row.line) return this;
    const { line } = row;
    this.#readLine = line;
    const id = row.ordinal(COLUMN.id);
    // An empty id names nothing.
    this.id = id === this.#noId ? -1 : id;
    this.firstLine = this.id < 0 ? 0 : this.#lines.get(this.id);
    this.cause = row.ordinal(COLUMN.cause);
    this.isKnown = this.cause >= 0 && this.#lines.get(this.cause) > 0;
    return this;
  }

  take(row: Row): void {
    const { id, firstLine, cause, isKnown } = this.read(row);
    if (id < 0 || firstLine > 0) return;
    this.#lines.set(id, row.line);
    this.#parents.set(id, isKnown ? cause + 1 : 0);
  }

  /** Whether no more findings are kept whole. */
  get isFull(): boolean {
    return this.#open.length >= this.#limit;
  }

  /** Keeps a cause that has not come yet. */
  keep(line: number, child: number, cause: number, draft: () => FindingDraft): void {
    const kept = this.isFull ? undefined : draft();
    this.#open.push({ line, child, cause, draft: kept });
  }

  /** The finding for a missing cause, with only its line if there were too many to keep. */
  #draftOf({ line, child, cause, draft }: OpenCause, file: string): FindingDraft {
    if (draft !== undefined) return draft;
    const eventId = child >= 0 && { eventId: this.#texts.textOf(child) };
    const actual = this.#texts.textOf(cause);
    return { ...DANGLING, file, line, path: 'caused_by', actual, ...eventId };
  }

  /** Reports the causes that came later or never. */
  settle(report: EventReporter, { whole }: LogEnd): void {
    for (const { child, cause } of this.#open) {
      if (child >= 0 && this.#lines.get(cause) > 0) this.#parents.set(child, cause + 1);
    }
    // Every cycle contains a cause that comes later, so the search starts from those.
    const cycles = new CauseCycles({ parentOf: (ordinal) => this.#parents.get(ordinal) - 1 });
    for (const open of this.#open) {
      const { child, cause } = open;
      const draft = () => this.#draftOf(open, report.file);
      const line = this.#lines.get(cause);
      if (line === 0) {
        if (whole) report.where(open.line, DANGLING.code, draft);
        continue;
      }
      const cycle = child < 0 ? undefined : cycles.cycleThrough(child);
      if (cycle === 'reported') continue;
      if (cycle === undefined) {
        const message = `caused_by names an event that comes later, on line ${line}`;
        const code = 'lineage/forward-cause';
        report.where(open.line, code, () => ({ ...draft(), code, message }));
      } else report.report({ ...draft(), code: 'lineage/cycle', message: this.#cycleText(cycle) });
    }
  }

  #cycleText(cycle: readonly number[]): string {
    const lines = cycle.map((ordinal) => this.#lines.get(ordinal)).sort((a, b) => a - b);
    if (lines.length === 1) return 'the event names itself as its cause';
    return `the causes form a cycle of the events on lines ${listed(lines, 8)}`;
  }
}

/** The rules for ids and causes (noesis.md §4). */
export const CAUSE_RULES: Readonly<Record<string, Rule<Row, { readonly causes: Causes }>>> = {
  'an id occurs once'(row, { causes }) {
    const { id, firstLine } = causes.read(row);
    if (firstLine === 0) return undefined;
    const message = `the id is already on line ${firstLine}; readers take the first`;
    return { code: 'event/duplicate-id', message, path: ['id'], actual: row.texts.textOf(id) };
  },

  'a cause is an earlier event'(row, { causes }) {
    const { id, firstLine, cause, isKnown } = causes.read(row);
    if (cause < 0 || isKnown) return undefined;
    const { line } = row;
    const child = firstLine > 0 ? -1 : id;
    return {
      ...DANGLING,
      path: ['caused_by'],
      // A log may have a million of these, and decoding a text takes longer than all else.
      ...(!causes.isFull && { actual: row.texts.textOf(cause) }),
      keep: (draft) => causes.keep(line, child, cause, draft),
    };
  },
};
