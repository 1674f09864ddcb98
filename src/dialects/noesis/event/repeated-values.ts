import { named } from '../../../base/json/write.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { errorBeside } from './outcome.ts';
import { COLUMN } from './rows.ts';

/** The doubt about an act or an end that succeeded and has an error. */
function errorOfSuccess(row: Row, what: 'act' | 'run', status: string | undefined): Doubt | undefined {
  const kind = row.kind(COLUMN.error);
  if (kind !== 'string' && kind !== 'object') return undefined;
  const error = errorBeside(status, row.text(COLUMN.error) ?? row.value(COLUMN.error));
  if (error === undefined) return undefined;
  const message = `the ${what} ended as ${named(status ?? '')}, but ${error}`;
  const code = what === 'act' ? 'consistency/action' : 'consistency/status';
  return { code, severity: 'warn', message, path: ['payload', 'error'] };
}

/** The rules for values that an event repeats: the status of an act under two names, and an error next to a success. */
export const REPEATED_VALUE_RULES: Readonly<
  Record<'act' | 'end', Readonly<Record<string, Rule<Row, unknown>>>>
> = {
  act: {
    'outcome and result_status are equal'(row) {
      const [said, repeated] = [row.ordinal(COLUMN.outcome), row.ordinal(COLUMN.result)];
      if (said < 0 || repeated < 0 || said === repeated) return undefined;
      const [outcome, status] = [row.texts.textOf(said), row.texts.textOf(repeated)];
      const message = `outcome says ${named(outcome)}, result_status says ${named(status)}: they must have the same value`;
      const path = ['payload', 'result_status'];
      return { code: 'consistency/action', message, path, expected: outcome, actual: status };
    },

    'an act that succeeded has no error': (row) =>
      errorOfSuccess(row, 'act', row.text(COLUMN.result) ?? row.text(COLUMN.outcome)),
  },

  end: {
    'a run that succeeded has no error': (row) => errorOfSuccess(row, 'run', row.text(COLUMN.status)),
  },
};
