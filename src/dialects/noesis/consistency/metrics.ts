import { valueAt } from '../../../json/path.ts';
import { isObject, type JsonValue, jsonEqual } from '../../../json/value.ts';
import { show } from './agreement.ts';
import type { EpisodeView } from './view.ts';

const INSIGHT_KEYS = ['plan_adherence', 'tool_coverage', 'veto_count', 'success', 'act_count'] as const;

/** The counts of the summary against those of the log and of its insight event. */
export function checkMetrics({ facts, summary }: EpisodeView): void {
  const metrics = valueAt(summary?.value, ['metrics']);
  if (summary === undefined || !isObject(metrics)) return;
  const compare = (key: string, counted: JsonValue, what: string) => {
    const stored = metrics[key];
    const same = jsonEqual(stored, counted) || jsonEqual(Number(stored), Number(counted));
    if (stored === undefined || stored === null || same) return;
    const message = `metrics.${key} is ${show(stored)}, ${what} ${show(counted)}`;
    summary.at({
      code: 'consistency/metrics',
      message,
      path: ['metrics', key],
      expected: show(counted),
      actual: show(stored),
    });
  };
  compare('act_count', facts.acts, 'and the log has acts:');
  compare('direction_events', facts.directions.events, 'and the log has direction events:');
  compare('direction_applied', facts.directions.applied, 'and the log has applied directives:');
  compare('direction_vetoed', facts.directions.vetoed, 'and the log has blocked directives:');
  const insight = facts.insight?.payload['metrics'];
  if (!isObject(insight)) return;
  for (const key of INSIGHT_KEYS) {
    const said = insight[key];
    const told = key === 'act_count' && metrics[key] !== facts.acts;
    if (said !== undefined && !told)
      compare(key, said, `and the insight event on line ${facts.insight?.line} says`);
  }
}
