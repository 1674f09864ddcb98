import type { EventCheck, EventReporter, LogEnd, LoggedEvent } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../json/value.ts';
import { CauseCircles } from '../../cause-circles.ts';
import type { IdRegistry, Ledger } from '../ledger.ts';

/** A `caused_by` that named no record so far. */
interface OpenCause {
  readonly line: number;
  /** The ordinal of the event itself, or -1 where it has no id. */
  readonly child: number;
  readonly cause: string;
  /** The remark to make if none comes, with its place: of so many as are kept. */
  readonly draft: FindingDraft | undefined;
}

const DANGLING = {
  code: 'lineage/dangling-cause',
  message: 'caused_by names no event of this log',
} as const;

/** Ids and causes (noesis.md §4). */
export class LineageCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #ids: IdRegistry;
  readonly #open: OpenCause[] = [];

  constructor(report: EventReporter, { ids }: Ledger) {
    this.#report = report;
    this.#ids = ids;
  }

  event(logged: LoggedEvent): void {
    const { event, id, line } = logged;
    const cause = event['caused_by'];
    const parent = typeof cause === 'string' ? this.#ids.find(cause) : -1;
    // An empty id names nothing: it is event/missing-field.
    const child = id === undefined || id === '' ? -1 : this.#identify(logged, id, parent);
    if (typeof cause !== 'string' || parent >= 0) return;
    const remark = { ...DANGLING, path: ['caused_by'], actual: cause };
    const draft = this.#open.length < this.#report.limit ? this.#report.draft(logged, remark) : undefined;
    this.#open.push({ line, child, cause, draft });
  }

  /** The remark about an open cause; where too many are open for their places to be kept, with its line alone. */
  #draftOf({ line, child, cause, draft }: OpenCause): FindingDraft {
    if (draft !== undefined) return draft;
    const eventId = child >= 0 && { eventId: this.#ids.idOf(child) };
    return { ...DANGLING, file: this.#report.file, line, path: 'caused_by', actual: cause, ...eventId };
  }

  end({ whole }: LogEnd): void {
    for (const { child, cause } of this.#open) {
      if (child >= 0) this.#ids.setParent(child, Math.max(-1, this.#ids.find(cause)));
    }
    // Without a cause that comes later there is no cycle: it suffices to look from those.
    const circles = new CauseCircles(this.#ids);
    for (const open of this.#open) {
      const { child, cause } = open;
      const parent = this.#ids.find(cause);
      if (parent < 0) {
        if (whole) this.#report.where(open.line, DANGLING.code, () => this.#draftOf(open));
        continue;
      }
      const cycle = child < 0 ? undefined : circles.cycleThrough(child);
      if (cycle === 'told') continue;
      const line = this.#ids.lineOf(parent);
      if (cycle === undefined) {
        const message = `caused_by names an event that comes later, on line ${line}`;
        const code = 'lineage/forward-cause';
        this.#report.where(open.line, code, () => ({ ...this.#draftOf(open), code, message }));
      } else {
        const lines = cycle.map((ordinal) => this.#ids.lineOf(ordinal)).sort((a, b) => a - b);
        const shown =
          lines.length > 8
            ? `${lines.slice(0, 8).join(', ')} and ${lines.length - 8} more`
            : lines.join(', ');
        const message =
          lines.length === 1
            ? 'the event names itself as its cause'
            : `the causes go in a circle, over the events on lines ${shown}`;
        this.#report.report({ ...this.#draftOf(open), code: 'lineage/cycle', message });
      }
    }
  }

  /** Takes in an id; the ordinal, or -1 when another event had it first. */
  #identify(logged: LoggedEvent, id: string, parent: number): number {
    const before = this.#ids.add(id, logged.line, parent);
    if (before < 0) return this.#ids.size - 1;
    const first = this.#ids.lineOf(before);
    const message = `the id stands on line ${first} already; readers take the first`;
    this.#report.at(logged, { code: 'event/duplicate-id', message, path: ['id'], actual: id });
    return -1;
  }
}

/** A reference that resolved to nothing so far; of so many as are kept, with the remark to make if it never does. */
interface OpenReference {
  readonly reference: string;
  readonly line: number;
  readonly message: string;
  readonly draft: FindingDraft | undefined;
}

const textsOf = (value: JsonValue | undefined): string[] =>
  Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];

