import type { LogRecord } from '../../../log/record.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import { callIdOf, isCall, isOutput, isTurnEnd, isTurnStart, itemOf, turnOf } from './records.ts';

/** The id of a call, a start of a turn, or a message. Most records have none (codex.md §2). */
export function idOf({ value }: LogRecord): string | undefined {
  const item = itemOf(value);
  if (isCall(item)) return callIdOf(item) ?? textIn(item.payload, 'id');
  if (isTurnStart(item)) return turnOf(item);
  if (item.type === 'session_meta' || item.type === 'head') return textIn(item.payload, 'id');
  return item.type === 'response_item' ? textIn(item.payload, 'id') : undefined;
}

/** The cause of a record: its call, else its turn (codex.md §6). */
export function causeOf({ value }: LogRecord): string | undefined {
  const item = itemOf(value);
  const called = callIdOf(item) ?? textIn(objectIn(item.payload, 'item'), 'id');
  if (isOutput(item) || (item.type === 'event_msg' && item.kind?.endsWith('_end'))) return called;
  if (item.kind === 'item_completed' && objectIn(item.payload, 'item')['type'] === 'CommandExecution')
    return called;
  return isTurnStart(item) ? undefined : turnOf(item);
}

/** Whether a record ends a thread of `codex exec`. Other threads may continue at any time. */
export class ThreadEnding {
  #isExec = false;

  isOver({ value }: LogRecord): boolean {
    const item = itemOf(value);
    if (item.type === 'session_meta') this.#isExec = textIn(item.payload, 'originator') === 'codex_exec';
    return this.#isExec && isTurnEnd(item);
  }
}
