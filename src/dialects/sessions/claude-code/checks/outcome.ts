import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { textIn } from '../../../kit/members.ts';
import { COLUMN, SAID } from '../rows.ts';

/** How the program begins the result that it keeps of a call that failed. */
const ERROR = 'Error: ';

/**
 * Compares whether a call failed according to the result that the model got, and to the one that the program keeps for the
 * user (claude-code.md §9). A message with several results does not say of which of them it keeps one.
 */
export class OutcomeCheck extends ReportingCheck {
  readonly types = SAID;

  row(row: Row): void {
    if (row.kind(COLUMN.outcome) !== 'string' || row.text(COLUMN.kind) !== 'tool_result') return;
    if (row.kind(COLUMN.second) !== undefined || row.value(COLUMN.failed) === true) return;
    if (!textIn(row.event, 'toolUseResult')?.startsWith(ERROR)) return;
    this.report.at(row, {
      code: 'session/copy-differs',
      message:
        'the program recorded an error of this call, but the result for the model does not say that it failed',
      path: ['toolUseResult'],
    });
  }
}
