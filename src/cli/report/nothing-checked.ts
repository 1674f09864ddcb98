import { TargetError } from '../../base/errors.ts';
import { type EpisodeReport, filesNotVerified, type ReportHead } from '../../findings/report.ts';
import { isUnlikely } from '../../findings/unlikely-log.ts';

/** Whether a report is on an episode, and not on files that were not verified. */
const isEpisode = (report: EpisodeReport): boolean => filesNotVerified(report) === 0;

const nothingChecked = (what: string, file: string, hint: string): TargetError =>
  new TargetError('log-missing', `${what}: nothing was checked`, { place: { file }, hint });

/** The error for one file without a log of an agent, which may be the wrong file. */
const notALog = ({ path, notProven = '' }: EpisodeReport): TargetError =>
  nothingChecked(
    `${path === '-' ? 'standard input' : path} is ${notProven}`,
    path,
    'name another file; if it is a log, give its dialect (--dialect) or its fields (--map time=…,type=…)',
  );

/** The error for one log without an event. */
function withoutEvent({ path, findings }: EpisodeReport): TargetError {
  if (findings.some(({ code }) => code === 'verify/unfollowed-link'))
    return nothingChecked(
      `${path} is a link, and links in a folder are not followed`,
      path,
      'name the link itself, or what it leads to',
    );
  const what = path === '-' ? 'standard input' : path;
  return nothingChecked(
    `${what} contains no event`,
    path,
    'a run that died before its first event leaves an empty log',
  );
}

/**
 * Notes what the reports of a verification are on, because a gate must not pass if nothing was checked: if no log has an
 * event, if none is one of an agent, or if a file that the user named is probably not one.
 */
export class WhatWasChecked {
  readonly #named: ReadonlySet<string>;
  #last: EpisodeReport | undefined;
  #unlikely: EpisodeReport | undefined;
  #wrong: EpisodeReport | undefined;
  #unlikelyEvents = 0;

  /** `named`: the paths that the user gave. */
  constructor(named: Iterable<string> = []) {
    this.#named = new Set(named);
  }

  add(report: EpisodeReport): void {
    if (!isEpisode(report)) return;
    this.#last = report;
    if (!isUnlikely(report)) return;
    this.#unlikelyEvents += report.events;
    this.#unlikely ??= report;
    if (this.#named.has(report.path)) this.#wrong ??= report;
  }

  /** The error after the report; undefined if it failed, or if something was checked. */
  error({ summary, verdict }: ReportHead): TargetError | undefined {
    if (verdict === 'fail') return undefined;
    if (this.#wrong !== undefined) return notALog(this.#wrong);
    if (summary.events > this.#unlikelyEvents) return undefined;
    if (this.#unlikely !== undefined) return notALog(this.#unlikely);
    if (summary.episodes === 1 && this.#last !== undefined) return withoutEvent(this.#last);
    return nothingChecked(
      `none of ${summary.episodes} runs contains an event`,
      '',
      'a run that died before its first event leaves an empty log',
    );
  }
}
