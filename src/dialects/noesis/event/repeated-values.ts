import { named } from '../../../base/json/write.ts';
import type { Row } from '../../../log/row.ts';
import type { Doubt, Rule } from '../../kit/rules.ts';
import { errorBeside } from './outcome.ts';
import { COLUMN, PHASE } from './rows.ts';

/** The first id of an episode in the log: its ordinal, and its line. */
export class EpisodeId {
  /** -1 before the first. */
  id = -1;
  line = 0;

  take(row: Row): void {
    if (this.id >= 0) return;
    this.id = firstIn(row);
    this.line = row.line;
  }
}

const firstIn = (row: Row): number => {
  const own = row.ordinal(COLUMN.episode);
  return own >= 0 || row.type !== PHASE.terminate ? own : row.ordinal(COLUMN.ended);
};

function otherEpisode(row: Row, id: number, known: EpisodeId, path: readonly string[]): Doubt | undefined {
  const first = known.id >= 0 ? known : { id: firstIn(row), line: row.line };
  if (id < 0 || id === first.id) return undefined;
  return {
    code: 'consistency/episode-id',
    message: `this event belongs to another episode than the first one, on line ${first.line}`,
    path,
    expected: row.texts.textOf(first.id),
    actual: row.texts.textOf(id),
  };
}

/** The doubt about an act or an end that succeeded and has an error. */
function errorOfSuccess(row: Row, what: 'act' | 'run', status: string | undefined): Doubt | undefined {
  const kind = row.kind(COLUMN.error);
  if (kind !== 'string' && kind !== 'object') return undefined;
  const error = errorBeside(status, row.text(COLUMN.error) ?? row.value(COLUMN.error));
  if (error === undefined) return undefined;
  const message = `the ${what} ended as ${named(status ?? '')}, but ${error}`;
  const code = what === 'act' ? 'consistency/action' : 'consistency/status';
  return { code, severity: 'warn', message, path: ['payload', 'error'] };
}

type EpisodeRule = Rule<Row, { readonly episode: EpisodeId }>;

/** The rules for values that a log repeats: the id of the episode, and the status of an act under two names. */
export const REPEATED_VALUE_RULES: Readonly<
  Record<'every' | 'act' | 'end' | 'terminate', Readonly<Record<string, EpisodeRule>>>
> = {
  every: {
    'events are of one episode': (row, { episode }) =>
      otherEpisode(row, row.ordinal(COLUMN.episode), episode, ['episode_id']),
  },

  act: {
    'outcome and result_status are equal'(row) {
      const [said, repeated] = [row.ordinal(COLUMN.outcome), row.ordinal(COLUMN.result)];
      if (said < 0 || repeated < 0 || said === repeated) return undefined;
      const [outcome, status] = [row.texts.textOf(said), row.texts.textOf(repeated)];
      const message = `outcome says ${named(outcome)}, result_status says ${named(status)}: they must have the same value`;
      const path = ['payload', 'result_status'];
      return { code: 'consistency/action', message, path, expected: outcome, actual: status };
    },

    'an act that succeeded has no error': (row) =>
      errorOfSuccess(row, 'act', row.text(COLUMN.result) ?? row.text(COLUMN.outcome)),
  },

  end: {
    'a run that succeeded has no error': (row) => errorOfSuccess(row, 'run', row.text(COLUMN.status)),
  },

  terminate: {
    'the end names the episode of the log': (row, { episode }) =>
      otherEpisode(row, row.ordinal(COLUMN.ended), episode, ['payload', 'episode_id']),
  },
};
