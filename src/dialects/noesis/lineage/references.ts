import { isObject, type JsonObject, type JsonValue, jsonEqual } from '../../../base/json/value.ts';
import { ticked } from '../../../base/json/write.ts';
import type { EventReporter, LogEnd } from '../../../findings/check.ts';
import type { FindingDraft } from '../../../findings/findings.ts';
import type { Row } from '../../../log/row.ts';
import { counted, type Doubt, found, type Rule } from '../../kit/rules.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { isOneOf, PHASES } from '../event/vocabulary.ts';

/** `event:<phase>:<n>` names the n-th event of a phase, from 1. */
interface Reference {
  readonly text: string;
  readonly phase: string;
  readonly n: number;
}

const REFERENCE = /^event:([^:]+):(\d{1,15})$/;

function referenceIn(text: JsonValue): Reference | undefined {
  const match = typeof text === 'string' ? REFERENCE.exec(text) : null;
  if (match === null) return undefined;
  const [whole, phase = '', n = ''] = match;
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

const phaseOf = (row: Row): string | undefined => PHASES[row.type] ?? row.text(COLUMN.phase);

/** What the events of a log may refer to, besides causes: the n-th event of a phase, and intuitions. */
export class References {
  /** The evidence of each intuition, by event id. */
  readonly intuitions = new Map<string, ReadonlySet<string>>();
  /** The number of events per phase. */
  readonly #counts = new Map<string, number>();
  readonly #countsByType: number[] = [];
  readonly #open: OpenReference[] = [];
  /** The number of findings that are worth keeping whole. */
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  take(row: Row): void {
    const { type } = row;
    if (type < PHASES.length) this.#countsByType[type] = (this.#countsByType[type] ?? 0) + 1;
    else {
      const phase = phaseOf(row);
      if (phase !== undefined) this.#counts.set(phase, (this.#counts.get(phase) ?? 0) + 1);
    }
    if (type === PHASE.intuition) this.#addIntuition(row);
  }

  /** Whether an event exists that a reference names. `current` also counts. */
  resolves({ phase, n }: Reference, current?: Row): boolean {
    const known = isOneOf(PHASES, phase) ? this.#countsByType[PHASE[phase]] : this.#counts.get(phase);
    const count = (known ?? 0) + (current !== undefined && phaseOf(current) === phase ? 1 : 0);
    return n >= 1 && n <= count;
  }

  /** Keeps a reference to an event that has not come yet. */
  keep(reference: Reference, line: number, message: string, draft: () => FindingDraft): void {
    const kept = this.#open.length < this.#limit ? draft() : undefined;
    this.#open.push({ reference, line, message, draft: kept });
  }

  /** Reports the references to events that never came. */
  settle(report: EventReporter, { whole }: LogEnd): void {
    if (!whole) return;
    for (const { reference, line, message, draft } of this.#open) {
      if (this.resolves(reference)) continue;
      if (draft) report.report(draft);
      else report.onLine(line, undefined, { code: 'lineage/evidence', message, actual: reference.text });
    }
  }

  #addIntuition({ event, id }: Row): void {
    const { payload, evidence_ids: own } = event;
    if (id === undefined) return;
    const cited = textsOf(isObject(payload) ? payload['evidence_ids'] : undefined);
    this.intuitions.set(id, new Set([...textsOf(own), ...cited]));
  }
}

/** The doubt about a list of evidence in the payload that differs from that of the event, which it mirrors. */
function unequalMirror(mirrored: JsonValue | undefined, own: readonly string[]): Doubt | undefined {
  if (!Array.isArray(mirrored) || own.length === 0 || jsonEqual(mirrored, own)) return undefined;
  const message = 'payload.evidence_ids and evidence_ids differ; the first mirrors the second';
  return { code: 'lineage/evidence', message, path: ['payload', 'evidence_ids'] };
}

/** The note about an empty list on the event. Some runtimes only fill the one in the payload. */
function emptyList(own: JsonValue | undefined, mirrored: JsonValue | undefined): Doubt | undefined {
  if (!Array.isArray(own) || textsOf(own).length > 0 || textsOf(mirrored).length === 0) return undefined;
  const message = 'evidence_ids is empty, but payload.evidence_ids, which mirrors it, is not';
  return counted({ code: 'lineage/evidence', severity: 'info', message, path: ['evidence_ids'] });
}

