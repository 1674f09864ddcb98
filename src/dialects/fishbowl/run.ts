import { isNumber } from '../../base/json/stored-number.ts';
import { isObject, type JsonObject, type JsonValue } from '../../base/json/value.ts';
import { field, type LogRecord } from '../../log/record.ts';
import type { LogEnding } from '../dialect.ts';
import type { EndingReason } from '../kit/account.ts';
import type { LogEnds, LogSummary } from '../kit/log-summary.ts';
import { textIn } from '../kit/members.ts';
import { entryOf, type Run } from '../kit/run.ts';
import type { Tone } from '../kit/state-view.ts';
import { type Casting, castingOf, isActor } from './casting.ts';
import { instantOf, type LedgerEvent, readLeniently } from './read.ts';

const RUN_ID = field('run_id');
const KIND = field('kind');

/** The kinds that have the task or the result of a run. */
export const DECISIVE: ReadonlySet<unknown> = new Set(['run.started', 'judge.verdict', 'run.finished']);

/** An event about the run as a whole. */
interface RunEvent extends Pick<LedgerEvent, 'payload' | 'actor' | 'createdAt' | 'sessionId'> {
  readonly line: number;
}

/** A run of a ledger. Of each decisive kind, the latest event counts. */
export class FishbowlRun implements Run<LedgerEvent> {
  readonly id: string;
  /** The line of its first event; 0 before it. */
  firstLine = 0;
  started: RunEvent | undefined;
  verdict: RunEvent | undefined;
  finished: RunEvent | undefined;
  /** Whether the end corrects an earlier one, which is allowed once. */
  isCorrection = false;
  /** The last turn, and its line. */
  turn: number | undefined;
  turnLine = 0;
  /** The last time, and its line. */
  instant: number | undefined;
  createdAt: JsonValue | undefined;
  timeLine = 0;
  /** The last session that an event named, and its line. */
  session: string | null = null;
  sessionLine = 0;
  /** Who acted without belonging to the run. */
  strangers: ReadonlySet<string> = new Set();
  casting: Casting = castingOf({});

  constructor(id: string) {
    this.id = id;
  }

  take(event: LedgerEvent, line: number): void {
    const { kind, actor, turn, sessionId } = event;
    const instant = event.instant ?? instantOf(event.createdAt);
    if (this.firstLine === 0) this.firstLine = line;
    if (turn !== undefined) {
      this.turn = turn;
      this.turnLine = line;
    }
    if (instant !== undefined) {
      this.instant = instant;
      this.createdAt = event.createdAt;
      this.timeLine = line;
    }
    if (sessionId !== null) {
      this.session = sessionId;
      this.sessionLine = line;
    }
    if (DECISIVE.has(kind)) this.#decide(event, line);
    if (actor !== undefined && !isActor(actor, this.casting) && !this.strangers.has(actor))
      this.strangers = new Set([...this.strangers, actor]);
  }

  #decide(event: LedgerEvent, line: number): void {
    const { kind, payload, actor, createdAt, sessionId } = event;
    const known = { line, payload, actor, createdAt, sessionId };
    if (kind === 'run.started') {
      this.started = known;
      this.casting = castingOf(payload);
    } else if (kind === 'judge.verdict') this.verdict = known;
    else {
      this.isCorrection = this.mayFollowEnd(event);
      this.finished = known;
    }
  }

  copy(): FishbowlRun {
    return Object.assign(new FishbowlRun(this.id), this);
  }

  /** Whether an event may follow the end: if the budget ran out, a verdict with a winner may, once (fishbowl.md §5). */
  mayFollowEnd({ kind, payload }: LedgerEvent): boolean {
    const end = this.finished?.payload;
    if (end === undefined || this.isCorrection) return false;
    if (end['reason'] !== 'budget' || textIn(end, 'winner')) return false;
    if (kind !== 'run.finished') return kind === 'judge.verdict';
    return payload['reason'] === 'verdict' && textIn(payload, 'winner') !== undefined;
  }

  /** The goal of the run, else its seed. */
  get task(): string | undefined {
    return textIn(this.started?.payload, 'goal') ?? textIn(this.started?.payload, 'seed');
  }

  get isOver(): boolean {
    return this.finished !== undefined;
  }

  get status(): string {
    return this.finished === undefined ? 'running' : (textIn(this.finished.payload, 'reason') ?? 'finished');
  }

  get tone(): Tone | undefined {
    return toneOf(this.status);
  }

  get result(): string | undefined {
    return resultText(this.verdict?.payload ?? {}) ?? resultText(this.finished?.payload ?? {});
  }

  get reasons(): readonly EndingReason[] {
    const { verdict, finished } = this;
    return [...(verdict ? [verdictReason(verdict)] : []), ...(finished ? [endReason(finished)] : [])];
  }
}

function verdictReason({ actor, payload, line }: RunEvent): EndingReason {
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
      ['judge', actor || undefined],
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

/** The runs of a ledger, in the order of their first event (fishbowl.md §5). */
export class Runs extends Map<string, FishbowlRun> {
  of(id: string): FishbowlRun {
    let run = this.get(id);
    if (run === undefined) {
      run = new FishbowlRun(id);
      this.set(id, run);
    }
    return run;
  }

  /** Adds the next event of the ledger, even a faulty one. */
  add(stored: JsonObject, line: number): void {
    const event = readLeniently(stored);
    this.of(event.runId).take(event, line);
  }

  /** The run that is shown: the only one, or the first. */
  get first(): FishbowlRun {
    const [run = new FishbowlRun('')] = this.values();
    return run;
  }

  get isMany(): boolean {
    return this.size > 1;
  }
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

/** The list entry: the task of the first run, why it ended and who won. A ledger of several runs has no status. */
export function summarizeLog({ head, tail }: LogEnds): LogSummary {
  const runs = new Runs();
  for (const event of [...head, ...tail]) runs.add(event, 0);
  const { task } = runs.first;
  return runs.isMany ? { task: task && `${task} (and other runs)` } : entryOf(runs.first);
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
