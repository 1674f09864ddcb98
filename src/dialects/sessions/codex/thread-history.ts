import { parseInstant } from '../../../base/time/instant.ts';
import type { TimesOfCopy } from '../../kit/copied.ts';
import { objectIn, textIn } from '../../kit/members.ts';
import type { CopyReader } from '../kit/copies-in.ts';
import { type Item, isTurnStart, itemOf, promptInEvent, promptInItem, turnOf } from './records.ts';

/** In milliseconds: records that were copied together are stamped at most this much later than the one before. */
const COPIED_WITHIN = 10;

/** An id that begins with its time in milliseconds (UUID, version 7). */
const TIMED_ID = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-/i;

function timeInId(id: string | undefined): number | undefined {
  const [, high = '', low = ''] = TIMED_ID.exec(id ?? '') ?? [];
  return high === '' ? undefined : Number.parseInt(high + low, 16);
}

/** In milliseconds: the head of a thread is written soon after the thread began. */
const SOON = 60_000;

/** The number of the head among the records of its thread, and its time. */
interface HeadPlace {
  readonly number: number | undefined;
  readonly time: string | undefined;
}

/**
 * Whether a head begins a further log of its thread, which began in another log (codex.md §7). Most say where that log ends. The
 * others are not the first record of the thread, or are written long after it began.
 */
export function isFurther(item: Item, { number = 0, time = '' }: HeadPlace): boolean {
  if (textIn(objectIn(item.payload, 'history_base'), 'thread_id') !== undefined)
    return textIn(item.payload, 'forked_from_id') === undefined;
  if (originOf(item) !== undefined) return false;
  const [began, now] = [parseInstant(textIn(item.payload, 'timestamp') ?? ''), parseInstant(time)];
  return number > 0 || (began !== undefined && now !== undefined && now - began > SOON);
}

/** The thread that a head names as the origin of its thread. */
function originOf({ payload }: Item): string | undefined {
  const spawned = objectIn(objectIn(payload['source'], 'subagent'), 'thread_spawn');
  return (
    textIn(payload, 'forked_from_id') ??
    textIn(payload, 'parent_thread_id') ??
    textIn(spawned, 'parent_thread_id')
  );
}

/**
 * Tells the records of a thread from those that were copied from its origin (codex.md §6). The copies come first. They are
 * stamped before the head of the log, or all at the same time.
 */
export class ThreadHistory {
  #thread: string | undefined;
  /** The time of the head. */
  #began = -Infinity;
  /** The time of the last record, while each follows the one before at once. */
  #burst: number | undefined;
  /** Copies go on until a turn of this thread starts. */
  #isCopying = false;
  #isPastCopies = true;
  /** Whether another record of this thread than its head came. */
  #isBegun = false;
  /** Whether a turn started that may be one of this thread. */
  #hasTurn = true;
  /** Whether the head names the record that the log goes on from, so that nothing was copied. */
  #hasBase = false;
  #timesOfCopy: TimesOfCopy | undefined;

  /** Whether the last record may have been copied: its tokens are not those of this thread. */
  get isCopy(): boolean {
    return !this.#isPastCopies;
  }

  /** Whose time the last record has, if it was copied. */
  get timesOfCopy(): TimesOfCopy | undefined {
    return this.#timesOfCopy;
  }

  /** Whether a turn of this thread may have started. */
  get hasTurn(): boolean {
    return this.#hasTurn;
  }

  /** Returns whether the totals of tokens go on from those of another log from here on. */
  add(item: Item, time: string | undefined): boolean {
    const goesOn = this.#next(item, time);
    const isHead = item.type === 'session_meta' && textIn(item.payload, 'id') === this.#thread;
    const isCopied = this.isCopy && !isHead && !this.#hasBase;
    const isOlder = (parseInstant(time ?? '') ?? Infinity) < this.#began;
    this.#timesOfCopy = isCopied ? (isOlder ? 'original' : 'copying') : undefined;
    return goesOn;
  }

  #next(item: Item, time: string | undefined): boolean {
    if (item.type === 'session_meta') return this.#head(item, time);
    if (this.#isPastCopies) {
      this.#hasTurn ||= startsWork(item);
      this.#isBegun = true;
    } else this.#copied(item, parseInstant(time ?? ''));
    return false;
  }

  #head(item: Item, time: string | undefined): boolean {
    const id = textIn(item.payload, 'id');
    const now = parseInstant(time ?? '');
    if (this.#thread !== undefined && id !== this.#thread) {
      // The head of the origin was copied, and its records follow. Without times, nothing shows how many.
      if (this.#isBegun || now === undefined) return false;
      this.#isPastCopies = false;
      this.#hasTurn = false;
      this.#burst = now;
      return true;
    }
    const hasBase = textIn(objectIn(item.payload, 'history_base'), 'thread_id') !== undefined;
    // A program that continues a thread in the same file may write its head again.
    if (this.#thread !== undefined && !hasBase) return false;
    const hasOrigin = hasBase || originOf(item) !== undefined;
    this.#thread = id;
    this.#hasBase = hasBase;
    this.#began = now ?? -Infinity;
    this.#isPastCopies = !hasOrigin;
    this.#isCopying = false;
    this.#isBegun = false;
    this.#burst = undefined;
    this.#hasTurn = !hasOrigin;
    return hasOrigin;
  }

  #copied(item: Item, now: number | undefined): void {
    if (isTurnStart(item)) this.#turn(timeInId(turnOf(item)));
    if (this.#isPastCopies || now === undefined) return;
    const before = this.#burst ?? now;
    if (now < this.#began || this.#isCopying) this.#burst = now;
    else {
      this.#hasTurn ||= startsWork(item);
      if (now - before > COPIED_WITHIN) this.#isPastCopies = true;
      this.#burst = now;
    }
  }

  /** A turn of this thread is not older than the thread. */
  #turn(started: number | undefined): void {
    const began = timeInId(this.#thread);
    if (started === undefined || began === undefined) return;
    this.#isCopying = started < began;
    if (this.#isCopying) return;
    this.#isPastCopies = true;
    this.#hasTurn = true;
  }
}

/** Whether a turn starts here. Older versions do not say so. */
const startsWork = (item: Item): boolean =>
  isTurnStart(item) ||
  item.type === 'turn_context' ||
  (promptInEvent(item) ?? promptInItem(item)) !== undefined;

/** Recognises the records of a rollout that were copied from another thread. */
export function copiesIn(): CopyReader {
  const history = new ThreadHistory();
  return (event) => {
    history.add(itemOf(event), textIn(event, 'timestamp'));
    return history.timesOfCopy;
  };
}
