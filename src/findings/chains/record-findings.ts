import type { EventRemark, EventReporter, LoggedEvent } from '../check.ts';

export const missingMember = (member: string): EventRemark => ({
  code: 'chain/missing-member',
  message: `the record has no ${member}, which the chain needs`,
});

/** The findings of the record that is checked. What is found after the first one usually follows from it. */
export class RecordFindings {
  readonly #report: EventReporter;
  /** Set as soon as the record has a finding. */
  isWrong = false;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  fault(row: LoggedEvent, remark: EventRemark): void {
    this.isWrong = true;
    this.#report.at(row, remark);
  }

  /** Reports that a member is missing, unless the record has a finding. */
  missing(row: LoggedEvent, member: string): void {
    if (!this.isWrong) this.fault(row, missingMember(member));
  }

  /** Reports what can be read in two ways, unless the record has a finding. */
  ambiguous(row: LoggedEvent, message: string | undefined): void {
    if (message !== undefined && !this.isWrong) this.fault(row, { code: 'chain/ambiguous', message });
  }
}
