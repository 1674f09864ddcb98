import type { JsonValue } from '../../../base/json/value.ts';
import { named } from '../../../base/json/write.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, PHASE } from '../event/rows.ts';
import { DIRECTIVE_STATUSES, isOneOf } from '../event/vocabulary.ts';

const CODE = 'governance/enforcement';

/** A decision that may have interrupted a run. */
interface Decision {
  readonly line: number;
  readonly message: JsonValue | undefined;
}

/** What a decision says about its effect. */
interface Said {
  readonly decision: string | undefined;
  readonly enforced: JsonValue | undefined;
  readonly mode: string | undefined;
  readonly failure_policy: string | undefined;
}

const textOrValue = (row: Row, column: number): JsonValue | undefined =>
  row.text(column) ?? row.value(column);

/** Why `enforced` contradicts the rest of the decision; undefined if it does not. */
function contradiction({ decision, mode, enforced, failure_policy }: Said): string | undefined {
  if (enforced === false)
    return decision === 'veto' && mode === 'enforce' ? 'a veto in mode enforce must be enforced' : undefined;
  if (enforced !== true) return undefined;
  if (mode === 'audit') return 'nothing is enforced in mode audit';
  if (decision === 'allow') return 'an allow decision has nothing to enforce';
  return decision === 'audit' && failure_policy === 'fail_open'
    ? 'under fail_open an audit stops nothing'
    : undefined;
}

const TYPES = new Set([PHASE.direction, PHASE.governance, PHASE.runtime]);

/** Compares `enforced` and `mode`, which no id covers, with each other and with later events (noesis.md §2.2, §4). */
export class EnforcementCheck extends ReportingCheck {
  readonly types = TYPES;
  #first: { readonly line: number; readonly said: Said } | undefined;
  /** Decisions that cannot interrupt a run, by the ordinal of their event's id. */
  readonly #harmless = new Map<number, Decision>();

  row(row: Row): void {
    if (row.type === PHASE.runtime) this.#runtime(row);
    else if (row.type === PHASE.direction) this.#direct(row);
    else this.#decide(row);
  }

  /** Compares the status of a directive with `applied`: exactly an applied one is. */
  #direct(row: Row): void {
    const [status, applied] = [row.text(COLUMN.status), row.value(COLUMN.applied)];
    if (!isOneOf(DIRECTIVE_STATUSES, status) || (typeof applied !== 'boolean' && applied !== null)) return;
    if ((status === 'applied') === applied) return;
    const message = `the directive is ${status}, but applied is ${applied}`;
    // Null says nothing, but nobody writes it.
    const severity = applied === null ? 'info' : 'warn';
    this.report.at(row, { code: CODE, severity, message, path: ['payload', 'applied'] });
  }

  #decide(row: Row): void {
    if (row.kind(COLUMN.payload) !== 'object') return;
    const said = {
      decision: row.text(COLUMN.decision),
      enforced: row.value(COLUMN.enforced),
      mode: row.text(COLUMN.mode),
      failure_policy: row.text(COLUMN.failurePolicy),
    };
    const message = contradiction(said);
    if (message !== undefined) this.report.at(row, { code: CODE, message, path: ['payload', 'enforced'] });
    this.#complete(row);
    this.#first ??= { line: row.line, said };
    this.#compare(row, said, 'mode');
    this.#compare(row, said, 'failure_policy');
    const mayStop = said.decision === 'audit' && said.failure_policy === 'fail_closed';
    const stops = said.decision === 'veto' && said.enforced !== false;
    const event = row.ordinal(COLUMN.id);
    if (event >= 0 && !stops && !mayStop)
      this.#harmless.set(event, { line: row.line, message: textOrValue(row, COLUMN.message) });
  }

  /** Reports missing members. A runtime that writes failure_policy also writes the other two. */
  #complete(row: Row): void {
    if (row.kind(COLUMN.failurePolicy) === undefined) return;
    for (const key of ['enforced', 'mode'] as const) {
      if (row.kind(COLUMN[key]) !== undefined) continue;
      const message = `${key} is missing, which decisions with a failure_policy have`;
      this.report.at(row, { code: CODE, severity: 'warn', message, path: ['payload', key] });
    }
  }

  /** Reports a change of mode or failure policy. Both come from the settings of the run. */
  #compare(row: Row, said: Said, key: 'mode' | 'failure_policy'): void {
    const before = this.#first?.said[key];
    const actual = said[key];
    if (before === undefined || actual === undefined || before === actual) return;
    const message = `${key} was ${named(before)} in the decision on line ${this.#first?.line}, but the run has not been resumed since`;
    // A corrupt line may have contained the resume.
    this.report.ifWhole.at(row, { code: CODE, message, path: ['payload', key], expected: before, actual });
  }

  #runtime(row: Row): void {
    const type = row.text(COLUMN.eventType);
    if (type === 'run.resume') this.#first = undefined;
    const decision = type === 'run.interrupt' ? this.#harmless.get(row.ordinal(COLUMN.cause)) : undefined;
    // A run may interrupt itself after any event. Only equal messages show that the decision was the reason.
    if (decision === undefined || textOrValue(row, COLUMN.reason) !== decision.message) return;
    const message = `the run was interrupted because of the decision on line ${decision.line}, which is not an enforced veto`;
    this.report.at(row, { code: CODE, message, path: ['payload', 'reason'] });
  }
}
