import { stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { statusOf } from '../../base/files/paths.ts';
import { plainShellWord } from '../../base/text/shell-word.ts';
import { parseInstant } from '../../base/time/instant.ts';
import type { Dialect, LogEnding } from '../../dialects/dialect.ts';
import { detectDialect, dialectNamed, folderDialect } from '../../dialects/registry.ts';
import { furtherLogsOf } from '../../dialects/resume.ts';
import { mayBeDocument } from '../../find/require-log.ts';
import { resolveLog, resolveTarget } from '../../find/target.ts';
import type { Corruption } from '../../log/corruption.ts';
import { followLog } from '../../log/follow.ts';
import type { LogFollower, LogIncident } from '../../log/followed-file.ts';
import { explainDocuments } from '../../log/json-documents.ts';
import type { LogRecord } from '../../log/record.ts';
import { type Row, RowSource } from '../../log/row.ts';
import { compileFilters, compileRunFilter, type Filters } from '../../read/select/filter.ts';
import type { ResultTools } from '../../read/select/result-tools.ts';
import { type HeldLine, heldLine, LastLines, together } from '../../read/select/taken-lines.ts';
import type { Context, GlobalOptions } from '../context.ts';
import { corruptLog } from '../failure.ts';
import { Interrupted } from '../io.ts';
import { dialectOfFile, sayIfGeneric } from '../targets/open-log.ts';
import { type FilterOptions, filtersOf } from './event-options.ts';
import { type EventPrinter, eventPrinter, toolsFor } from './event-printer.ts';

/** In milliseconds. Following stops this long after the end of a run, if nothing more comes. */
const QUIET_MS = 2000;

const REMARKS: Readonly<Record<LogIncident, string>> = {
  missing: 'the log does not exist yet: waiting for it',
  appeared: 'the log has appeared',
  truncated: 'the log was truncated: reading it again from the start',
  'taken-back': 'the writer removed the last events: the next ones replace them',
  removed: 'the log was removed: waiting for a new file with its name',
  torn: 'the log ended in the middle of a record',
  rewritten: 'the log was rewritten: reading it again from the start',
  copied: 'the log was replaced by a copy: events that were already shown are not repeated',
  replaced: 'the log was replaced by another file: reading it from the start',
};

/** After these incidents, the printed end of the run may be wrong. */
const RESTARTS: ReadonlySet<LogIncident> = new Set(['truncated', 'rewritten', 'replaced', 'taken-back']);

interface FollowedLog {
  readonly path: string;
  /** The run in the target, for a log with many. */
  readonly run?: string | undefined;
}

/** The log to follow. It need not exist: a folder, or a path in an existing folder, is enough. */
async function logToFollow(context: Context, target: string): Promise<FollowedLog> {
  const path = resolve(context.io.cwd, target);
  if (target === '-')
    throw new UsageError('usage', 'standard input cannot be followed', {
      hint: 'run noesis events - --partial -j to stream it',
    });
  // The folder need not exist either.
  if (target.endsWith('.jsonl') && statusOf(path) === undefined) return { path };
  const folder = await resolveTarget(target, context.search);
  // An empty folder may become an episode.
  if (folder.kind === 'folder' && folder.episodes.length === 0)
    return { path: join(folder.dir, folderDialect(basename(folder.dir)).folder.log) };
  const found = await resolveLog(target, context.search);
  const { log, run, parts = [], dir = path } = found.kind === 'episode' ? found.episode : {};
  if (log !== undefined) await refuseDocument(log, target);
  // A session that went on writes to the last of its logs.
  const newest =
    log !== undefined && parts.length > 0
      ? furtherLogsOf(await dialectOfFile(context, log), log, parts).at(-1)
      : undefined;
  return { path: newest ?? log ?? join(dir, folderDialect(basename(dir)).folder.log), run };
}

/** Refuses a document, because it is rewritten as a whole and never grows. */
async function refuseDocument(log: string, target: string): Promise<void> {
  if (!mayBeDocument(log, basename(log))) return;
  const { documentAt } = await import('../../find/document-source.ts');
  if ((await documentAt(log))?.places === undefined) return;
  throw new UsageError('usage', `${target} is one JSON document, and cannot be followed`, {
    hint: `run noesis tail ${plainShellWord(target)} to see its last records`,
  });
}

/** The dialect of the log; if it does not exist yet, by its name. */
async function followedDialect(context: Context, { path }: FollowedLog): Promise<Dialect> {
  if (statusOf(path) === undefined) {
    const named = context.dialect === undefined ? undefined : dialectNamed(context.dialect);
    return named ?? detectDialect({ fileName: basename(path), records: [] });
  }
  const dialect = await dialectOfFile(context, path);
  await sayIfGeneric(context, context.shortPath(path), dialect);
  return dialect;
}

/** The options of `tail`. */
export interface TailOptions extends GlobalOptions, FilterOptions {
  readonly lines: number;
  readonly follow?: boolean;
  readonly forever?: boolean;
  readonly fields?: string;
  readonly ids?: boolean;
  readonly utc?: boolean;
}

/** The state of a follower. */
class EventFollower implements LogFollower {
  readonly #context: Context;
  readonly #path: string;
  readonly #options: TailOptions;
  readonly #dialect: Dialect;
  readonly #run: string | undefined;
  #ending: LogEnding | undefined;
  readonly #passes: (record: LogRecord) => boolean;
  readonly #inRun: (record: LogRecord) => boolean;
  readonly #tools: ResultTools | undefined;
  #printer: EventPrinter | undefined;
  /** When the log or run starts, and the start for which the printer was made. */
  #start: number | undefined;
  #printerStart: number | undefined;
  /** The last of the existing events; undefined after they are printed. */
  #backlog: LastLines | undefined;
  #pending: HeldLine[] = [];
  #corruption: Corruption | undefined;
  #begun = false;
  #ended = false;
  #sealed = false;
  /** Whether the user knows that the run is paused. */
  #saidPaused = false;
  #quietSince: number;
  /** Why following ended. */
  endedBy: string | undefined;

  constructor(
    context: Context,
    path: string,
    options: TailOptions,
    dialect: Dialect,
    filters: Filters,
    run: string | undefined,
  ) {
    this.#context = context;
    this.#path = path;
    this.#options = options;
    this.#dialect = dialect;
    this.#run = run;
    this.#ending = dialect.ending?.(run);
    this.#quietSince = context.io.now();
    this.#passes = compileFilters(filters, dialect);
    this.#inRun = compileRunFilter(filters, dialect);
    this.#tools = toolsFor(context, dialect);
    this.#backlog = new LastLines(options.lines);
  }

  row({ record }: Row): void {
    if (this.#corruption) return;
    this.#quietSince = this.#context.io.now();
    if (this.#ending) this.#ended = this.#ending.isOver(record);
    if (!this.#begun && this.#inRun(record)) {
      this.#start = parseInstant(this.#dialect.view.time(record));
      this.#begun = this.#start !== undefined;
    }
    this.#tools?.add(record);
    if (!this.#passes(record)) return;
    const held = heldLine(record);
    if (this.#backlog) this.#backlog.add(held);
    else this.#pending.push(held);
  }

  corrupt(corruption: Corruption): void {
    this.#corruption ??= explainDocuments(this.#path, corruption);
  }

  async incident(incident: LogIncident): Promise<void> {
    if (incident === 'missing') await this.#printBacklog();
    if (RESTARTS.has(incident)) {
      this.#ended = false;
      this.#ending = this.#dialect.ending?.(this.#run);
      if (incident !== 'taken-back') this.#begun = false;
    }
    await this.#context.say(REMARKS[incident]);
  }

  async batch(): Promise<void> {
    // If the existing part is corrupt, shows nothing of it.
    const lines = this.#pending;
    this.#pending = [];
    await this.#print(lines);
    if (this.#corruption)
      throw corruptLog(this.#context.shortPath(this.#path), this.#corruption, {
        shown: this.#backlog === undefined,
      });
    if (this.#context.io.interrupted.aborted) throw new Interrupted();
  }

  async caughtUp(): Promise<boolean> {
    if (this.#backlog) await this.#printBacklog();
    const isPaused = this.#ending?.isPaused ?? false;
    if (isPaused && !this.#saidPaused)
      await this.#context.say('the run is paused: waiting until it is resumed');
    this.#saidPaused = isPaused;
    if (this.#options.forever) return true;
    if (this.#sealed) {
      this.endedBy = 'the run is sealed';
      return false;
    }
    // The next check still reads events that were written just before the seal.
    const sealFile = this.#ending?.sealFile?.(this.#path);
    this.#sealed =
      sealFile !== undefined &&
      (await stat(sealFile).then(
        () => true,
        () => false,
      ));
    const isOver = this.#ended && this.#context.io.now() - this.#quietSince >= QUIET_MS;
    if (isOver) this.endedBy = `the run is over, and no event came for ${QUIET_MS / 1000} s`;
    return !isOver;
  }

  async #printBacklog(): Promise<void> {
    const lines = this.#backlog?.take() ?? [];
    this.#backlog = undefined;
    await (await this.#printerOf(this.#start)).header();
    await this.#print(lines);
  }

  async #print(lines: readonly HeldLine[]): Promise<void> {
    if (lines.length === 0) return;
    const printer = await this.#printerOf(this.#start);
    await printer.print(together(lines));
  }

  /** A printer for this start, because another log may have replaced the first. */
  async #printerOf(start: number | undefined): Promise<EventPrinter> {
    if (this.#printer && this.#printerStart === start) return this.#printer;
    this.#printerStart = start;
    const known = async () => ({ start, tools: this.#tools });
    this.#printer = await eventPrinter(this.#context, this.#dialect, this.#options, known);
    return this.#printer;
  }
}

/**
 * `tail -f`: prints the last events, then each new one, until the run is sealed or ended, or the user
 * interrupts.
 */
export async function followEvents(context: Context, target: string, options: TailOptions): Promise<void> {
  const { interrupted } = context.io;
  const log = await logToFollow(context, target);
  const dialect = await followedDialect(context, log);
  const filters = filtersOf(options, context.io.now(), log.run);
  const follower = new EventFollower(context, log.path, options, dialect, filters, log.run);
  const rows = RowSource.open(dialect.form);
  try {
    await followLog(log.path, rows, follower, { signal: interrupted });
  } finally {
    rows.close();
  }
  if (interrupted.aborted) throw new Interrupted();
  if (follower.endedBy !== undefined) await context.say(`ended: ${follower.endedBy}`);
}
