import { defined } from '../../base/json/defined.ts';
import type { JsonObject } from '../../base/json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Account, AccountBuilder } from '../kit/account.ts';
import { objectIn, textIn } from '../kit/members.ts';
import { tableSection, type ViewText, viewCell } from '../kit/state-view.ts';
import { type FishbowlRun, Runs, scoresText } from './run.ts';

/** At most this many runs of a ledger are listed. */
const MOST_RUNS = 100;

function rowOf({ id, status, tone, result, task, started, verdict }: FishbowlRun): ViewText[] {
  return [
    { ...viewCell(id, 'name'), ...(started && { line: started.line }) },
    viewCell(status, tone),
    viewCell(result),
    viewCell(scoresText(verdict?.payload ?? {})),
    viewCell(task),
  ];
}

/** A run of a ledger with many, as data. */
const factsOf = ({ id, status, result, task, started, verdict }: FishbowlRun) => ({
  run: id,
  status,
  ...defined({ result, task, line: started?.line, scores: verdict?.payload['scores'] }),
});

/** Makes the account of a ledger: cast, verdict and winner of its only run, or a list of its runs (fishbowl.md §6). */
export class FishbowlAccount implements AccountBuilder {
  readonly #runs = new Runs();
  readonly #said = new Map<string, number>();

  add({ value: event, line }: LogRecord): void {
    this.#runs.add(event, line);
    const actor = textIn(event, 'actor');
    if (actor !== undefined && textIn(event, 'kind')?.startsWith('agent.'))
      this.#said.set(actor, (this.#said.get(actor) ?? 0) + 1);
  }

  result(): Account {
    const runs = this.#runs;
    const { first, isMany } = runs;
    if (isMany) {
      const text = `a ledger of ${runs.size} runs: FILE#RUN shows one, noesis list names them`;
      const sections = [
        ...tableSection(
          'Runs',
          ['RUN', 'STATUS', 'RESULT', 'SCORES', 'TASK'],
          [...runs.values()].slice(0, MOST_RUNS).map(rowOf),
        ),
        { lines: [{ text, tone: 'muted' as const }] },
      ];
      const facts = { runs: [...runs.values()].map(factsOf) };
      return { status: 'several runs', isOver: undefined, isMany, why: [], steps: [], facts, sections };
    }
    const { task, status, tone, isOver, reasons, started } = first;
    const cast = this.#cast(started?.payload);
    const rows = cast.map(({ name, said, model }) => [
      viewCell(name, 'name'),
      viewCell(String(said)),
      viewCell(model),
    ]);
    return {
      task,
      status,
      tone,
      isOver,
      why: reasons,
      steps: [],
      ...(cast.length > 0 && { facts: { cast } }),
      sections: tableSection('Cast', ['NAME', 'SAID', 'MODEL'], rows),
    };
  }

  #cast(started: JsonObject | undefined) {
    return Object.entries(objectIn(started, 'cast')).map(([name, seat]) => ({
      name,
      said: this.#said.get(name) ?? 0,
      ...defined({ model: textIn(seat, 'model') ?? textIn(seat, 'model_endpoint') }),
    }));
  }
}
