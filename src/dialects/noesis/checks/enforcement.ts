import type { EventCheck, EventReporter } from '../../../findings/check.ts';
import { isObject, type JsonObject } from '../../../json/value.ts';
import type { Row } from '../../../log/row.ts';
import { COLUMN, PHASE } from '../rows.ts';

const CODE = 'governance/enforcement';

/** A decision that a run may have been interrupted for. */
interface Decision {
  readonly line: number;
  readonly message: unknown;
}

/** What is wrong with `enforced`, seen from the rest of the decision; undefined where it may be so. */
function contradiction({ decision, mode, enforced, failure_policy }: JsonObject): string | undefined {
  if (enforced === false)
    return decision === 'veto' && mode === 'enforce' ? 'a veto in mode enforce is enforced' : undefined;
  if (enforced !== true) return undefined;
  if (mode === 'audit') return 'nothing is enforced in mode audit';
  if (decision === 'allow') return 'there is nothing to enforce in an allow';
  return decision === 'audit' && failure_policy === 'fail_open'
    ? 'under fail_open an audit stops nothing'
    : undefined;
}

/** `enforced` and `mode`, which no id covers: compared with each other, and with what followed (noesis.md §2.2, §4). */
export class EnforcementCheck implements EventCheck {
  readonly types = new Set([PHASE.governance, PHASE.runtime]);
  readonly #report: EventReporter;
  #first: { readonly line: number; readonly payload: JsonObject } | undefined;
  /** By the id of their event: decisions that cannot interrupt a run. */
  readonly #harmless = new Map<string, Decision>();

  constructor(report: EventReporter) {
    this.#report = report;
  }

  row(row: Row): void {
    if (row.type === PHASE.runtime) this.#runtime(row);
    else this.#decide(row);
  }

  #decide(row: Row): void {
    const payload = row.value(COLUMN.payload);
    if (!isObject(payload)) return;
    const message = contradiction(payload);
    if (message !== undefined) this.#report.at(row, { code: CODE, message, path: ['payload', 'enforced'] });
    this.#first ??= { line: row.line, payload };
    for (const key of ['mode', 'failure_policy']) this.#compare(row, payload, key);
    const mayStop = payload['decision'] === 'audit' && payload['failure_policy'] === 'fail_closed';
    const stops = payload['decision'] === 'veto' && payload['enforced'] !== false;
    if (row.id !== undefined && !stops && !mayStop)
      this.#harmless.set(row.id, { line: row.line, message: payload['message'] });
  }

  /** Both come from the settings of the run. */
  #compare(row: Row, payload: JsonObject, key: string): void {
    const before = this.#first?.payload[key];
    const actual = payload[key];
    if (typeof before !== 'string' || typeof actual !== 'string' || before === actual) return;
    const message = `${key} was ${before} in the decision on line ${this.#first?.line}, and the run was not resumed since`;
    // A corrupt line may have held the resume.
    this.#report.ifWhole.at(row, { code: CODE, message, path: ['payload', key], expected: before, actual });
  }

  #runtime(row: Row): void {
    const type = row.text(COLUMN.eventType);
    if (type === 'run.resume') this.#first = undefined;
    const cause = type === 'run.interrupt' ? row.text(COLUMN.cause) : undefined;
    const decision = cause === undefined ? undefined : this.#harmless.get(cause);
    const payload = row.value(COLUMN.payload);
    // A run may interrupt itself after any event: only the words of the decision show that it was for its sake.
    if (decision === undefined || !isObject(payload) || payload['reason'] !== decision.message) return;
    const message = `the run was interrupted because of the decision on line ${decision.line}, and that is no enforced veto`;
    this.#report.at(row, { code: CODE, message, path: ['payload', 'reason'] });
  }
}
