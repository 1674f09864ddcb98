import type { JsonObject } from '../../base/json/value.ts';
import { textIn } from '../kit/excerpt.ts';
import { type Casting, castingOf, type StoredVerdict } from './casting.ts';
import type { LedgerEvent } from './read.ts';

/** The end of a run. */
interface Ending {
  readonly line: number;
  readonly payload: JsonObject;
  /** Whether it corrects an earlier end. That is allowed once. */
  readonly isCorrection: boolean;
}

/** The state of one run, with which the next event is compared. */
export class RunSoFar {
  /** The line of its start; 0 if there is none. */
  started = 0;
  /** The turn of the last event that has one, and its line. */
  turn: number | undefined;
  turnLine = 0;
  session: { readonly id: string; readonly line: number } | undefined;
  casting: Casting | undefined;
  verdict: StoredVerdict | undefined;
  end: Ending | undefined;

  copy(): RunSoFar {
    return Object.assign(new RunSoFar(), this);
  }

  /** Whether an event may follow the end. If the budget ran out, a verdict with a winner may follow once. */
  mayCorrect({ kind, payload }: LedgerEvent): boolean {
    if (this.end === undefined || this.end.isCorrection) return false;
    if (this.end.payload['reason'] !== 'budget' || textIn(this.end.payload, 'winner')) return false;
    if (kind !== 'run.finished') return kind === 'judge.verdict';
    return payload['reason'] === 'verdict' && textIn(payload, 'winner') !== undefined;
  }

  /** Adds the next event, which is on `line`. */
  take(event: LedgerEvent, line: number): void {
    const { kind, turn, sessionId } = event;
    if (turn !== undefined) {
      this.turn = turn;
      this.turnLine = line;
    }
    if (sessionId !== null) this.session = { id: sessionId, line };
    switch (kind) {
      case 'run.started':
        this.started = line;
        this.casting = castingOf(event.payload);
        break;
      case 'judge.verdict':
        this.verdict = { winner: winnerIn(event.payload), line };
        break;
      case 'run.finished':
        this.end = { line, payload: event.payload, isCorrection: this.mayCorrect(event) };
    }
  }
}

const winnerIn = ({ winner }: JsonObject): string | null => (typeof winner === 'string' ? winner : null);
