import type { ViewText } from '../../dialects/kit/state-view.ts';
import { plainProof } from '../../findings/level.ts';
import { type EpisodeReport, severityCounts } from '../../findings/report.ts';
import { skippedOf } from '../../findings/stages.ts';
import { tally } from './tally.ts';

/** The findings of a report by severity, in words; empty for none. */
export function tallyOf(report: EpisodeReport): string {
  const { error, warn, info } = severityCounts(report);
  return tally(error, warn, info);
}

/**
 * The verification result in a line. Names skipped stages, because `ok` does not cover them. `changed`: what a configuration
 * changed.
 */
export function verdictText(report: EpisodeReport | undefined, changed?: string): ViewText {
  if (report === undefined) return { text: 'not checked because the log is long', tone: 'muted' };
  const found = tallyOf(report);
  const reasons = [...skippedOf(report)].map(
    ([reason, names]) => `; ${names.join(', ')} not checked${reason === undefined ? '' : ` (${reason})`}`,
  );
  const proof = report.level === undefined ? '' : `, ${plainProof({ ...report, level: report.level })}`;
  const chains = report.chains?.map(({ name }) => name) ?? [];
  // A text that was changed in place is as valid as before.
  const isGuarded = chains.length > 0 || (report.level !== 'consistent' && report.level !== 'readable');
  const edits = report.verdict === 'fail' || isGuarded ? '' : '; edits may go unseen';
  const chained = chains.length === 0 ? '' : `; records chained as ${chains.join(', ')}`;
  const rules = changed === undefined ? '' : `; ${changed}`;
  // A run may have failed although its log is intact, so the two have different words.
  const verdict = report.verdict !== 'ok' ? report.verdict : isGuarded ? 'intact' : 'undamaged';
  const text = `${verdict}${proof}${found === '' ? '' : ` (${found})`}${edits}${reasons.join('')}${chained}${rules}`;
  return { text, tone: report.verdict === 'fail' ? 'bad' : report.verdict === 'warn' ? 'doubtful' : 'good' };
}
