import { join } from 'node:path';
import { LOG_FILE, STATE_FILE } from './dialects/noesis/artifacts/names.ts';
import { readNoesisState } from './dialects/noesis/projection/state-reader.ts';
import type { NoesisState } from './dialects/noesis/schema/state.ts';
import type { NoesisEvent } from './dialects/noesis/schema/stored.ts';
import { copiedDocument } from './discover/copied-document.ts';
import { episodeAt, ROOT_OPTIONS, type RootOptions, recordsOf, recordsToFollow } from './discover/named.ts';
import { requireKnown } from './errors.ts';
import { statusOf } from './files/paths.ts';
import type { Corruption } from './log/corruption.ts';
import { followLog } from './log/follow.ts';
import type { LogIncident } from './log/followed-file.ts';
import { EventLogIntegrityError } from './log/integrity-error.ts';
import { iterNumberedEvents as iterNumbered } from './log/read.ts';

/** An event of a log and the line it stands on. */
export interface NumberedEvent<Event = NoesisEvent> {
  /** Physical line from 1, blank ones counted. */
  readonly line: number;
  readonly event: Event;
}

/**
 * The events of a log, lazily and in the order of the file: one JSON object per line (docs/formats/noesis.md §3).
 * `target` is an episode's directory, a log file, an episode's id or a unique prefix of one. The type says what the
 * documents promise; no schema is applied: parse with `eventSchema` what must have a shape, and give the type of events
 * of another dialect.
 *
 * @throws EventLogIntegrityError at the first record that is not whole; the events before it have been given by then.
 * @throws NoesisError `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`.
 * @throws the file system's error where the log cannot be read.
 */
export async function* iterEvents<Event = NoesisEvent>(
  target: string,
  options: RootOptions = {},
): AsyncGenerator<Event, void, void> {
  for await (const { event } of iterNumberedEvents<Event>(target, options)) yield event;
}

/**
 * The same, each event with its line.
 *
 * @throws as {@link iterEvents}.
 */
export async function* iterNumberedEvents<Event = NoesisEvent>(
  target: string,
  options: RootOptions = {},
): AsyncGenerator<NumberedEvent<Event>, void, void> {
  // What a record holds is its writer's affair: the type is the reader's word for it.
  requireKnown(options, ROOT_OPTIONS);
  const episode = await episodeAt(target, options);
  const copied = await copiedDocument(episode);
  try {
    const { log, isWanted } = copied ? { log: copied.copy.path } : await recordsOf(episode);
    for await (const { line, event } of iterNumbered(log, isWanted)) yield { line, event: event as Event };
  } finally {
    copied?.copy.remove();
  }
}

/**
 * All events of a log as a list; nothing of a log that holds a corrupt record. Holds the whole log in memory: for long
 * ones use {@link iterEvents}.
 *
 * @throws as {@link iterEvents}.
 */
export async function readEvents<Event = NoesisEvent>(
  target: string,
  options: RootOptions = {},
): Promise<Event[]> {
  const events: Event[] = [];
  for await (const event of iterEvents<Event>(target, options)) events.push(event);
  return events;
}

/**
 * The stored state of an episode, checked against {@link stateSchema} (docs/formats/noesis.md §6). `target` is the
 * episode's directory, its id or a unique prefix of one, or the file itself.
 *
 * @throws NoesisError `state-missing`, `state-invalid` with the place, `unreadable`; `target-missing`,
 * `target-ambiguous`, `root-missing`.
 */
export async function readState(target: string, options: RootOptions = {}): Promise<NoesisState> {
  requireKnown(options, ROOT_OPTIONS);
  const status = await statusOf(target);
  if (status !== undefined) return readNoesisState(status.isDirectory() ? join(target, STATE_FILE) : target);
  const { dir, log = '' } = await episodeAt(target, options);
  return readNoesisState(dir === undefined ? log : join(dir, STATE_FILE));
}

/** What following a log gives: an event with its line, or something that happened to the file. */
export type FollowedEvent<Event = NoesisEvent> =
  | ({ readonly kind: 'event' } & NumberedEvent<Event>)
  | { readonly kind: LogIncident };

export interface FollowEventsOptions extends RootOptions {
  /** Ends the following; without it, leaving the loop does. */
  readonly signal?: AbortSignal | undefined;
  /** How long to sleep where the file system reports nothing, in milliseconds; 250 when absent. */
  readonly pollMs?: number;
}

/**
 * The events of a log from its start, and then each new one as it is written, until the signal is aborted. A line
 * without its newline is held back. A log that does not exist yet, is cut or is replaced is survived and said. `target`
 * is as in {@link iterEvents}, or the path of a log that is still to come. Reading waits for whoever takes the events.
 *
 * @throws EventLogIntegrityError at the first complete line that is no record.
 */
export async function* followEvents<Event = NoesisEvent>(
  target: string,
  options: FollowEventsOptions = {},
): AsyncGenerator<FollowedEvent<Event>, void, void> {
  requireKnown(options, { ...ROOT_OPTIONS, signal: true, pollMs: true });
  const { log, isWanted = () => true } = await recordsToFollow(target, options, LOG_FILE);
  const { pollMs, signal } = options;
  const stop = new AbortController();
  const queue: FollowedEvent<Event>[] = [];
  let corruption: Corruption | undefined;
  let wake: (() => void) | undefined;
  let taken: (() => void) | undefined;
  let finished = false;
  let failure: unknown;
  const following = followLog(
    log,
    {
      record: (record) => {
        if (!corruption && isWanted(record))
          queue.push({ kind: 'event', line: record.line, event: record.value as Event });
      },
      corrupt: (found) => {
        corruption ??= found;
      },
      incident: (kind) => {
        queue.push({ kind });
        wake?.();
      },
      // Reading goes on when what was read has been taken: a long log does not lie in memory.
      batch: () => {
        wake?.();
        if (queue.length === 0 || stop.signal.aborted) return;
        return new Promise<void>((resolve) => {
          taken = resolve;
        });
      },
      caughtUp: () => corruption === undefined,
    },
    {
      signal: signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]),
      ...(pollMs !== undefined && { pollMs }),
    },
  )
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      finished = true;
      wake?.();
    });
  try {
    while (true) {
      // What comes while the reader is at work on some waits with them.
      while (queue.length > 0) yield* queue.splice(0);
      if (corruption) throw new EventLogIntegrityError(log, corruption);
      if (finished) break;
      taken?.();
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  } finally {
    stop.abort();
    taken?.();
    await following;
  }
  if (failure !== undefined) throw failure;
}
