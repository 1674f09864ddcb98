import { type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { CauseCycles } from '../../kit/cause-cycles.ts';
import { COLUMN } from '../event/rows.ts';
import { pendingAt } from './pending.ts';

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

/** Checks ids and causes (noesis.md §4). */
export class LineageCheck extends ReportingCheck {
  /** By the ordinal of an id: the line of its event, from 1, and the ordinal + 1 of its cause. */
  readonly #lines = new GrowingNumbers(Int32Array);
  readonly #parents = new GrowingNumbers(Int32Array);
  readonly #open: OpenCause[] = [];
  #texts: TextIndex | undefined;
  #noId = -1;

  row(row: Row): void {
    const { texts } = row;
    if (this.#texts === undefined) {
      this.#texts = texts;
      // An empty id names nothing: it is event/missing-field.
      this.#noId = texts.intern('');
    }
    const cause = row.ordinal(COLUMN.cause);
    const isKnown = cause >= 0 && this.#lines.get(cause) > 0;
    const id = row.ordinal(COLUMN.id);
    const child = id < 0 || id === this.#noId ? -1 : this.#identify(row, id, isKnown ? cause : -1);
    if (cause < 0 || isKnown) return;
    const draft = this.#open.length < this.report.limit ? this.#draftAt(row, texts.textOf(cause)) : undefined;
    this.#open.push({ line: row.line, child, cause, draft });
  }

  /** The finding for the cause of the last record, if that has not come yet. */
  pendingAt(line: number): readonly FindingDraft[] {
    return pendingAt(this.#open, line);
  }

  /** The finding for a missing cause of the current record. Not a spread, which V8 makes slow for many records. */
  #draftAt(row: Row, actual: string): FindingDraft {
    const { code, message } = DANGLING;
    return this.report.draft(row, { code, message, path: ['caused_by'], actual });
  }

  /** The finding for a missing cause, with only its line if there were too many to keep. */
  #draftOf({ line, child, cause, draft }: OpenCause, texts: TextIndex): FindingDraft {
    if (draft !== undefined) return draft;
    const eventId = child >= 0 && { eventId: texts.textOf(child) };
    const actual = texts.textOf(cause);
    return { ...DANGLING, file: this.report.file, line, path: 'caused_by', actual, ...eventId };
  }

  end({ whole }: LogEnd): void {
    const texts = this.#texts;
    if (texts === undefined) return;
    for (const { child, cause } of this.#open) {
      if (child >= 0 && this.#lines.get(cause) > 0) this.#parents.set(child, cause + 1);
    }
    // Every cycle contains a cause that comes later, so the search starts from those.
    const cycles = new CauseCycles({ parentOf: (ordinal) => this.#parents.get(ordinal) - 1 });
    for (const open of this.#open) {
      const { child, cause } = open;
      const line = this.#lines.get(cause);
      if (line === 0) {
        if (whole) this.report.where(open.line, DANGLING.code, () => this.#draftOf(open, texts));
        continue;
      }
      const cycle = child < 0 ? undefined : cycles.cycleThrough(child);
      if (cycle === 'reported') continue;
      if (cycle === undefined) {
        const message = `caused_by names an event that comes later, on line ${line}`;
        const code = 'lineage/forward-cause';
        this.report.where(open.line, code, () => ({ ...this.#draftOf(open, texts), code, message }));
      } else {
        const lines = cycle.map((ordinal) => this.#lines.get(ordinal)).sort((a, b) => a - b);
        const shown =
          lines.length > 8
            ? `${lines.slice(0, 8).join(', ')} and ${lines.length - 8} more`
            : lines.join(', ');
        const message =
          lines.length === 1
            ? 'the event names itself as its cause'
            : `the causes form a cycle of the events on lines ${shown}`;
        this.report.report({ ...this.#draftOf(open, texts), code: 'lineage/cycle', message });
      }
    }
  }

  /** Adds an id. Returns its ordinal, or -1 for a duplicate. */
  #identify(row: Row, id: number, parent: number): number {
    const first = this.#lines.get(id);
    if (first === 0) {
      this.#lines.set(id, row.line);
      this.#parents.set(id, parent + 1);
      return id;
    }
    const message = `the id is already on line ${first}; readers take the first`;
    this.report.at(row, { code: 'event/duplicate-id', message, path: ['id'], actual: row.texts.textOf(id) });
    return -1;
  }
}
