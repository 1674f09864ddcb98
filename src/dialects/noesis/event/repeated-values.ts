import { named } from '../../../base/json/write.ts';
import { ReportingCheck } from '../../../findings/check.ts';
import type { Row } from '../../../log/row.ts';
import { errorBeside } from './outcome.ts';
import { COLUMN, endsRun, PHASE } from './rows.ts';

/** Compares values that a log repeats: the episode's id on every event, and the status of an act under two names. */
export class AgreementCheck extends ReportingCheck {
  #episode: { readonly id: number; readonly line: number } | undefined;

  row(row: Row): void {
    const episode = row.ordinal(COLUMN.episode);
    if (episode >= 0) this.#checkEpisode(row, episode, ['episode_id']);
    if (row.type === PHASE.terminate) {
      const named = row.ordinal(COLUMN.ended);
      if (named >= 0) this.#checkEpisode(row, named, ['payload', 'episode_id']);
    }
    if (row.type === PHASE.act) this.#checkStatus(row);
    const error = row.kind(COLUMN.error);
    if (error === 'string' || error === 'object') this.#checkError(row);
  }

  /** Reports an act or an end that succeeded and has an error. */
  #checkError(row: Row): void {
    const isAct = row.type === PHASE.act;
    if (!isAct && !endsRun(row)) return;
    const status = isAct ? (row.text(COLUMN.result) ?? row.text(COLUMN.outcome)) : row.text(COLUMN.status);
    const error = errorBeside(status, row.text(COLUMN.error) ?? row.value(COLUMN.error));
    if (error === undefined) return;
    const message = `the ${isAct ? 'act' : 'run'} ended as ${named(status ?? '')}, but ${error}`;
    const code = isAct ? 'consistency/action' : 'consistency/status';
    this.report.at(row, { code, severity: 'warn', message, path: ['payload', 'error'] });
  }

  #checkStatus(row: Row): void {
    const [said, repeated] = [row.ordinal(COLUMN.outcome), row.ordinal(COLUMN.result)];
    if (said < 0 || repeated < 0 || said === repeated) return;
    const [outcome, status] = [row.texts.textOf(said), row.texts.textOf(repeated)];
    const message = `outcome says ${named(outcome)}, result_status says ${named(status)}: they must have the same value`;
    const path = ['payload', 'result_status'];
    this.report.at(row, { code: 'consistency/action', message, path, expected: outcome, actual: status });
  }

  #checkEpisode(row: Row, id: number, path: readonly string[]): void {
    this.#episode ??= { id, line: row.line };
    if (id === this.#episode.id) return;
    const message = `this event belongs to another episode than the first one, on line ${this.#episode.line}`;
    this.report.at(row, {
      code: 'consistency/episode-id',
      message,
      path,
      expected: row.texts.textOf(this.#episode.id),
      actual: row.texts.textOf(id),
    });
  }
}
