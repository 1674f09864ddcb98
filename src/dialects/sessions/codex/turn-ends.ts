import { repeatsError } from '../../kit/error-text.ts';
import { textIn } from '../../kit/members.ts';
import { outcomeOfProblem } from '../kit/outcome.ts';
import type { OtherSpans } from '../kit/reader.ts';
import {
  errorOfTurn,
  type Item,
  isError,
  isOutputOfModel,
  isTurnEnd,
  isTurnStart,
  itemOf,
  NO_ANSWER,
  promptInEvent,
  promptInItem,
} from './records.ts';

/** `failed`: with an error, or without an answer. `compacted`: the program only compacted the conversation, which needs no answer. */
export type TurnEnd = 'aborted' | 'failed' | 'compacted' | 'done';

/** Recognises how turns ended, from all records in order. */
export class TurnEnds {
  /** Whether a prompt waits for what the model says. It may come before the start of its turn. */
  #isPrompted = false;
  /** What happened since the last start of a turn. */
  #turn = { isCompacted: false, hasWork: false };

  /** How a turn ended, if this record is its end. */
  next(item: Item): TurnEnd | undefined {
    if (isTurnEnd(item)) return this.#end(item);
    if (isTurnStart(item)) this.#turn = { isCompacted: false, hasWork: false };
    else if (item.type === 'compacted' || item.kind === 'context_compacted') this.#turn.isCompacted = true;
    else if (isOutputOfModel(item) || isError(item)) {
      this.#turn.hasWork = true;
      this.#isPrompted = false;
    } else if ((promptInEvent(item) ?? promptInItem(item)) !== undefined) this.#isPrompted = true;
    return undefined;
  }

  #end(item: Item): TurnEnd {
    const { isCompacted, hasWork } = this.#turn;
    const isCompaction = isCompacted && !hasWork && !this.#isPrompted;
    this.#turn = { isCompacted: false, hasWork: false };
    this.#isPrompted = false;
    if (item.kind === 'turn_aborted') return 'aborted';
    if (errorOfTurn(item) !== undefined) return 'failed';
    if (isCompaction) return 'compacted';
    return item.payload['last_agent_message'] === null ? 'failed' : 'done';
  }
}

/** Starts to read the ends of turns and the errors. */
export function otherSpans(): OtherSpans {
  const ends = new TurnEnds();
  return (event, error) => {
    const item = itemOf(event);
    const end = ends.next(item);
    const { kind, payload } = item;
    const [name, start] = [kind ?? '', textIn(event, 'timestamp')];
    if (end === 'aborted')
      return { name, start, status: outcomeOfProblem('interrupted'), reason: textIn(payload, 'reason') };
    if (isError(item)) return { name, start, status: 'error', reason: textIn(payload, 'message') };
    if (end !== 'failed') return undefined;
    const why = errorOfTurn(item);
    return {
      name,
      start,
      status: 'error',
      reason: why ?? NO_ANSWER,
      ...(repeatsError(why, error) && { isEcho: true as const }),
    };
  };
}
