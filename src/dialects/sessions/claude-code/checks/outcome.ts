import { ReportingCheck } from '../../../../findings/check.ts';
import type { Row } from '../../../../log/row.ts';
import { messageText, objectIn, objectsIn, textIn } from '../../../kit/members.ts';
import { LONGEST_COMPARED } from '../../kit/compared-outputs.ts';
import { withoutMarks } from '../records.ts';
import { COLUMN, SAID } from '../rows.ts';

/** How the program begins the result that it keeps of a call that failed. */
const ERROR = 'Error: ';

/** Marks and control characters, which the program may take out of an output for the model. */
const MAY_BE_TAKEN_OUT = /[<\p{Cc}]/u;

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '');

/** The lines of a text, without the space in them. */
const linesOf = (text: string): string[] => text.split('\n').map(withoutSpace);

/** The first result of a message for the model. */
const resultIn = (row: Row): string =>
  row.text(COLUMN.given) ?? messageText(objectsIn(objectIn(row.event, 'message'), 'content')[0]?.['content']);

/**
 * Compares the result that the model got with the one that the program keeps for the user: whether and how the call failed, and what
 * its command printed (claude-code.md §9). A message with several results does not say of which of them it keeps one.
 */
export class OutcomeCheck extends ReportingCheck {
  readonly types = SAID;

  row(row: Row): void {
    const kind = row.kind(COLUMN.outcome);
    if (kind === undefined || row.text(COLUMN.kind) !== 'tool_result') return;
    if (row.kind(COLUMN.second) !== undefined) return;
    if (kind === 'string') this.#failed(row);
    else if (kind === 'object') this.#printed(row);
  }

  #failed(row: Row): void {
    const kept = textIn(row.event, 'toolUseResult');
    if (!kept?.startsWith(ERROR)) return;
    if (row.value(COLUMN.failed) !== true)
      return this.#differs(
        row,
        'the program recorded an error of this call, but the result for the model does not say that it failed',
      );
    if (kept.length > LONGEST_COMPARED) return;
    const given = new Set(linesOf(withoutMarks(resultIn(row))));
    if (linesOf(kept.slice(ERROR.length)).some((line) => line !== '' && !given.has(line)))
      this.#differs(row, 'the error that the program recorded is not the one in the result for the model');
  }

  /** The result for the model may have more than the output, such as errors of the command, or a summary of it. */
  #printed(row: Row): void {
    const printed = (row.text(COLUMN.summarized) ?? row.text(COLUMN.output))?.trim() ?? '';
    if (printed === '' || printed.length > LONGEST_COMPARED) return;
    const output = withoutSpace(printed);
    if (MAY_BE_TAKEN_OUT.test(output)) return;
    const given = resultIn(row);
    if (given !== '' && !withoutSpace(given).includes(output))
      this.#differs(row, 'the output that the program recorded is not in the result for the model');
  }

  #differs(row: Row, message: string): void {
    this.report.at(row, { code: 'session/copy-differs', message, path: ['toolUseResult'] });
  }
}
