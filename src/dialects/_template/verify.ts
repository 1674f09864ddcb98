import { severitiesOf } from '../../findings/catalogue-severities.ts';
import { type LogEnd, type LoggedEvent, ReportingCheck } from '../../findings/check.ts';
import type { LogVerifyOptions, VerifyTarget } from '../../findings/options.ts';
import type { EpisodeReport } from '../../findings/report.ts';
import { RepeatedIds } from '../kit/repeated-ids.ts';
import { verifyLog } from '../kit/verify-log.ts';
import { TEMPLATE } from './catalogue.ts';

const SEVERITIES = severitiesOf(TEMPLATE);

/** Checks that ids are unique, and that steps do not go back. */
class StepCheck extends ReportingCheck {
  readonly #ids = new RepeatedIds(this.report);
  #last = 0;

  row(logged: LoggedEvent): void {
    const { step } = logged.event;
    if (logged.id !== undefined) this.#ids.add(logged, logged.id, ['id']);
    if (typeof step !== 'number') return;
    const message = `step ${step} comes after step ${this.#last}`;
    // A corrupt line cannot cause this finding. Use `this.report.ifWhole` for one that it could cause.
    if (step < this.#last) this.report.at(logged, { code: 'order/step', message, path: ['step'] });
    this.#last = step;
  }

  end(log: LogEnd): void {
    this.#ids.end(log);
  }
}

/** Verifies a log of the template. */
export const verifyTemplate = (target: VerifyTarget, options: LogVerifyOptions): Promise<EpisodeReport> =>
  verifyLog(target, options, {
    dialect: 'template',
    severities: SEVERITIES,
    checks: (report) => [new StepCheck(report)],
  });
