import { basename } from 'node:path';
import type { DialectName } from './dialects/dialect.ts';
import { dialectOf } from './dialects/sample.ts';
import { episodeAt, ROOT_OPTIONS, type RootOptions, searchFor } from './discover/named.ts';
import { logOf } from './discover/target.ts';
import { requireKnown } from './errors.ts';
import type { DialectSettings } from './findings/options.ts';
import { eventFromValue } from './write/event-value.ts';
import { type AppendOptions, type AppendResult, EventWriter } from './write/event-writer.ts';
import type { SalvageEntry, SalvageSummary } from './write/salvage/account.ts';
import { salvage } from './write/salvage/salvage.ts';
import { realSystem } from './write/system.ts';
import { logToWrite, writerTarget } from './write/target.ts';

export interface OpenWriterOptions extends RootOptions {
  /** Overrules the detection; needed for a new log whose name does not onEntries. */
  readonly dialect?: DialectName;
  /** Of several logs in a folder, or of a new one, the stream. */
  readonly stream?: string;
  /** What noesis.toml says in the tables of dialects, such as `{ exarchos: { custom_types: ['deploy.started'] } }`. */
  readonly settings?: DialectSettings;
}

const WRITER_OPTIONS = { ...ROOT_OPTIONS, dialect: true, stream: true, settings: true } as const;
const APPEND_OPTIONS = {
  expectSequence: true,
  force: true,
  waitMs: true,
  signal: true,
  onWaiting: true,
} as const;

/** Appends events to one log, for as long as one likes. It holds no lock and no file between two calls. */
export interface LogWriter {
  /**
   * Appends events, all or none, and resolves when they are on the disk: with each as it is stored. An event whose
   * `idempotencyKey` the log holds already is not appended again.
   *
   * @throws EventLogIntegrityError where the log is corrupt anywhere: nothing is written.
   * @throws NoesisError `event-invalid`, `log-sealed`, `log-moved-on`, `log-locked`, `log-changed`, `unwritable`: the log
   * is as before.
   * @throws the reason of the signal where that was aborted before: nothing is written.
   */
  append(events: object | readonly object[], options?: AppendOptions): Promise<AppendResult>;
  /** Waits for what is being written. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a log for appending. `target` is an episode's directory, a log, an id or a unique prefix of one, or the path of
 * a log to be made in a folder that is there. The log is read whole before the first append, and again only where
 * somebody else has touched it.
 *
 * @throws NoesisError `append-unsupported` where the format does not say how events are appended, `usage`,
 * `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`, `unreadable`.
 */
export async function openWriter(target: string, options: OpenWriterOptions = {}): Promise<LogWriter> {
  requireKnown(options, WRITER_OPTIONS);
  const log = await logToWrite(target, searchFor(options), options);
  const writer = new EventWriter(await writerTarget(log, options.settings), realSystem);
  const close = () => writer.close();
  return {
    append: async (events, how = {}) => {
      requireKnown(how, APPEND_OPTIONS);
      const list: readonly unknown[] = Array.isArray(events) ? events : [events];
      return writer.append(list.map(eventFromValue), how);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

export interface SalvageLogOptions extends RootOptions {
  /** Overrules the detection. */
  readonly dialect?: DialectName;
  /** The folder to make, which must not be there; without it only the account is given. */
  readonly to?: string;
  /** How many bytes of other files of the episode may be copied; 64 GiB unless given. */
  readonly maxCopied?: number;
}

/** What was salvaged: an entry for each place in the order of the log, and the summary, which is also the last entry. */
export interface Salvage {
  readonly entries: readonly SalvageEntry[];
  readonly summary: SalvageSummary;
}

/**
 * Copies every intact record of a damaged episode or log, as `noesis salvage` does.
 *
 * @throws NoesisError `usage`, `unwritable`; `target-missing`, `target-ambiguous`, `root-missing`,
 * `log-missing`.
 */
export async function salvageLog(target: string, options: SalvageLogOptions = {}): Promise<Salvage> {
  requireKnown(options, { ...ROOT_OPTIONS, dialect: true, to: true, maxCopied: true });
  const episode = await episodeAt(target, options);
  const log = logOf(episode);
  const dialect = await dialectOf(log, basename(log), options.dialect ?? episode.owner);
  const entries: SalvageEntry[] = [];
  const onEntries = (some: readonly SalvageEntry[]) => {
    for (const entry of some) entries.push(entry);
  };
  const { to, maxCopied } = options;
  const summary = await salvage({ log, dir: episode.dir }, dialect, { to, maxCopied, onEntries });
  return { entries, summary };
}

/**
 * Appends one event or several to a log, as `noesis append` does: see {@link openWriter} for many calls.
 *
 * @throws as {@link openWriter} and {@link LogWriter.append}.
 */
export async function appendEvent(
  target: string,
  events: object | readonly object[],
  options: OpenWriterOptions & AppendOptions = {},
): Promise<AppendResult> {
  requireKnown(options, { ...WRITER_OPTIONS, ...APPEND_OPTIONS });
  const { expectSequence, force, waitMs, signal, onWaiting, ...opening } = options;
  return (await openWriter(target, opening)).append(events, {
    expectSequence,
    force,
    waitMs,
    signal,
    onWaiting,
  });
}