const REFERENCE = /^event:([^:]+):(\d{1,15})$/;

/** References between events other than their causes: evidence, and a directive's intuition (noesis.md §4). */
export class ReferenceCheck implements EventCheck {
  readonly #report: EventReporter;
  readonly #ledger: Ledger;
  /** The evidence of each intuition, by the id of its event. */
  readonly #intuitions = new Map<string, ReadonlySet<string>>();
  /** Remembers the events that a directive may name. */
  readonly origins: EventCheck = {
    event: ({ event: { phase, payload, evidence_ids: own }, id }) => {
      if (phase !== 'intuition' || id === undefined) return;
      const cited = isObject(payload) ? textsOf(payload['evidence_ids']) : [];
      this.#intuitions.set(id, new Set([...textsOf(own), ...cited]));
    },
  };
  readonly #open: OpenReference[] = [];
  readonly #brokenLinks: EventReporter;

  constructor(report: EventReporter, ledger: Ledger) {
    this.#report = report;
    this.#ledger = ledger;
    this.#brokenLinks = report.later();
  }

  event(logged: LoggedEvent): void {
    const { phase, payload, evidence_ids: own } = logged.event;
    if (typeof phase === 'string') this.#ledger.countPhase(phase);
    if (Array.isArray(own)) {
      own.forEach((reference, index) => {
        if (typeof reference !== 'string' || !REFERENCE.test(reference) || this.#resolves(reference)) return;
        const message = `\`${reference}\` names no event: there are not so many of that phase`;
        const remark = {
          code: 'lineage/evidence',
          message,
          path: ['evidence_ids', index],
          actual: reference,
        } as const;
        const draft = this.#open.length < this.#report.limit ? this.#report.draft(logged, remark) : undefined;
        this.#open.push({ reference, line: logged.line, message, draft });
      });
    }
    if (isObject(payload) && phase === 'direction') this.#checkDirection(logged, payload);
  }

  #checkDirection(logged: LoggedEvent, payload: JsonObject): void {
    const { evidence_ids: mirrored, intuition_event_id: origin } = payload;
    const own = textsOf(logged.event['evidence_ids']);
    if (typeof origin === 'string') this.#checkOrigin(logged, origin);
    // The runtime leaves the event's own list empty where the payload has one.
    if (Array.isArray(mirrored) && own.length > 0 && !jsonEqual(mirrored, own)) {
      const message = 'payload.evidence_ids and evidence_ids differ; the first mirrors the second';
      this.#report.at(logged, { code: 'lineage/evidence', message, path: ['payload', 'evidence_ids'] });
      return;
    }
    const known = typeof origin === 'string' ? this.#intuitions.get(origin) : undefined;
    const inPayload = textsOf(mirrored).length > 0;
    for (const [index, evidence] of (inPayload ? textsOf(mirrored) : own).entries()) {
      if (known === undefined || known.has(evidence)) continue;
      const message = `the intuition that this direction follows does not cite \`${evidence}\``;
      const path = [...(inPayload ? ['payload'] : []), 'evidence_ids', index];
      this.#report.at(logged, {
        code: 'lineage/evidence',
        message,
        path,
        actual: evidence,
        severity: 'info',
      });
    }
  }

  #checkOrigin(logged: LoggedEvent, origin: string): void {
    if (!this.#intuitions.has(origin)) {
      const message = 'payload.intuition_event_id names no intuition event before this one';
      const path = ['payload', 'intuition_event_id'];
      this.#brokenLinks.at(logged, { code: 'lineage/broken-link', message, path, actual: origin });
    }
  }

  end({ whole }: LogEnd): void {
    if (!whole) return;
    for (const { reference, line, message, draft } of this.#open) {
      if (this.#resolves(reference)) continue;
      if (draft) this.#report.report(draft);
      else this.#report.onLine(line, undefined, { code: 'lineage/evidence', message, actual: reference });
    }
    this.#report.confirm(this.#brokenLinks);
  }

  /** `event:<phase>:<n>` names the n-th event of a phase, from 1. */
  #resolves(reference: string): boolean {
    const [, phase = '', ordinal = ''] = REFERENCE.exec(reference) ?? [];
    const n = Number(ordinal);
    return n >= 1 && n <= this.#ledger.phaseCount(phase);
  }
}
