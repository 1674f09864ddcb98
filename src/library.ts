import { join } from 'node:path';
import { LOG_FILE, STATE_FILE } from './dialects/noesis/artifacts/names.ts';
import type { NoesisState } from './dialects/noesis/schema/state.ts';
import { readNoesisState } from './dialects/noesis/state-reader.ts';
import { isDirectory } from './files/paths.ts';
import type { JsonObject } from './json/value.ts';
import type { Corruption } from './log/corruption.ts';
import { followLog, type LogIncident } from './log/follow.ts';
import { EventLogIntegrityError } from './log/integrity-error.ts';
import { iterNumberedEvents } from './log/read.ts';

/** The log of an episode's directory, or the path itself where it is a file. */
async function logAt(path: string): Promise<string> {
  return (await isDirectory(path)) ? join(path, LOG_FILE) : path;
}

/**
 * The events of a log, lazily and in the order of the file: one JSON object per line (noesis.md §3). `path` is an
 * episode's directory or a log file. No schema is applied: parse with `eventSchema` what must have a shape.
 *
 * @throws EventLogIntegrityError at the first record that is not whole; the events before it have been given by then.
 * @throws the file system's error where the log cannot be read.
 */
export async function* iterEvents(path: string): AsyncGenerator<JsonObject, void, void> {
  for await (const { event } of iterNumberedEvents(await logAt(path))) yield event;
}

/**
 * All events of a log as a list; nothing of a log that holds a corrupt record. Holds the whole log in memory: for long
 * ones use {@link iterEvents}.
 *
 * @throws EventLogIntegrityError and the file system's errors, as {@link iterEvents}.
 */
export async function readEvents(path: string): Promise<JsonObject[]> {
  const events: JsonObject[] = [];
  for await (const event of iterEvents(path)) events.push(event);
  return events;
}

/**
 * The stored state of an episode, checked against {@link stateSchema} (noesis.md §6). `path` is the episode's
 * directory or the file itself.
 *
 * @throws NoesisError `state-missing`, `state-invalid` with the place, or `unreadable`.
 */
export async function readState(path: string): Promise<NoesisState> {
  return readNoesisState((await isDirectory(path)) ? join(path, STATE_FILE) : path);
}

/** What following a log gives: an event with its line, or something that happened to the file. */
export type FollowedEvent =
  | { readonly kind: 'event'; readonly line: number; readonly event: JsonObject }
  | { readonly kind: LogIncident };

export interface FollowEventsOptions {
  /** Ends the following. */
  readonly signal: AbortSignal;
  /** How long to sleep where the file system reports nothing, in milliseconds; 250 when absent. */
  readonly pollMs?: number;
}

/**
 * The events of a log from its start, and then each new one as it is written, until the signal is aborted. A line
 * without its newline is held back. A log that does not exist yet, is cut or is replaced is survived and said.
 *
 * @throws EventLogIntegrityError at the first complete line that is no record.
 */
export async function* followEvents(
  path: string,
  options: FollowEventsOptions,
): AsyncGenerator<FollowedEvent, void, void> {
  const log = await logAt(path);
  const stop = new AbortController();
  const queue: FollowedEvent[] = [];
  let corruption: Corruption | undefined;
  let wake = () => {};
  let finished = false;
  let failure: unknown;
  const following = followLog(
    log,
    {
      record: (record) => {
        if (!corruption) queue.push({ kind: 'event', line: record.line, event: record.value });
      },
      corrupt: (found) => {
        corruption ??= found;
      },
      incident: (kind) => {
        queue.push({ kind });
        wake();
      },
      batch: () => wake(),
      caughtUp: () => corruption === undefined,
    },
    { ...options, signal: AbortSignal.any([options.signal, stop.signal]) },
  )
    .catch((error: unknown) => {
      failure = error;
    })
    .finally(() => {
      finished = true;
      wake();
    });
  try {
    while (true) {
      yield* queue.splice(0);
      if (corruption) throw new EventLogIntegrityError(log, corruption);
      if (finished) break;
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (queue.length > 0 || finished || corruption) resolve();
      });
    }
  } finally {
    stop.abort();
    await following;
  }
  if (failure !== undefined) throw failure;
}
