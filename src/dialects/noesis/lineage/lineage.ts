import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import { type EventCheck, type LogEnd, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { GrowingNumbers } from '../../../log/growing-numbers.ts';
import type { Row } from '../../../log/row.ts';
import type { TextIndex } from '../../../log/text-index.ts';
import { CauseCycles } from '../../kit/cause-cycles.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { isOneOf, PHASES } from '../event/vocabulary.ts';

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

/** The findings of open causes or references in the record on `line`, which is the last one. */
function pendingAt(
  open: readonly { readonly line: number; readonly draft: FindingDraft | undefined }[],
  line: number,
): FindingDraft[] {
  const first = open.findLastIndex((one) => one.line !== line) + 1;
  return open.slice(first).flatMap(({ draft }) => draft ?? []);
}

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

/** `event:<phase>:<n>` names the n-th event of a phase, from 1. */
interface Reference {
  readonly text: string;
  readonly phase: string;
  readonly n: number;
}

const REFERENCE = /^event:([^:]+):(\d{1,15})$/;

function referenceIn(text: JsonValue): Reference | undefined {
  const found = typeof text === 'string' ? REFERENCE.exec(text) : null;
  if (found === null) return undefined;
  const [whole, phase = '', n = ''] = found;
  return { text: whole, phase, n: Number(n) };
}

/** A reference whose event has not come yet. `draft` is only kept for a limited number. */
interface OpenReference {
  readonly reference: Reference;
  readonly line: number;
  readonly message: string;
  readonly draft: FindingDraft | undefined;
}

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

/** Checks references other than causes: evidence, and a directive's intuition (noesis.md §4). */
export class ReferenceCheck extends ReportingCheck {
  /** The number of events per phase. */
  readonly #counts = new Map<string, number>();
  readonly #countsByType: number[] = [];
  /** The evidence of each intuition, by event id. */
  readonly #intuitions = new Map<string, ReadonlySet<string>>();
  /** Collects the intuitions that a direction may refer to. */
  readonly origins: EventCheck = {
    types: new Set([PHASE.intuition]),
    row: (row) => {
      const { event, id } = row;
      const { payload, evidence_ids: own } = event;
      if (id === undefined) return;
      const mirrored = isObject(payload) ? payload['evidence_ids'] : undefined;
      const cited = textsOf(mirrored);
      this.#checkMirror(row, mirrored, textsOf(own));
      this.#intuitions.set(id, new Set([...textsOf(own), ...cited]));
    },
  };
  readonly #open: OpenReference[] = [];

  /** The findings for references of the last record to events that have not come yet. */
  pendingAt(line: number): readonly FindingDraft[] {
    return pendingAt(
      this.#open.filter(({ reference }) => !this.#resolves(reference)),
      line,
    );
  }

  row(row: Row): void {
    this.#count(row);
    // Most lists are empty; do not parse those events.
    const own = row.isFilled(COLUMN.evidence) ? row.value(COLUMN.evidence) : undefined;
    if (Array.isArray(own)) this.#checkEvidence(row, own);
    if (row.type !== PHASE.direction) return;
    const { payload } = row.event;
    if (isObject(payload)) this.#checkDirection(row, payload);
  }

  #count(row: Row): void {
    if (row.type < PHASES.length) {
      this.#countsByType[row.type] = (this.#countsByType[row.type] ?? 0) + 1;
      return;
    }
    const phase = row.text(COLUMN.phase);
    if (phase !== undefined) this.#counts.set(phase, (this.#counts.get(phase) ?? 0) + 1);
  }

  #countOf(phase: string): number {
    return (isOneOf(PHASES, phase) ? this.#countsByType[PHASE[phase]] : this.#counts.get(phase)) ?? 0;
  }

  #checkEvidence(row: Row, own: readonly JsonValue[]): void {
    for (const [index, text] of own.entries()) {
      const reference = referenceIn(text);
      if (reference === undefined || this.#resolves(reference)) continue;
      const { text: actual } = reference;
      const message = `${ticked(actual)} names no event: the log has fewer events of that phase`;
      const remark = { code: 'lineage/evidence', message, path: ['evidence_ids', index], actual } as const;
      const draft = this.#open.length < this.report.limit ? this.report.draft(row, remark) : undefined;
      this.#open.push({ reference, line: row.line, message, draft });
    }
  }

  #checkDirection(logged: Row, payload: JsonObject): void {
    const { evidence_ids: mirrored, intuition_event_id: origin } = payload;
    const own = textsOf(logged.event['evidence_ids']);
    if (typeof origin === 'string') this.#checkOrigin(logged, origin);
    // Some runtimes leave the event's list empty.
    if (Array.isArray(logged.event['evidence_ids']) && own.length === 0 && textsOf(mirrored).length > 0) {
      const message = 'evidence_ids is empty, but payload.evidence_ids, which mirrors it, is not';
      const path = ['evidence_ids'];
      this.report.note(logged, { code: 'lineage/evidence', severity: 'info', message, path });
    }
    if (this.#checkMirror(logged, mirrored, own)) return;
    const known = typeof origin === 'string' ? this.#intuitions.get(origin) : undefined;
    const inPayload = textsOf(mirrored).length > 0;
    for (const [index, evidence] of (inPayload ? textsOf(mirrored) : own).entries()) {
      if (known === undefined || known.has(evidence)) continue;
      const message = `the intuition that this direction follows does not cite ${ticked(evidence)}`;
      const path = [...(inPayload ? ['payload'] : []), 'evidence_ids', index];
      this.report.at(logged, {
        code: 'lineage/evidence',
        message,
        path,
        actual: evidence,
        severity: 'info',
      });
    }
  }

  /** Reports a list of evidence in the payload that differs from that of the event, which it mirrors. */
  #checkMirror(logged: Row, mirrored: JsonValue | undefined, own: readonly string[]): boolean {
    const differs = Array.isArray(mirrored) && own.length > 0 && !jsonEqual(mirrored, own);
    if (differs) {
      const message = 'payload.evidence_ids and evidence_ids differ; the first mirrors the second';
      this.report.at(logged, { code: 'lineage/evidence', message, path: ['payload', 'evidence_ids'] });
    }
    return differs;
  }

  #checkOrigin(logged: Row, origin: string): void {
    if (!this.#intuitions.has(origin)) {
      const message = 'payload.intuition_event_id names no earlier intuition event';
      const path = ['payload', 'intuition_event_id'];
      this.report.ifWhole.at(logged, { code: 'lineage/broken-link', message, path, actual: origin });
    }
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    for (const { reference, line, message, draft } of this.#open) {
      if (this.#resolves(reference)) continue;
      if (draft) this.report.report(draft);
      else this.report.onLine(line, undefined, { code: 'lineage/evidence', message, actual: reference.text });
    }
  }

  #resolves({ phase, n }: Reference): boolean {
    return n >= 1 && n <= this.#countOf(phase);
  }
}
