import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { field, type LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import { objectIn, textIn } from '../kit/excerpt.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import type { Tone } from '../kit/state-view.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');

/** The kinds that have the task or the result of a run. */
export const DECISIVE: ReadonlySet<unknown> = new Set(['run.started', 'judge.verdict', 'run.finished']);

/** An event about the run as a whole. */
export interface RunEvent {
  readonly event: JsonObject;
  readonly payload: JsonObject;
  readonly line: number;
}

/** The parts that are neither absent nor empty, as one text; undefined if there are none. */
export const joined = (parts: readonly (string | undefined)[], by: string): string | undefined =>
  parts.filter((part) => part !== undefined && part !== '').join(by) || undefined;

/** The scores of a verdict, as `ann 7, bob 3`; undefined if there are none. */
export function scoresText({ scores }: JsonObject): string | undefined {
  if (!isObject(scores)) return undefined;
  const given = Object.entries(scores).filter(([, score]) => isNumber(score));
  return given.map(([name, score]) => `${name} ${String(score)}`).join(', ') || undefined;
}

/** The result in a verdict or the end of a run, such as who won and whom the verdict accused; undefined if unknown. */
export function resultText(payload: JsonObject): string | undefined {
  const [winner, accused] = [textIn(payload, 'winner'), textIn(payload, 'accused')];
  const { correct, no_contest: noContest } = payload;
  const verdict = typeof correct === 'boolean' ? (correct ? 'correct' : 'wrong') : undefined;
  const accusation =
    accused === undefined ? verdict : `accused ${accused}${verdict === undefined ? '' : ` (${verdict})`}`;
  const won = noContest === true ? 'no contest' : winner && `${winner} won`;
  return joined([won, accusation], ', ');
}

/** What the reason for the end of a run means to a reader; undefined while it continues. */
export function toneOf(status: string): Tone | undefined {
  if (status === 'running') return undefined;
  return status === 'verdict' ? 'good' : 'doubtful';
}

/** The facts of one run. Of each kind, the latest event counts. */
export class RunReader {
  started: RunEvent | undefined;
  verdict: RunEvent | undefined;
  finished: RunEvent | undefined;

  add(event: JsonObject, line: number): void {
    const { kind } = event;
    if (!DECISIVE.has(kind)) return;
    const known = { event, payload: objectIn(event, 'payload'), line };
    if (kind === 'run.started') this.started = known;
    else if (kind === 'judge.verdict') this.verdict = known;
    else this.finished = known;
  }

  /** The goal of the run, else its seed. */
  get task(): string | undefined {
    return textIn(this.started?.payload, 'goal') ?? textIn(this.started?.payload, 'seed');
  }

  get status(): string {
    return this.finished === undefined ? 'running' : (textIn(this.finished.payload, 'reason') ?? 'finished');
  }

  get result(): string | undefined {
    return resultText(this.verdict?.payload ?? {}) ?? resultText(this.finished?.payload ?? {});
  }
}

/** The runs of a ledger, in the order of their first event (fishbowl.md §5). */
export class LedgerReader {
  readonly runs = new Map<string, RunReader>();

  add(event: JsonObject, line: number): void {
    this.runOf(textIn(event, 'run_id') ?? 'a run without an id').add(event, line);
  }

  runOf(id: string): RunReader {
    const run = this.runs.get(id) ?? new RunReader();
    this.runs.set(id, run);
    return run;
  }

  /** The run that is shown: the only one, or the first. */
  get first(): RunReader {
    const [run = new RunReader()] = this.runs.values();
    return run;
  }

  get isMany(): boolean {
    return this.runs.size > 1;
  }
}

/** The list entry: the task of the first run, why it ended and who won. A ledger of several runs has no status. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const reader = new LedgerReader();
  for (const event of [...head, ...tail]) reader.add(event, 0);
  const { task, status, result } = reader.first;
  return reader.isMany ? { task: task && `${task} (and other runs)` } : { task, status, result };
}

/** A run ends with its `run.finished`, and a ledger when all runs in it have ended. */
export function ledgerEnding(only: string | undefined): LogEnding {
  const open = new Set<string>();
  const finished = new Set<string>();
  return {
    isOver(record: LogRecord): boolean {
      const run = record.string(RUN_ID);
      if (run !== undefined && (only === undefined || run === only)) {
        if (record.string(KIND) === 'run.finished') {
          finished.add(run);
          open.delete(run);
        } else if (!finished.has(run)) open.add(run);
      }
      return open.size === 0 && finished.size > 0;
    },
  };
}
