import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { COLUMN } from '../event/rows.ts';
import type { Course } from './course.ts';

/** The doubt about an event that names another episode than the first id of the log, which may be its own. */
function otherEpisode(row: Row, { firstEpisode }: Course, column: number, path: readonly string[]) {
  const actual = row.text(column);
  if (actual === undefined) return undefined;
  const expected = firstEpisode?.value ?? row.text(COLUMN.episode) ?? actual;
  if (actual === expected) return undefined;
  const line = firstEpisode?.line ?? row.line;
  const message = `this event belongs to another episode than the first one, on line ${line}`;
  return { code: 'consistency/episode-id', message, path, expected, actual } satisfies Doubt;
}

type EpisodeRule = Rule<Row, { readonly course: Course }>;

/** The rules for the id of the episode, which a log repeats. */
export const EPISODE_RULES: Readonly<Record<'every' | 'terminate', Readonly<Record<string, EpisodeRule>>>> = {
  every: {
    'events are of one episode': (row, { course }) =>
      otherEpisode(row, course, COLUMN.episode, ['episode_id']),
  },

  terminate: {
    'the end names the episode of the log': (row, { course }) =>
      otherEpisode(row, course, COLUMN.ended, ['payload', 'episode_id']),
  },
};
