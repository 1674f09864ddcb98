import { basename } from 'node:path';
import { requireAmount, requireCount, requireKnown, requireText } from '../base/errors.ts';
import type { DialectName } from '../dialects/dialect.ts';
import { dialectOf } from '../dialects/kit/sample.ts';
import { logOf } from '../find/episode.ts';
import { episodeAt, ROOT_OPTIONS, type RootOptions, searchFor } from '../find/named.ts';
import type { DialectSettings } from '../findings/options.ts';
import { eventFromValue } from '../write/event-value.ts';
import { type AppendOptions, type AppendResult, EventWriter } from '../write/event-writer.ts';
import type { SalvageEntry, SalvageSummary } from '../write/salvage/account.ts';
import { salvage } from '../write/salvage/salvage.ts';
import { realSystem } from '../write/system.ts';
import { logToWrite, writerTarget } from '../write/target.ts';
import { withSettings } from './formats.ts';

export interface OpenWriterOptions extends RootOptions {
  /** Overrules the detection. Needed for a new log whose name does not show its format. */
  readonly dialect?: DialectName;
  /** The stream, if a folder has several, or for a new log. */
  readonly stream?: string;
  /** The tables of dialects in noesis.toml, such as `{ exarchos: { custom_types: ['deploy.started'] } }`. */
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

/** Throws `usage` for a number that would mean something else: a wait of NaN would never end. */
function requireNumbers({ expectSequence, waitMs }: AppendOptions): void {
  if (expectSequence !== undefined) requireCount('expectSequence', expectSequence);
  if (waitMs !== undefined) requireAmount('waitMs', waitMs);
}

/** Appends events to one log. Between calls it keeps neither a lock nor an open file. */
export interface LogWriter {
  /**
   * Appends all events or none. Resolves with the stored events when they are on the disk. An event whose
   * `idempotencyKey` is already in the log is not appended again. If it throws, the log is unchanged.
   *
   * @throws EventLogIntegrityError if the log is corrupt anywhere.
   * @throws NoesisError `event-invalid`, `log-sealed`, `log-moved-on`, `log-locked`, `log-changed`, `unwritable`.
   * @throws the reason of the signal if it was aborted before the write.
   */
  append(events: object | readonly object[], options?: AppendOptions): Promise<AppendResult>;
  /** Waits for pending writes. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Opens a log for appending. `target` is an episode's directory, a log, an id or a unique prefix of one, or the path of
 * a new log in an existing folder. The whole log is read before the first append, and again only after another program
 * changed it.
 *
 * @throws NoesisError `append-unsupported` if the format does not define how events are appended, `usage`,
 * `target-missing`, `target-ambiguous`, `root-missing`, `log-missing`, `unreadable`.
 */
export async function openWriter(target: string, options: OpenWriterOptions = {}): Promise<LogWriter> {
  requireKnown(options, WRITER_OPTIONS);
  requireText('target', target);
  const { settings } = options;
  const writer = await withSettings(settings, async () => {
    const log = await logToWrite(target, searchFor(options), options);
    return new EventWriter(await writerTarget(log, settings), realSystem);
  });
  const close = () => writer.close();
  return {
    append: async (events, how = {}) => {
      requireKnown(how, APPEND_OPTIONS);
      requireNumbers(how);
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
  /** The folder to create. It must not exist. Without it, nothing is written. */
  readonly to?: string;
  /** The maximum size of the episode's other files that are copied; the default is 64 GiB. */
  readonly maxCopied?: number;
}

/** The entries for each place, in the order of the log, and the summary, which is also the last entry. */
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
  if (options.maxCopied !== undefined) requireAmount('maxCopied', options.maxCopied);
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
 * Appends one event or several to a log, as `noesis append` does. For many calls use {@link openWriter}.
 *
 * @throws as {@link openWriter} and {@link LogWriter.append}.
 */
export async function appendEvent(
  target: string,
  events: object | readonly object[],
  options: OpenWriterOptions & AppendOptions = {},
): Promise<AppendResult> {
  requireKnown(options, { ...WRITER_OPTIONS, ...APPEND_OPTIONS });
  requireNumbers(options);
  const { expectSequence, force, waitMs, signal, onWaiting, ...opening } = options;
  return (await openWriter(target, opening)).append(events, {
    expectSequence,
    force,
    waitMs,
    signal,
    onWaiting,
  });
}
