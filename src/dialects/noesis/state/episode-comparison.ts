import { parseInstant, sameInstant } from '../../../base/time/instant.ts';
import { differences } from '../../../findings/projection/difference.ts';
import { member, NOTHING_COMPARED, type PartAnswer } from '../part-answer.ts';
import type { Compared } from './compared.ts';

/** The published runtime reads the clock some milliseconds before it writes the start event. */
export const START_SLACK_MS = 600_000;

/** The time between two instants in milliseconds; infinite if one is invalid. */
export function distance(time: string, from: string): number {
  const [instant, start] = [parseInstant(time), parseInstant(from)];
  return instant === undefined || start === undefined ? Infinity : Math.abs(instant - start);
}

/**
 * Compares the start with the time of the start event. Runtimes without `run.state_projection` read the clock shortly
 * before they write the event, so times close to it are not compared.
 */
export function compareStartedAt({ start, persisted, sources, stored }: Compared): PartAnswer {
  if (start?.time === undefined) return NOTHING_COMPARED;
  const path = ['episode', 'started_at'];
  const kept = member(member(stored, 'episode'), 'started_at');
  const isNear =
    persisted === undefined && typeof kept === 'string' && distance(kept, start.time) <= START_SLACK_MS;
  if (isNear && !sameInstant(kept, start.time)) {
    const reason = 'this runtime takes the time shortly before it writes the start event';
    const notCompared = [{ path: 'episode.started_at', reason, line: start.source.line }];
    return { compared: [], differences: [], notCompared };
  }
  return { compared: [path], differences: differences(start.time, kept, path, sources), notCompared: [] };
}

/** Compares the episode's id with the one in the log. */
export function compareId({ episode, sources, stored }: Compared): PartAnswer {
  if (episode === undefined) return NOTHING_COMPARED;
  const path = ['episode', 'id'];
  const kept = member(member(stored, 'episode'), 'id');
  return { compared: [path], differences: differences(episode.id, kept, path, sources), notCompared: [] };
}
