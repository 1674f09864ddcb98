import type { JsonObject, JsonValue } from '../../base/json/value.ts';
import { listIn, namedIn, objectIn, objectsIn, textIn } from '../kit/members.ts';
import {
  inTone,
  objectTable,
  type StateView,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../kit/state-view.ts';

/** A section with the latest notes of a kind, one per line. */
function notes(title: string, texts: readonly JsonValue[]): ViewSection[] {
  const lines = texts.map((note) => ({ text: viewText(note) }));
  return lines.length === 0 ? [] : [{ title, lines }];
}

function runSections(run: JsonObject, stage: JsonObject): ViewSection[] {
  const { run_id: id, reason, winner, winner_kind: kind, finished_at: finished } = run;
  const scene = textIn(stage, 'current_scene');
  const won = winner === null ? undefined : `${viewText(winner)}${kind === 'team' ? ' (a team)' : ''}`;
  return [
    {
      fields: viewFields([
        ['Run', id, 'name'],
        ['Scenario', run['scenario']],
        ['Seed', run['seed']],
        ['Goal', stage['goal']],
        finished === null
          ? ['End', 'none in this ledger', 'muted']
          : ['End', reason, reason === 'verdict' ? 'good' : 'doubtful'],
        ['Winner', won, 'good'],
        ['Models', run['winning_models']],
        ['Turns', run['turns']],
        ['Tokens', run['tokens']],
        ['Started', run['started_at'], 'time'],
        ['Finished', finished, 'time'],
      ]),
    },
    ...objectTable('Cast', namedIn(run, 'cast'), {
      NAME: 'name',
      MODEL: 'model_endpoint',
      PROFILE: inTone('model_profile', 'muted'),
    }),
    ...notes('Scene', scene === undefined ? [] : [scene]),
    ...notes('Agents', listIn(stage, 'agent_notes')),
    ...notes('Judge', listIn(stage, 'judge_notes')),
    ...notes('Visitor', listIn(stage, 'user_artifacts')),
  ];
}

const share = (rate: unknown): string => (typeof rate === 'number' ? `${Math.round(rate * 100)} %` : '');

function leaderboard(board: JsonObject): ViewSection[] {
  const scores = (title: string, name: string, rows: JsonObject[], key: string): ViewSection[] =>
    objectTable(title, rows, {
      [name]: key,
      WINS: 'wins',
      PLAYS: 'plays',
      SHARE: ({ win_rate: rate }) => viewCell(share(rate)),
    });
  const tables = objectIn(board, 'agent_tables');
  return [
    ...scores('Leaderboard of models', 'MODEL', objectsIn(board, 'model_table'), 'model_endpoint'),
    ...Object.keys(tables).flatMap((scenario) =>
      scores(`Leaderboard of ${scenario}`, 'AGENT', objectsIn(tables, scenario), 'agent'),
    ),
  ];
}

/** Shows a ledger: each run with cast and stage, then the leaderboards. */
export function viewOfLedger(state: unknown): StateView {
  const stages = objectIn(state, 'stage');
  return [
    ...objectsIn(state, 'runs').flatMap((run) => runSections(run, objectIn(stages, viewText(run['run_id'])))),
    ...leaderboard(objectIn(state, 'leaderboard')),
  ];
}