/** The doubts about the two lists of evidence of an event. */
const listDoubts = (own: JsonValue | undefined, mirrored: JsonValue | undefined): readonly Doubt[] =>
  found(emptyList(own, mirrored), unequalMirror(mirrored, textsOf(own)));

/** The doubt about evidence of the intuition that its direction does not carry on. Without any list it says nothing. */
function lostEvidence(
  known: ReadonlySet<string>,
  own: JsonValue | undefined,
  mirrored: JsonValue | undefined,
): Doubt | undefined {
  if (!(Array.isArray(own) || Array.isArray(mirrored))) return undefined;
  const carried = new Set([...textsOf(own), ...textsOf(mirrored)]);
  const lost = [...known].filter((evidence) => !carried.has(evidence));
  if (lost.length === 0) return undefined;
  const message = `the intuition that this direction follows cites ${lost.map(ticked).join(', ')}, and the direction does not`;
  const path = [...(Array.isArray(mirrored) ? ['payload'] : []), 'evidence_ids'];
  return { code: 'lineage/evidence', severity: 'info', message, path };
}

/** The doubts about what a direction cites. */
function evidenceDoubts(
  { evidence_ids: stored }: JsonObject,
  { evidence_ids: mirrored, intuition_event_id: origin }: JsonObject,
  { intuitions }: References,
): readonly Doubt[] {
  const [own, inPayload] = [textsOf(stored), textsOf(mirrored)];
  const both = listDoubts(stored, mirrored);
  if (unequalMirror(mirrored, own)) return both;
  const known = typeof origin === 'string' ? intuitions.get(origin) : undefined;
  if (known === undefined) return both;
  const lost = lostEvidence(known, stored, mirrored);
  const doubts = lost ? [...both, lost] : [...both];
  const [cited, place] = inPayload.length > 0 ? [inPayload, ['payload']] : [own, []];
  for (const [index, evidence] of cited.entries()) {
    if (known.has(evidence)) continue;
    const message = `the intuition that this direction follows does not cite ${ticked(evidence)}`;
    const path = [...place, 'evidence_ids', index];
    doubts.push({ code: 'lineage/evidence', message, path, actual: evidence, severity: 'info' });
  }
  return doubts;
}

type ReferenceRule = Rule<Row, { readonly references: References }>;

const MIRROR_RULES: Readonly<Record<string, ReferenceRule>> = {
  'both lists of evidence are equal'({ event, id }) {
    const { payload, evidence_ids: own } = event;
    if (id === undefined) return undefined;
    return listDoubts(own, isObject(payload) ? payload['evidence_ids'] : undefined);
  },
};

/** The rules for references other than causes: evidence, and a directive's intuition (noesis.md §4). */
export const REFERENCE_RULES: Readonly<
  Record<'every' | 'direction' | 'intuition' | 'governance', Readonly<Record<string, ReferenceRule>>>
> = {
  every: {
    'evidence names events'(row, { references }) {
      // Most lists are empty; do not parse those events.
      const own = row.isFilled(COLUMN.evidence) ? row.value(COLUMN.evidence) : undefined;
      if (!Array.isArray(own)) return undefined;
      const { line } = row;
      return own.flatMap((text, index): Doubt | [] => {
        const reference = referenceIn(text);
        if (reference === undefined || references.resolves(reference, row)) return [];
        const { text: actual } = reference;
        const message = `${ticked(actual)} names no event: the log has fewer events of that phase`;
        const path = ['evidence_ids', index];
        const keep = (draft: () => FindingDraft) => references.keep(reference, line, message, draft);
        return { code: 'lineage/evidence', message, path, actual, keep };
      });
    },
  },

  direction: {
    'a direction follows an intuition'({ event: { payload } }, { references }) {
      const origin = isObject(payload) ? payload['intuition_event_id'] : undefined;
      if (typeof origin !== 'string' || references.intuitions.has(origin)) return undefined;
      const message = 'payload.intuition_event_id names no earlier intuition event';
      const path = ['payload', 'intuition_event_id'];
      return { code: 'lineage/broken-link', message, path, actual: origin, ifWhole: true };
    },

    'a direction cites what its intuition cites': ({ event }, { references }) =>
      isObject(event['payload']) ? evidenceDoubts(event, event['payload'], references) : undefined,
  },

  intuition: MIRROR_RULES,
  governance: MIRROR_RULES,
};
