import type { EventCheck, EventReporter, LoggedEvent } from '../../../findings/check.ts';
import { isObject } from '../../../json/value.ts';

/** What one log repeats of itself: the episode's id on every event, the status of an act under two names. */
export class AgreementCheck implements EventCheck {
  readonly #report: EventReporter;
  #episode: { readonly id: string; readonly line: number } | undefined;

  constructor(report: EventReporter) {
    this.#report = report;
  }

  event(logged: LoggedEvent): void {
    const { phase, payload, episode_id: episode } = logged.event;
    if (typeof episode === 'string') this.#checkEpisode(logged, episode);
    if (!isObject(payload)) return;
    if (phase === 'terminate' && typeof payload['episode_id'] === 'string') {
      this.#checkEpisode(logged, payload['episode_id'], ['payload', 'episode_id']);
    }
    if (phase === 'act') {
      const { outcome, result_status: status } = payload;
      if (typeof outcome !== 'string' || typeof status !== 'string' || outcome === status) return;
      const message = `outcome says ${outcome}, result_status says ${status}: they carry one value`;
      const path = ['payload', 'result_status'];
      this.#report.at(logged, {
        code: 'consistency/action',
        message,
        path,
        expected: outcome,
        actual: status,
      });
    }
  }

  #checkEpisode(logged: LoggedEvent, id: string, path: string[] = ['episode_id']): void {
    if (this.#episode === undefined) {
      this.#episode = { id, line: logged.line };
    }
    if (id === this.#episode.id) return;
    const message = `this event is of another episode than the first, on line ${this.#episode.line}`;
    this.#report.at(logged, {
      code: 'consistency/episode-id',
      message,
      path,
      expected: this.#episode.id,
      actual: id,
    });
  }
}
