import { join } from 'node:path';
import { requireDelay, requireKnown, requireText } from '../base/errors.ts';
import { statusOf } from '../base/files/paths.ts';
import type { NoesisEvent } from '../dialects/noesis/event/stored.ts';
import { LOG_FILE, STATE_FILE } from '../dialects/noesis/files/names.ts';
import type { NoesisState } from '../dialects/noesis/state/schema.ts';
import { readNoesisState } from '../dialects/noesis/state/state-reader.ts';
import { damageShown, mountWhole } from '../find/mount.ts';
import { episodeAt, ROOT_OPTIONS, type RootOptions, recordsOf, recordsToFollow } from '../find/named.ts';
import type { Corruption } from '../log/corruption.ts';
import { followLog } from '../log/follow.ts';
import type { LogIncident } from '../log/followed-file.ts';
import { EventLogIntegrityError } from '../log/integrity-error.ts';
import { AS_STORED } from '../log/log-form.ts';
import {
  type FileVisitor,
  iterNumberedEvents as iterNumbered,
  type LogExtent,
  readLog as readFile,
} from '../log/read.ts';

/** An event of a log, and its line. */
export interface NumberedEvent<Event = NoesisEvent> {
  /** The line in the file, counted from 1, including blank lines. */
  readonly line: number;
  readonly event: Event;
}

/**
 * Yields the events of a log lazily, in the order of the file: one JSON object per line (docs/formats/noesis.md §3).
 * `target` is an episode's directory, a log file, an episode's id or a unique prefix of one. Events are not validated: the
 * type is that of the documents. Parse an event with `eventSchema` to validate it, and pass the type of another dialect's
 * events.
 *
 * @throws EventLogIntegrityError at the first corrupt record, after yielding the events before it.
 * @throws NoesisError `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`.
 * @throws the file system's error if the log cannot be read.
 */
export async function* iterEvents<Event = NoesisEvent>(
  target: string,
  options: RootOptions = {},
): AsyncGenerator<Event, void, void> {
  for await (const { event } of iterNumberedEvents<Event>(target, options)) yield event;
}

/**
 * Yields the events of a log like {@link iterEvents}, each with its line.
 *
 * @throws as {@link iterEvents}.
 */
export async function* iterNumberedEvents<Event = NoesisEvent>(
  target: string,
  options: RootOptions = {},
): AsyncGenerator<NumberedEvent<Event>, void, void> {
  requireKnown(options, ROOT_OPTIONS);
  const episode = await episodeAt(target, options);
  const mount = await mountWhole(episode);
  try {
    const { log, isWanted } = await recordsOf(mount?.episodes[0] ?? episode);
    for await (const { line, event } of iterNumbered(log, AS_STORED, isWanted))
      yield { line, event: event as Event };
  } catch (error) {
    throw damageShown(error, mount);
  } finally {
    mount?.dispose();
  }
}

/**
 * Returns all events of a log as a list, or throws if any record is corrupt. Keeps the whole log in memory: for long
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
 * Reads a log file once, from its start to its current length, and passes every record and every corruption to the visitor,
 * in the order of the file and as they are stored. Memory use does not depend on the length.
 *
 * @throws the file system's error if the file cannot be opened or read.
 */
export function readLog(path: string, visitor: FileVisitor): Promise<LogExtent> {
  return readFile(path, AS_STORED, visitor);
}

/**
 * Returns the stored state of an episode, validated with {@link stateSchema} (docs/formats/noesis.md §6). `target` is the
 * episode's directory, its id or a unique prefix of one, or the file itself.
 *
 * @throws NoesisError `state-missing`, `state-invalid` with the place, `unreadable`; `target-missing`,
 * `target-ambiguous`, `root-missing`.
 */
export async function readState(target: string, options: RootOptions = {}): Promise<NoesisState> {
  requireKnown(options, ROOT_OPTIONS);
  requireText('target', target);
  const status = statusOf(target);
  const isFolder = status?.isDirectory() === true;
  if (status !== undefined) return readNoesisState(isFolder ? join(target, STATE_FILE) : target, isFolder);
  const { dir, log = '' } = await episodeAt(target, options);
  return readNoesisState(dir === undefined ? log : join(dir, STATE_FILE), dir !== undefined);
}

/** An event of a followed log with its line, or an incident of the file. */
export type FollowedEvent<Event = NoesisEvent> =
  | ({ readonly kind: 'event' } & NumberedEvent<Event>)
  | { readonly kind: LogIncident };

export interface FollowEventsOptions extends RootOptions {
  /** Stops following; without it, leave the loop. */
  readonly signal?: AbortSignal | undefined;
  /** The time between two checks if the file system reports no change, in milliseconds; the default is 250. */
  readonly pollMs?: number;
}

/**
 * Yields the events of a log from its start, and then each new one as it is written, until the signal is aborted. A line
 * without a newline is not yielded yet. If the log does not exist yet, or is truncated, replaced or removed, an item with
 * another `kind` says so, and reading continues. `target` is as in {@link iterEvents}, or the path of a future log. Reading
 * waits until the caller has taken the events.
 *
 * @throws EventLogIntegrityError at the first complete line that is not a record.
 */
export async function* followEvents<Event = NoesisEvent>(
  target: string,
  options: FollowEventsOptions = {},
): AsyncGenerator<FollowedEvent<Event>, void, void> {
  requireKnown(options, { ...ROOT_OPTIONS, signal: true, pollMs: true });
  if (options.pollMs !== undefined) requireDelay('pollMs', options.pollMs);
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
    AS_STORED,
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
      // Waits until the events were taken, so that a long log is never in memory.
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
      // Events that arrive while the caller works on one are added to the queue.
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
