import { named } from '../../../base/json/write.ts';
import { type EventReporter, ReportingCheck } from '../../../findings/check.ts';
import type { VerifyTarget } from '../../../findings/options.ts';
import type { Row } from '../../../log/row.ts';

/** How the check reads the records of a dialect. */
export interface SubagentRecords {
  /** The id of the subagent that was started, if the record says so. */
  started(row: Row): string | undefined;
  /** Whether the log has the records of its subagents itself. */
  hasAll?(): boolean;
}

/** The ids of the subagents whose logs are verified together with that of their session. `idIn`: the id in the name of a log. */
export const verifiedAgents = (
  { parts = [], partPlaces = parts }: VerifyTarget,
  idIn: (log: string) => string | undefined,
): ReadonlySet<string> => new Set([...parts, ...partPlaces].flatMap((log) => idIn(log) ?? []));

/** Names each subagent that was started and whose log is not verified, because it is not there: what it did is unknown. */
export class SubagentLogCheck extends ReportingCheck {
  readonly #records: SubagentRecords;
  readonly #verified: ReadonlySet<string>;
  /** The ids of those without a log, and the lines where they were started. */
  readonly #missing = new Map<string, number>();

  constructor(report: EventReporter, verified: ReadonlySet<string>, records: SubagentRecords) {
    super(report);
    this.#records = records;
    this.#verified = verified;
  }

  row(row: Row): void {
    const id = this.#records.started(row);
    if (id !== undefined && !this.#verified.has(id) && !this.#missing.has(id))
      this.#missing.set(id, row.line);
  }

  end(): void {
    if (this.#records.hasAll?.()) return;
    for (const [id, line] of this.#missing)
      this.report.onLine(line, undefined, {
        code: 'session/missing-subagent',
        message: `the log of the subagent ${named(id)} is not there, so what it did is not verified`,
      });
  }
}
