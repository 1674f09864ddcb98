import type { JsonValue } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { DIRECTIVE_STATUSES, isOneOf } from '../event/vocabulary.ts';

const CODE = 'governance/enforcement';

const MAY_BE_MISSING = ['enforced', 'mode'] as const;

/** A decision that cannot interrupt a run. */
interface Harmless {
  readonly line: number;
  readonly message: JsonValue | undefined;
}

/** What a decision says about its effect. */
interface Effect {
  readonly decision: string | undefined;
  readonly enforced: JsonValue | undefined;
  readonly mode: string | undefined;
  readonly failure_policy: string | undefined;
}

const effectOf = (row: Row): Effect => ({
  decision: row.text(COLUMN.decision),
  enforced: row.value(COLUMN.enforced),
  mode: row.text(COLUMN.mode),
  failure_policy: row.text(COLUMN.failurePolicy),
});

const textOrValue = (row: Row, column: number): JsonValue | undefined =>
  row.text(column) ?? row.value(column);

/** Why `enforced` contradicts the rest of the decision; undefined if it does not. */
function contradiction({ decision, mode, enforced, failure_policy }: Effect): string | undefined {
  if (enforced === false)
    return decision === 'veto' && mode === 'enforce' ? 'a veto in mode enforce must be enforced' : undefined;
  if (enforced !== true) return undefined;
  if (mode === 'audit') return 'nothing is enforced in mode audit';
  if (decision === 'allow') return 'an allow decision has nothing to enforce';
  return decision === 'audit' && failure_policy === 'fail_open'
    ? 'under fail_open an audit stops nothing'
    : undefined;
}

/** What the decisions of a run say about their effect. */
export class Enforcement {
  /** The first decision since the run was started or resumed. */
  first: { readonly line: number; readonly effect: Effect } | undefined;
  /** Decisions that cannot interrupt a run, by the ordinal of their event's id. */
  readonly harmless = new Map<number, Harmless>();

  take(row: Row): void {
    if (row.type === PHASE.governance) this.#decide(row);
    else if (row.type === PHASE.runtime && row.text(COLUMN.eventType) === 'run.resume')
      this.first = undefined;
  }

  #decide(row: Row): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    this.first ??= { line: row.line, effect: effectOf(row) };
    const decision = row.text(COLUMN.decision);
    const mayStop = decision === 'audit' && row.text(COLUMN.failurePolicy) === 'fail_closed';
    const stops = decision === 'veto' && row.value(COLUMN.enforced) !== false;
    const event = row.ordinal(COLUMN.id);
    if (event >= 0 && !stops && !mayStop)
      this.harmless.set(event, { line: row.line, message: textOrValue(row, COLUMN.message) });
  }
}

type EnforcementRule = Rule<Row, { readonly enforcement: Enforcement }>;

/** A mode or failure policy stays until a resume, because both come from the settings of the run. */
const stays =
  (key: 'mode' | 'failure_policy', column: number): EnforcementRule =>
  (row, { enforcement: { first } }) => {
    const before = first?.effect[key];
    const actual = before === undefined ? undefined : row.text(column);
    if (before === undefined || actual === undefined || before === actual) return undefined;
    if (row.kind(COLUMN.payload) !== 'object') return undefined;
    const message = `${key} was ${named(before)} in the decision on line ${first?.line}, but the run has not been resumed since`;
    // A corrupt line may have contained the resume.
    return { code: CODE, message, path: ['payload', key], expected: before, actual, ifWhole: true };
  };

/** The rules for `enforced` and `mode`, which no id covers: with each other, and with later events (noesis.md §2.2, §4). */
export const ENFORCEMENT_RULES: Readonly<
  Record<'governance' | 'direction' | 'intuition' | 'run', Readonly<Record<string, EnforcementRule>>>
> = {
  governance: {
    'the effect of a decision is possible'(row) {
      const enforced = row.value(COLUMN.enforced);
      if (typeof enforced !== 'boolean' || row.kind(COLUMN.payload) !== 'object') return undefined;
      const message = contradiction(effectOf(row));
      return message === undefined ? undefined : { code: CODE, message, path: ['payload', 'enforced'] };
    },

    'a decision is complete'(row) {
      // A runtime that writes failure_policy also writes the other two.
      if (row.kind(COLUMN.failurePolicy) === undefined) return undefined;
      const missing = MAY_BE_MISSING.filter((key) => row.kind(COLUMN[key]) === undefined);
      if (missing.length === 0) return undefined;
      return missing.map((key): Doubt => {
        const message = `${key} is missing, which decisions with a failure_policy have`;
        return { code: CODE, severity: 'warn', message, path: ['payload', key] };
      });
    },

    'the mode stays': stays('mode', COLUMN.mode),
    'the failure policy stays': stays('failure_policy', COLUMN.failurePolicy),
  },

  direction: {
    'exactly an applied directive is applied'(row) {
      const [status, applied] = [row.text(COLUMN.status), row.value(COLUMN.applied)];
      if (!isOneOf(DIRECTIVE_STATUSES, status)) return undefined;
      if (typeof applied !== 'boolean' && applied !== null) return undefined;
      if ((status === 'applied') === applied) return undefined;
      const message = `the directive is ${status}, but applied is ${applied}`;
      // Null says nothing, but nobody writes it.
      const severity = applied === null ? 'info' : 'warn';
      return { code: CODE, severity, message, path: ['payload', 'applied'] };
    },
  },

  intuition: {
    'a hint does not block'(row) {
      if (row.text(COLUMN.kind) !== 'hint' || row.value(COLUMN.blocking) !== true) return undefined;
      if (row.kind(COLUMN.payload) !== 'object') return undefined;
      const message = 'the intuition is a hint, but blocking is true: only a veto blocks';
      return { code: CODE, severity: 'info', message, path: ['payload', 'blocking'] };
    },
  },

  run: {
    'only an enforced decision interrupts'(row, { enforcement }) {
      if (row.text(COLUMN.eventType) !== 'run.interrupt') return undefined;
      const decision = enforcement.harmless.get(row.ordinal(COLUMN.cause));
      // A run may interrupt itself after any event. Only equal messages show that the decision was the reason.
      if (decision === undefined || textOrValue(row, COLUMN.reason) !== decision.message) return undefined;
      const message = `the run was interrupted because of the decision on line ${decision.line}, which is not an enforced veto`;
      return { code: CODE, message, path: ['payload', 'reason'] };
    },
  },
};
