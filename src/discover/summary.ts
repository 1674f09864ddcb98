import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Dialect, LogSummary, RunEntry } from '../dialects/dialect.ts';
import { detectDialect, folderDialect } from '../dialects/registry.ts';
import type { Tone } from '../dialects/state-view.ts';
import { canBeOpened, readEpisodeFile } from '../files/files.ts';
import { parseJson } from '../json/parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { linesBackwards } from '../log/backwards.ts';
import { linesForwards } from '../log/forwards.ts';
import type { NumberedEvent } from '../log/read.ts';
import { parseInstant } from '../time/instant.ts';

// Synchronous on purpose: for thousands of small files it takes a fraction of the time, and nothing else runs.

/** One line of `noesis list`. Absent values are left out. */
export interface EpisodeSummary {
  readonly episode: string;
  /** Absolute. */
  readonly path: string;
  /** ISO 8601, as stored. */
  readonly started_at?: string;
  readonly task?: string;
  readonly status?: string;
  /** What the status means to a reader, as the dialect has it. */
  readonly tone?: Tone;
  readonly model?: string;
  readonly turns?: number;
  readonly tokens?: number;
  /** Bytes of the log; absent where there is none. */
  readonly log_bytes?: number;
  /** The file that seals it is there. */
  readonly sealed: boolean;
}

const HEAD = 64 * 1024;
/** Of how many records the dialect is told. */
const SAMPLE_RECORDS = 20;

/** The beginning and the end of a file, or undefined where it cannot be read. */
function edges(path: string): { head: string; tail: string; size: number } | undefined {
  try {
    if (!canBeOpened(statSync(path))) return undefined;
    const file = openSync(path, 'r');
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, HEAD));
      const head = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, 0));
      if (size <= HEAD) return { head, tail: head, size };
      const tail = buffer.toString('utf8', 0, readSync(file, buffer, 0, buffer.length, size - buffer.length));
      return { head, tail, size };
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

function readJson(dir: string, name: string): JsonValue | undefined {
  const outcome = readEpisodeFile(dir, name);
  return outcome.kind === 'read' ? parsed(outcome.bytes.toString('utf8')) : undefined;
}

function eventsIn(text: string): JsonObject[] {
  return text.split('\n').flatMap((line) => {
    const event = line === '' ? undefined : parsed(line);
    return isObject(event) ? [event] : [];
  });
}

function* recordsBackwards(path: string): Generator<JsonObject, void, void> {
  for (const line of linesBackwards(path)) {
    const event = line === '' ? undefined : parsed(line);
    if (isObject(event)) yield event;
  }
}

function* recordsForwards(path: string): Generator<NumberedEvent, void, void> {
  let line = 0;
  for (const text of linesForwards(path)) {
    line += 1;
    const event = text === '' ? undefined : parsed(text);
    if (isObject(event)) yield { line, event };
  }
}

/** What the log's first and last records say, for an episode whose state does not. */
function fromLog(path: string): TonedSummary & { readonly start?: string | undefined } {
  const text = edges(path);
  if (text === undefined) return {};
  const head = eventsIn(text.head);
  const tail = text.tail === text.head ? head : eventsIn(text.tail);
  const [first] = head;
  const dialect = detectDialect({ fileName: basename(path), records: head.slice(0, SAMPLE_RECORDS) });
  const state = () => {
    const file = dialect.stateFile(path);
    const stored = file === undefined ? undefined : readJson(dirname(file), basename(file));
    return isObject(stored) ? stored : undefined;
  };
  const backwards = () => recordsBackwards(path);
  const forwards = () => recordsForwards(path);
  const told = dialect.summary?.({ head, tail, state, backwards, forwards });
  return { start: told?.started_at ?? (first && dialect.eventTime(first)), ...toned(told ?? {}, dialect) };
}

/** What a list shows of a log, with what its status means. */
interface TonedSummary extends LogSummary {
  readonly tone?: Tone;
}

function toned<Summary extends LogSummary>(told: Summary, dialect: Dialect): Summary & TonedSummary {
  const tone = told.status === undefined ? undefined : dialect.statusTone?.(told.status);
  return tone === undefined ? told : { ...told, tone };
}

/** What the state that is stored in a folder says. */
function stateSummary(dir: string): TonedSummary {
  const dialect = folderDialect();
  const { state, summary } = dialect.folder;
  return toned(summary(readJson(dir, state)), dialect);
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/**
 * What a list shows of an episode: from the stored state where it can be read, else from the edges of the log. A log
 * alone has no directory.
 */
export function summarize(
  name: string,
  dir: string | undefined,
  log = join(dir ?? '', folderDialect().folder.log),
): EpisodeSummary {
  const { folder } = folderDialect();
  let { started_at: start, task, status, tone }: TonedSummary = dir === undefined ? {} : stateSummary(dir);
  let told: TonedSummary = {};
  if (start === undefined || task === undefined || status === undefined) {
    const events = fromLog(log);
    told = events;
    start ??= events.start;
    task ??= events.task;
    if (status === undefined) ({ status, tone } = events);
  }
  const bytes = sizeOf(log);
  return {
    episode: name,
    path: dir ?? log,
    ...(start !== undefined && { started_at: start }),
    ...(task !== undefined && { task }),
    ...(status !== undefined && { status }),
    ...(tone !== undefined && { tone }),
    ...(told.model !== undefined && { model: told.model }),
    ...(told.turns !== undefined && { turns: told.turns }),
    ...(told.tokens !== undefined && { tokens: told.tokens }),
    ...(bytes !== undefined && { log_bytes: bytes }),
    sealed: dir !== undefined && sizeOf(join(dir, folder.seal)) !== undefined,
  };
}

/** What a list shows of a log: a line for each run where it holds many, else one. */
export async function summarizeAll(
  name: string,
  dir: string | undefined,
  log: string | undefined,
): Promise<EpisodeSummary[]> {
  // An episode with a state is one run, and there may be thousands of them.
  const isOne = dir !== undefined && sizeOf(join(dir, folderDialect().folder.state)) !== undefined;
  const runs = log === undefined || isOne ? undefined : await runsIn(log);
  if (log === undefined || runs === undefined) return [summarize(name, dir, log)];
  return runs.map(({ id, started_at: start, task, status, tone, bytes }) => ({
    episode: `${basename(log)}#${id}`,
    path: `${log}#${id}`,
    ...(start !== undefined && { started_at: start }),
    ...(task !== undefined && { task }),
    ...(status !== undefined && { status }),
    ...(tone !== undefined && { tone }),
    log_bytes: bytes,
    sealed: false,
  }));
}

/** The runs of a log; undefined where it is of a dialect that knows none, or cannot be read. */
async function runsIn(log: string): Promise<readonly (RunEntry & TonedSummary)[] | undefined> {
  const text = edges(log);
  if (text === undefined) return undefined;
  const records = eventsIn(text.head).slice(0, SAMPLE_RECORDS);
  const dialect = detectDialect({ fileName: basename(log), records });
  return (await dialect.runs?.(log))?.map((run) => toned(run, dialect));
}

/** When an episode started, in milliseconds since 1970; undefined where nothing says so. */
export function startOf(dir: string): number | undefined {
  const { started_at: start } = summarize('', dir);
  return start === undefined ? undefined : parseInstant(start);
}
