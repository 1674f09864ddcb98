import type { JsonObject } from '../../json/value.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Account, AccountBuilder, EndingReason } from '../account.ts';
import { objectIn, textIn } from '../excerpt.ts';
import { tableSection, viewCell } from '../state-view.ts';
import { taskOf, toneOf } from './log-summary.ts';
import { scoresText } from './outcome.ts';

/** What one run of a ledger came to: its cast, the verdict and who won (fishbowl.md §6). */
export class FishbowlAccount implements AccountBuilder {
  readonly #runs = new Set<string>();
  readonly #said = new Map<string, number>();
  #started: JsonObject | undefined;
  #verdict: EndingReason | undefined;
  #finish: { readonly payload: JsonObject; readonly line: number } | undefined;

  add(record: LogRecord): void {
    const { value: event, line } = record;
    const payload = objectIn(event, 'payload');
    const run = textIn(event, 'run_id');
    if (run !== undefined) this.#runs.add(run);
    const kind = textIn(event, 'kind');
    const actor = textIn(event, 'actor');
    if (actor !== undefined && kind?.startsWith('agent.'))
      this.#said.set(actor, (this.#said.get(actor) ?? 0) + 1);
    if (kind === 'run.started') this.#started = payload;
    if (kind === 'judge.verdict') {
      const said = [
        ['accused', payload['accused']],
        ['correct', payload['correct']],
        ['scores', scoresText(payload)],
        ['no contest', payload['no_contest']],
      ] as const;
      const facts = [
        ['winner', payload['winner']] as const,
        ['judge', actor] as const,
        ...said.filter(([, value]) => value !== undefined),
      ];
      this.#verdict = {
        kind: 'verdict',
        text: textIn(payload, 'text') ?? 'no text',
        tone: 'good',
        line,
        facts,
      };
    }
    if (kind === 'run.finished') this.#finish = { payload, line };
  }

  result(): Account {
    if (this.#runs.size > 1) {
      const text = `a ledger of ${this.#runs.size} runs: FILE#RUN shows one, noesis list names them`;
      const sections = [{ lines: [{ text, tone: 'muted' as const }] }];
      return { status: 'several runs', isOver: undefined, isMany: true, why: [], steps: [], sections };
    }
    const started = this.#started ?? {};
    const status =
      this.#finish === undefined ? 'running' : (textIn(this.#finish.payload, 'reason') ?? 'finished');
    return {
      task: taskOf(started),
      status,
      tone: toneOf(status),
      isOver: this.#finish !== undefined,
      why: [this.#verdict, this.#end()].filter((reason) => reason !== undefined),
      steps: [],
      sections: this.#cast(started),
    };
  }

  #end(): EndingReason | undefined {
    if (this.#finish === undefined) return undefined;
    const { payload, line } = this.#finish;
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

  #cast(started: JsonObject) {
    const rows = Object.entries(objectIn(started, 'cast')).map(([name, seat]) => {
      const model = textIn(seat, 'model') ?? textIn(seat, 'model_endpoint');
      return [viewCell(name, 'name'), viewCell(String(this.#said.get(name) ?? 0)), viewCell(model)];
    });
    return tableSection('Cast', ['NAME', 'SAID', 'MODEL'], rows);
  }
}
