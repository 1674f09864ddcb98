import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Account, AccountBuilder, EndingReason } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/excerpt.ts';
import { tableSection, type ViewText, viewCell } from '../kit/state-view.ts';
import { LedgerReader, type RunEvent, type RunReader, scoresText, toneOf } from './runs.ts';

function verdictReason({ event, payload, line }: RunEvent): EndingReason {
  const said = [
    ['accused', payload['accused']],
    ['correct', payload['correct']],
    ['scores', scoresText(payload)],
    ['no contest', payload['no_contest']],
  ] as const;
  return {
    kind: 'verdict',
    text: textIn(payload, 'text') ?? 'no text',
    tone: 'good',
    line,
    facts: [
      ['winner', payload['winner']],
      ['judge', textIn(event, 'actor')],
      ...said.filter(([, value]) => value !== undefined),
    ],
  };
}

function endReason({ payload, line }: RunEvent): EndingReason {
  const winner = textIn(payload, 'winner');
  return {
    kind: 'run.finished',
    text: winner === undefined ? 'nobody won' : `${winner} won`,
    tone: winner === undefined ? 'doubtful' : 'good',
    line,
    facts: [
      ['models', payload['winning_models']],
      ['turns', payload['turns']],
      ['tokens', payload['tokens']],
    ],
  };
}

/** At most this many runs of a ledger are listed. */
const MOST_RUNS = 100;

function rowOf([id, { status, result, task, started, verdict }]: readonly [string, RunReader]): ViewText[] {
  const tone = toneOf(status);
  return [
    { ...viewCell(id, 'name'), ...(started && { line: started.line }) },
    viewCell(status, tone),
    viewCell(result),
    viewCell(scoresText(verdict?.payload ?? {})),
    viewCell(task),
  ];
}

/** Makes the account of a ledger: cast, verdict and winner of its only run, or a list of its runs (fishbowl.md §6). */
export class FishbowlAccount implements AccountBuilder {
  readonly #ledger = new LedgerReader();
  readonly #said = new Map<string, number>();

  add({ value: event, line }: LogRecord): void {
    this.#ledger.add(event, line);
    const actor = textIn(event, 'actor');
    if (actor !== undefined && textIn(event, 'kind')?.startsWith('agent.'))
      this.#said.set(actor, (this.#said.get(actor) ?? 0) + 1);
  }

  result(): Account {
    const { runs, first, isMany } = this.#ledger;
    if (isMany) {
      const text = `a ledger of ${runs.size} runs: FILE#RUN shows one, noesis list names them`;
      const sections = [
        ...tableSection(
          'Runs',
          ['RUN', 'STATUS', 'RESULT', 'SCORES', 'TASK'],
          [...runs].slice(0, MOST_RUNS).map(rowOf),
        ),
        { lines: [{ text, tone: 'muted' as const }] },
      ];
      return { status: 'several runs', isOver: undefined, isMany, why: [], steps: [], sections };
    }
    const { task, status, started, verdict, finished } = first;
    return {
      task,
      status,
      tone: toneOf(status),
      isOver: finished !== undefined,
      why: [...(verdict ? [verdictReason(verdict)] : []), ...(finished ? [endReason(finished)] : [])],
      steps: [],
      sections: this.#cast(started?.payload),
    };
  }

  #cast(started: JsonObject | undefined) {
    const rows = Object.entries(objectIn(started, 'cast')).map(([name, seat]) => {
      const model = textIn(seat, 'model') ?? textIn(seat, 'model_endpoint');
      return [viewCell(name, 'name'), viewCell(String(this.#said.get(name) ?? 0)), viewCell(model)];
    });
    return tableSection('Cast', ['NAME', 'SAID', 'MODEL'], rows);
  }
}
