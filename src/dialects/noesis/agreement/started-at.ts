import { formatPath, type JsonPath, valueAt } from '../../../base/json/path.ts';
import { sameInstant } from '../../../base/time/instant.ts';
import type { Document } from '../../../findings/document.ts';
import { distance, START_SLACK_MS } from '../state/episode-comparison.ts';
import type { EpisodeView } from './view.ts';

/**
 * Compares the starts in state and summary. They must be equal and close to the log's; if they differ, the one farther
 * from it is wrong.
 */
export function checkStartedAt({ course, state, summary, differing }: EpisodeView): void {
  const startedAt = course.start?.time;
  const inState = valueAt(state?.value, ['episode', 'started_at']);
  const inSummary = valueAt(summary?.value, ['started_at']);
  const say = (document: Document | undefined, path: JsonPath, actual: string, expected: string) =>
    document?.at({
      code: 'consistency/started-at',
      message: `${document.name} ${formatPath(path)} says ${JSON.stringify(actual)}, but the run started at ${JSON.stringify(expected)}`,
      path,
      expected,
      actual,
    });
  // Without a start event, neither counts as too far away.
  const away = (time: string) => (startedAt === undefined ? 0 : distance(time, startedAt));
  const differ =
    typeof inState === 'string' && typeof inSummary === 'string' && !sameInstant(inState, inSummary);
  if (typeof inState === 'string') {
    const stateIsOff = differ && away(inState) > away(inSummary);
    const isWrong = stateIsOff || away(inState) > START_SLACK_MS;
    if (isWrong && startedAt !== undefined && !differing.has('episode.started_at'))
      say(state, ['episode', 'started_at'], inState, startedAt);
    if (differ && !stateIsOff) say(summary, ['started_at'], inSummary, inState);
  } else if (typeof inSummary === 'string' && startedAt !== undefined && away(inSummary) > START_SLACK_MS)
    say(summary, ['started_at'], inSummary, startedAt);
}
