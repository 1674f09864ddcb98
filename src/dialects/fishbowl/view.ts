import { isObject, type JsonObject } from '../../json/value.ts';
import {
  type StateView,
  tableSection,
  timeField,
  type ViewSection,
  viewCell,
  viewFields,
  viewText,
} from '../state-view.ts';

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The latest notes of a kind on stage, one a line. */
function notes(title: string, value: unknown): ViewSection[] {
  const lines = (Array.isArray(value) ? value : []).map((note) => ({ text: viewText(note) }));
  return lines.length === 0 ? [] : [{ title, lines }];
}

function runSections(run: JsonObject, stage: JsonObject): ViewSection[] {
  const { run_id: id, reason, winner, winner_kind: kind, finished_at: finished, cast } = run;
  const won = winner === null ? undefined : `${viewText(winner)}${kind === 'team' ? ' (a team)' : ''}`;
  return [
    {
      fields: [
        ...viewFields([
          ['Run', id, 'name'],
          ['Scenario', run['scenario']],
          ['Seed', run['seed']],
          ['Goal', stage['goal']],
          [
            'End',
            finished === null ? 'none in this ledger' : reason,
            finished === null ? 'muted' : reason === 'verdict' ? 'good' : 'doubtful',
          ],
          ['Winner', won, 'good'],
          ['Models', run['winning_models']],
          ['Turns', run['turns']],
          ['Tokens', run['tokens']],
        ]),
        ...timeField('Started', run['started_at']),
        ...timeField('Finished', finished),
      ],
    },
    ...tableSection(
      'Cast',
      ['NAME', 'MODEL', 'PROFILE'],
      Object.entries(isObject(cast) ? cast : {}).map(([name, seat]) => {
        const { model_endpoint: model, model_profile: profile } = isObject(seat) ? seat : {};
        return [viewCell(name), viewCell(model), viewCell(profile, 'muted')];
      }),
    ),
    ...notes('Scene', viewText(stage['current_scene']) === '' ? [] : [stage['current_scene']]),
    ...notes('Agents', stage['agent_notes']),
    ...notes('Judge', stage['judge_notes']),
    ...notes('Visitor', stage['user_artifacts']),
  ];
}

const share = (rate: unknown): string => (typeof rate === 'number' ? `${Math.round(rate * 100)} %` : '');

function leaderboard(board: JsonObject): ViewSection[] {
  const scores = (title: string, name: string, rows: unknown, key: string): ViewSection[] =>
    tableSection(
      title,
      [name, 'WINS', 'PLAYS', 'SHARE'],
      objectsIn(rows).map((row) => [
        viewCell(row[key]),
        viewCell(row['wins']),
        viewCell(row['plays']),
        viewCell(share(row['win_rate'])),
      ]),
    );
  const tables = isObject(board['agent_tables']) ? Object.entries(board['agent_tables']) : [];
  return [
    ...scores('Leaderboard of models', 'MODEL', board['model_table'], 'model_endpoint'),
    ...tables.flatMap(([scenario, rows]) => scores(`Leaderboard of ${scenario}`, 'AGENT', rows, 'agent')),
  ];
}

/** What a ledger says: each run with its cast and its stage, then the leaderboards. */
export function viewOfLedger(state: unknown): StateView {
  const { runs, stage, leaderboard: board } = isObject(state) ? state : {};
  const stages = isObject(stage) ? stage : {};
  return [
    ...objectsIn(runs).flatMap((run) => {
      const own = stages[viewText(run['run_id'])];
      return runSections(run, isObject(own) ? own : {});
    }),
    ...leaderboard(isObject(board) ? board : {}),
  ];
}
