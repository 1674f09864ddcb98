import type { Document } from '../../../findings/document.ts';
import { formatPath, type JsonPath, valueAt } from '../../../json/path.ts';
import { textOf } from '../../../json/write.ts';
import { parseInstant, sameInstant } from '../../../time/instant.ts';
import type { EpisodeView } from './view.ts';

/** The published runtime takes the time some milliseconds before it writes the start event. */
const START_SLACK_MS = 600_000;

function distance(time: string, from: string | undefined): number {
  const [instant, start] = [parseInstant(time), parseInstant(from ?? time)];
  return instant === undefined || start === undefined ? Infinity : Math.abs(instant - start);
}

/** The state and the summary name one start, near that of the log: of two that differ the farther one is wrong. */
export function checkStartedAt({ facts, state, summary, told }: EpisodeView): void {
  const { startedAt } = facts;
  const inState = valueAt(state?.value, ['episode', 'started_at']);
  const inSummary = valueAt(summary?.value, ['started_at']);
  const say = (document: Document | undefined, path: JsonPath, actual: string, expected: string) =>
    document?.at({
      code: 'consistency/started-at',
      message: `${document.name} ${formatPath(path)} says "${actual}", and the run started at "${expected}"`,
      path,
      expected,
      actual,
    });
  const isFar = (time: string) => startedAt !== undefined && distance(time, startedAt) > START_SLACK_MS;
  const differ =
    typeof inState === 'string' && typeof inSummary === 'string' && !sameInstant(inState, inSummary);
  if (typeof inState === 'string') {
    const stateIsOff = differ && distance(inState, startedAt) > distance(inSummary, startedAt);
    if (!told.has('episode.started_at') && (stateIsOff || isFar(inState)))
      say(state, ['episode', 'started_at'], inState, startedAt ?? textOf(inSummary));
    if (differ && !stateIsOff) say(summary, ['started_at'], inSummary, inState);
  } else if (typeof inSummary === 'string' && startedAt !== undefined && isFar(inSummary)) {
    say(summary, ['started_at'], inSummary, startedAt);
  }
}
