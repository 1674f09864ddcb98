import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import { type EventCheck, type LogEnd, type LoggedEvent, ReportingCheck } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { isOneOf, PHASES } from '../event/vocabulary.ts';
import { pendingAt } from './pending.ts';

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
      this.#checkEmpty(row, mirrored);
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
    this.#checkEmpty(logged, mirrored);
    if (this.#checkMirror(logged, mirrored, own)) return;
    const known = typeof origin === 'string' ? this.#intuitions.get(origin) : undefined;
    this.#checkCarried(logged, known, mirrored);
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

  /** Notes an empty list on the event. Some runtimes only fill the one in the payload. */
  #checkEmpty(logged: LoggedEvent, mirrored: JsonValue | undefined): void {
    const own = logged.event['evidence_ids'];
    if (!Array.isArray(own) || textsOf(own).length > 0 || textsOf(mirrored).length === 0) return;
    const message = 'evidence_ids is empty, but payload.evidence_ids, which mirrors it, is not';
    this.report.note(logged, { code: 'lineage/evidence', severity: 'info', message, path: ['evidence_ids'] });
  }

  /** Reports evidence of the intuition that its direction does not carry on. A direction without any list says nothing. */
  #checkCarried(
    logged: LoggedEvent,
    known: ReadonlySet<string> | undefined,
    mirrored: JsonValue | undefined,
  ): void {
    const own = logged.event['evidence_ids'];
    if (known === undefined || !(Array.isArray(own) || Array.isArray(mirrored))) return;
    const carried = new Set([...textsOf(own), ...textsOf(mirrored)]);
    const lost = [...known].filter((evidence) => !carried.has(evidence));
    if (lost.length === 0) return;
    const message = `the intuition that this direction follows cites ${lost.map(ticked).join(', ')}, and the direction does not`;
    const path = [...(Array.isArray(mirrored) ? ['payload'] : []), 'evidence_ids'];
    this.report.at(logged, { code: 'lineage/evidence', severity: 'info', message, path });
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
