import type { JsonPath } from '../../../base/json/path.ts';
import { named } from '../../../base/json/write.ts';
import { placesInRecord } from '../../../findings/place.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { canonicalStatus } from '../event/vocabulary.ts';

/** The runtime's reason for a direction that governance blocked. */
const BLOCKED_BY_GOVERNANCE = 'governance_veto';

const isVetoed = (status: string | undefined): boolean => status?.trim().toLowerCase() === 'vetoed';

/** The place of a veto, for a finding that the end of the run causes. */
type VetoPlace = NonNullable<Doubt['about']>;

function placeOf({ record, id }: Row, path: JsonPath): VetoPlace {
  return { ...placesInRecord(record).at(path), ...(id !== undefined && { eventId: id }) };
}

/** The vetoes of a run that have no answer yet. */
export class Vetoes {
  /** Enforced vetoes, by event id. */
  readonly open = new Map<string | symbol, VetoPlace>();
  /** Vetoes of governance without `enforced`, and of intuition; with what they say if they only audit or advise. */
  readonly maybeEnforced = new Map<VetoPlace, string>();
  /** Whether acts followed such a veto. */
  hasActed = false;
  /** The directions that governance is said to have blocked. */
  readonly blocked: VetoPlace[] = [];
  /** Whether a decision vetoed and did not say that it was not enforced. */
  isVetoed = false;
  #interrupted = false;
  /** Whether there was a governance decision. */
  #decided = false;
  /** Whether an intuition vetoed and blocks. */
  #blocking = false;
  /** Who blocked the plan afterwards. If it was governance, there must be a decision. */
  #blocked: 'intuition' | 'governance' | undefined;

  take(row: Row, isEnd: boolean): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    if (row.type === PHASE.governance) this.#decide(row);
    else if (row.type === PHASE.intuition) this.#advise(row);
    else if (row.type === PHASE.direction) this.#direct(row);
    else if (isEnd) this.#clear();
    else if (this.open.size + this.maybeEnforced.size > 0) this.#answer(row);
  }

  /** Whether an intuition ended the run by blocking the plan, or because nothing else did. */
  get endedByIntuition(): boolean {
    return this.#blocking && (this.#blocked === 'intuition' || !(this.#blocked || this.#decided));
  }

  #decide(row: Row): void {
    this.#decided = true;
    if (row.text(COLUMN.decision) !== 'veto') return;
    const enforced = row.value(COLUMN.enforced);
    if (enforced === false) return;
    this.isVetoed = true;
    this.#interrupted = false;
    const place = placeOf(row, ['payload', 'decision']);
    if (enforced === true) this.open.set(row.id ?? Symbol('no id'), place);
    else if (row.value(COLUMN.mode) !== 'audit') this.maybeEnforced.set(place, '"enforced":false');
  }

  #advise(row: Row): void {
    if (row.text(COLUMN.kind) !== 'veto' || row.value(COLUMN.blocking) === false) return;
    this.#blocking = true;
    // A veto that only advises says that it does not block, or that it was not applied.
    if (row.value(COLUMN.blocking) !== true || row.value(COLUMN.applied) === false) return;
    this.maybeEnforced.set(placeOf(row, ['payload', 'blocking']), '"blocking":false');
  }

  #direct(row: Row): void {
    if (row.text(COLUMN.status) !== 'blocked') return;
    const byGovernance = row.value(COLUMN.reason) === BLOCKED_BY_GOVERNANCE;
    if (byGovernance) this.blocked.push(placeOf(row, ['payload', 'reason']));
    if (this.#blocking) this.#blocked = byGovernance ? 'governance' : 'intuition';
  }

  #clear(): void {
    this.open.clear();
    this.maybeEnforced.clear();
    this.hasActed = false;
  }

  #answer(row: Row): void {
    if (row.type === PHASE.act) {
      // An act that executes the candidate is reported as governance/act-after-veto instead.
      const cause = row.kind(COLUMN.candidate) === 'string' ? row.text(COLUMN.cause) : undefined;
      if (cause !== undefined) this.open.delete(cause);
      this.hasActed ||= this.maybeEnforced.size > 0;
      return;
    }
    const type = row.text(COLUMN.eventType);
    if (type === 'run.interrupt') this.#interrupted = true;
    else if (type === 'run.checkpoint' && this.#interrupted) this.#clear();
  }
}

type VetoRule = Rule<Row, { readonly vetoes: Vetoes }>;

/** The status with which an event ends the run. */
const statusOf = (row: Row): string | undefined =>
  row.kind(COLUMN.payload) === 'object' ? row.text(COLUMN.status) : undefined;

const ignored = (message: string, about: VetoPlace): Doubt => ({
  code: 'governance/veto-ignored',
  message,
  about,
  ifWhole: true,
});

/** The end of a run that a veto does not explain, although it says so. */
const hasVeto: VetoRule = (row, { vetoes }) => {
  if (!isVetoed(statusOf(row)) || vetoes.isVetoed || vetoes.endedByIntuition) return undefined;
  const message =
    'the run ended as vetoed, but no decision and no blocking intuition before it is an enforced veto';
  return { code: 'governance/veto-missing', message, path: ['payload', 'status'], ifWhole: true };
};

/** The directions that governance is said to have blocked, in a run without its veto. A run that ended as vetoed lacks the veto itself. */
const wasVetoed: VetoRule = (row, { vetoes }) => {
  if (isVetoed(statusOf(row)) || vetoes.isVetoed) return undefined;
  const message = `the directive is blocked with the reason ${BLOCKED_BY_GOVERNANCE}, but no decision of the run is an enforced veto`;
  const code = 'governance/enforcement';
  return vetoes.blocked.map((about): Doubt => ({ code, severity: 'info', message, about, ifWhole: true }));
};

/** The vetoes that the end of a run ignores. */
const obeysVetoes: VetoRule = (row, { vetoes }) => {
  const { open, maybeEnforced, hasActed } = vetoes;
  const status = statusOf(row);
  if (status === undefined) return undefined;
  const end = `ended as ${named(status)} on line ${row.line}`;
  const message = `this veto was enforced, but the run continued and ${end}`;
  const ignoredVetoes = isVetoed(status) ? [] : [...open.values()].map((about) => ignored(message, about));
  if (!hasActed || canonicalStatus(status.trim().toLowerCase()) !== 'ok') return ignoredVetoes;
  const what = `acts followed this veto, and the run ${end}; a veto that does not stop the run says`;
  return [
    ...ignoredVetoes,
    ...[...maybeEnforced].map(([about, otherwise]) => ignored(`${what} ${otherwise}`, about)),
  ];
};

/**
 * The rules for the answers to vetoes: the run ends as vetoed, or is interrupted with a checkpoint (noesis.md §8.5). A
 * run that ends as vetoed also needs a veto, by governance or by a blocking intuition.
 */
export const VETO_RULES = {
  end: {
    'a vetoed run has a veto': hasVeto,
    'a veto has an answer': obeysVetoes,
    'governance blocks with a veto': wasVetoed,
  },
};
