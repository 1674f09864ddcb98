import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFileError, isNothing } from '../base/errors.ts';
import { readEpisodeFile } from '../base/files/files.ts';
import { canBeOpened } from '../base/files/open-file.ts';
import { CLOSE_BRACE, NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { parseInstant } from '../base/time/instant.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import type { Charge } from '../dialects/kit/charges.ts';
import type { Abridge, LogSummary, RunEntry } from '../dialects/kit/log-summary.ts';
import type { Cost } from '../dialects/kit/prices.ts';
import { FIRST_RECORDS, startIn } from '../dialects/kit/run-start.ts';
import type { Tone } from '../dialects/kit/state-view.ts';
import { type Lacks, namedModels, type PartUsage, usageOfRun } from '../dialects/kit/usage.ts';
import { detectDialect, folderDialect, formatsInUse, formOfAny } from '../dialects/registry.ts';
import { chainNamed } from '../findings/chains/choose.ts';
import { linesBackwards } from '../log/backwards.ts';
import { bytesBetween } from '../log/bytes-between.ts';
import { linesForwards } from '../log/forwards.ts';
import { textOfLine } from '../log/line-text.ts';
import type { LogForm } from '../log/log-form.ts';
import type { NumberedEvent } from '../log/read.ts';
import type { Episode } from './episode.ts';

// Synchronous on purpose: for thousands of small files that is several times as fast, and nothing else runs.

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** An entry of `noesis list`. Absent values are left out. */
export interface EpisodeSummary extends Present<Omit<LogSummary, 'usage' | 'ended_at'>> {
  readonly episode: string;
  /** Absolute. */
  readonly path: string;
  /** The dialect of the log, or of the folder if the log need not be opened. */
  readonly dialect?: DialectName;
  /** The name of the agent's working directory, or of the root's parent. */
  readonly project?: string;
  /** The meaning of the status, according to the dialect. */
  readonly tone?: Tone;
  /** The time from its first record to its last one. */
  readonly took_ms?: number;
  /** How its records seem to be chained by hashes. Nothing is verified. */
  readonly chain?: string;
  /** The size of the log in bytes; absent if there is none. */
  readonly log_bytes?: number;
  /** The file that seals it exists. */
  readonly sealed: boolean;
  /** The models, most used first, if there are several. */
  readonly models?: readonly string[];
  /** What the tokens lack. */
  readonly lacks?: Lacks;
  /** The part of the tokens that subagents with separate logs used. */
  readonly subagents?: PartUsage;
  /** The part of the tokens in further logs of the session itself. */
  readonly parts?: PartUsage;
  /** What prices are multiplied with, until there is a cost. */
  readonly charges?: readonly Charge[];
  readonly cost?: Cost;
}

const present = <T extends object>(summary: T): Present<T> =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => value !== undefined)) as Present<T>;

/** A log, and what its first records show. */
interface Sampled {
  readonly path: string;
  readonly size: number;
  readonly head: Buffer;
  readonly records: readonly JsonObject[];
  readonly dialect: Dialect;
}

/** In bytes: how much is read from each end of a log. */
const END = 64 * 1024;

/** An end of a file, from an offset. Throws if it cannot be read. */
const endFrom = (path: string, from: number): Buffer => bytesBetween(path, from, from + END);

/** Reads the start of a log; undefined if there is none. Throws if it cannot be read. */
function sampled(path: string): Sampled | undefined {
  try {
    const status = statSync(path);
    if (!canBeOpened(status) || status.isDirectory()) return undefined;
    const head = endFrom(path, 0);
    const records = eventsIn(head, formOfAny(), FIRST_RECORDS);
    const dialect = detectDialect({ fileName: basename(path), records });
    return { path, size: status.size, head, records, dialect };
  } catch (error) {
    if (isNothing(error)) return undefined;
    throw error;
  }
}

/** In bytes: the first records of a sealed episode, of which only the start is wanted. */
const BEGINNING = 4096;

/** When the log of a sealed episode starts; undefined if its first records do not say. */
function startOfSealed(log: string, dialect: Dialect): string | undefined {
  try {
    const status = statSync(log, { throwIfNoEntry: false });
    if (status === undefined || !canBeOpened(status)) return undefined;
    const bytes = bytesBetween(log, 0, BEGINNING);
    return startIn(
      eventsIn(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1), dialect.form, FIRST_RECORDS),
      dialect,
    );
  } catch {
    // Its state has a start too.
    return undefined;
  }
}

function readJson(dir: string, name: string): JsonValue | undefined {
  const outcome = readEpisodeFile(dir, name);
  return outcome.kind === 'read' ? jsonIn(outcome.bytes.toString('utf8')) : undefined;
}

/** The records in a part of a log, at most as many as wanted. */
function eventsIn(
  bytes: Buffer,
  { newest }: LogForm,
  most = Number.POSITIVE_INFINITY,
  isHead = true,
): JsonObject[] {
  const events: JsonObject[] = [];
  for (let from = 0; from < bytes.length && events.length < most; ) {
    const newline = bytes.indexOf(NEWLINE, from);
    const to = newline === -1 ? bytes.length : newline;
    const text = textOfLine(bytes.subarray(from, to), isHead && from === 0);
    const event = text ? jsonIn(text) : undefined;
    if (isObject(event)) events.push(newest ? newest(event) : event);
    from = to + 1;
  }
  return events;
}

function* recordsBackwards(
  path: string,
  { form: { newest } }: Dialect,
  most = Number.POSITIVE_INFINITY,
): Generator<JsonObject, void, void> {
  let bytes = 0;
  for (const line of linesBackwards(path)) {
    const event = jsonIn(line);
    if (isObject(event)) yield newest ? newest(event) : event;
    bytes += Buffer.byteLength(line) + 1;
    if (bytes >= most) return;
  }
}

/** In bytes: an abridged record is made from this much of its line. */
const LINE_START = 1024;

/** The value of a line. JSON.parse is safe: a list shows no member whose key an engine may misread. */
function parsedLine(bytes: Buffer, isFirst: boolean): JsonValue | undefined {
  try {
    return JSON.parse(textOfLine(bytes, isFirst) ?? '') as JsonValue;
  } catch {
    return undefined;
  }
}

function* recordsForwards(path: string, abridge: Abridge): Generator<NumberedEvent, void, void> {
  let line = 0;
  for (const bytes of linesForwards(path)) {
    line += 1;
    // The first records say when a session started, so they are read whole.
    // A line without its end is no record.
    const mayBeShort = line > FIRST_RECORDS && bytes.at(-1) === CLOSE_BRACE;
    const short = mayBeShort
      ? abridge(bytes.toString('latin1', 0, LINE_START), line, (text) => bytes.includes(text))
      : undefined;
    const event = short ?? parsedLine(bytes, line === 1);
    if (isObject(event)) yield { line, event };
  }
}

/** A log of a known dialect is chained if one of so many first records is. */
const CHAINED_RECORDS = 2;

/** Summarises an episode from its first and last records, if its state is not enough. */
function fromLog(path: string, sample = sampled(path), place = path): TonedSummary {
  if (sample === undefined) return {};
  const { size, head, records, dialect } = sample;
  const state = () => {
    const file = dialect.stateFile(place);
    const stored = file === undefined ? undefined : readJson(dirname(file), basename(file));
    return isObject(stored) ? stored : undefined;
  };
  let beginning: JsonObject[] | undefined;
  let ending: JsonObject[] | undefined;
  const headEvents = () => {
    beginning ??= eventsIn(head, dialect.form);
    return beginning;
  };
  const tail = () => {
    ending ??=
      size <= END ? headEvents() : eventsIn(endFrom(path, size - END), dialect.form, undefined, false);
    return ending;
  };
  // The records of a short log are parsed once.
  const backwards = (most?: number) =>
    size <= END && beginning !== undefined ? beginning.toReversed() : recordsBackwards(path, dialect, most);
  const summary = dialect.summary?.({
    get head() {
      return headEvents();
    },
    get tail() {
      return tail();
    },
    state,
    backwards,
    endHas: (text, bytes) => bytesBetween(path, Math.max(0, size - bytes), size).includes(text),
    forwards: (abridge) => recordsForwards(path, abridge),
  });
  const { ended_at: ended, ...known } = summary ?? {};
  const start = startIn(records, dialect) ?? known.started_at;
  const last = later(known.written_at ?? lastTime(ending?.toReversed() ?? backwards(), dialect), ended);
  const chain = dialect.isChain
    ? dialect.name
    : chainNamed(records.slice(0, CHAINED_RECORDS), formatsInUse().chains);
  return {
    ...toned(known, dialect),
    dialect: dialect.name,
    chain,
    started_at: start,
    written_at: last,
  };
}

/** The later one of two times, as far as they are known. */
const later = (one: string | undefined, other: string | undefined): string | undefined =>
  (parseInstant(other) ?? -Infinity) > (parseInstant(one) ?? -Infinity) ? other : one;

/** The search for a time ends after this many records without one. */
const MAX_WITHOUT_TIME = 100;

/** The time of the last record that has one. */
function lastTime(backwards: Iterable<JsonObject>, dialect: Dialect): string | undefined {
  let looked = 0;
  for (const event of backwards) {
    const time = dialect.eventTime(event);
    const end = dialect.endTime?.(event);
    if (end !== undefined && (parseInstant(end) ?? 0) > (parseInstant(time) ?? 0)) return end;
    if (time !== undefined || ++looked === MAX_WITHOUT_TIME) return time;
  }
  return undefined;
}

/** The latest time in the end of a log, else the last one before it; undefined if there is none, or the log cannot be read. */
export function lastTimeIn(log: string): string | undefined {
  try {
    const sample = sampled(log);
    if (sample === undefined) return undefined;
    const { size, dialect } = sample;
    const tail = eventsIn(endFrom(log, Math.max(0, size - END)), dialect.form, undefined, size <= END);
    const last = tail
      .flatMap((event) => [dialect.eventTime(event), dialect.endTime?.(event)])
      .reduce(later, undefined);
    return last ?? lastTime(recordsBackwards(log, dialect), dialect);
  } catch (error) {
    if (isFileError(error)) return undefined;
    throw error;
  }
}

/** A list entry for a log, with the meaning of its status. */
interface TonedSummary extends Omit<LogSummary, 'ended_at'> {
  readonly tone?: Tone;
  readonly dialect?: DialectName;
  readonly chain?: string | undefined;
}

function toned<Summary extends LogSummary>(summary: Summary, dialect: Dialect): Summary & TonedSummary {
  const tone = summary.status === undefined ? undefined : dialect.statusTone?.(summary.status);
  return tone === undefined ? summary : { ...summary, tone };
}

/** The summary in the stored state of a folder. */
function stateSummary(dir: string): TonedSummary {
  const dialect = folderDialect(basename(dir));
  const { state, summary } = dialect.folder;
  return { ...toned(summary(readJson(dir, state)), dialect), dialect: dialect.name };
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size;
}

/**
 * The list entry of an episode: from the stored state if it is readable and the episode is closed, else from
 * both ends of the log. A single log has no folder; an episode without a log has one.
 */
export function summarize(
  name: string,
  dir: string | undefined,
  log = join(dir as string, folderDialect(name).folder.log),
  sample?: Sampled,
  place?: string,
): EpisodeSummary {
  const { folder } = folderDialect(name);
  const stored = dir === undefined ? {} : stateSummary(dir);
  const sealed = dir !== undefined && sizeOf(join(dir, folder.seal)) !== undefined;
  const isComplete = [stored.started_at, stored.task, stored.status].every((value) => value !== undefined);
  const events: TonedSummary =
    sealed && isComplete
      ? { started_at: startOfSealed(log, folderDialect(name)) }
      : fromLog(log, sample, place);
  // Of the start, that in the log counts, as in every other command.
  const { started_at, task, ...others } = { ...present(stored), ...present(events) };
  // The state of a live run lags behind its log, and cannot say that the run is paused.
  const isLate = !(sealed && stored.status !== undefined) && events.status !== undefined;
  const { status, tone, why } = isLate ? events : stored;
  return {
    episode: name,
    path: dir ?? log,
    ...present({
      started_at,
      task: stored.task ?? task,
      ...others,
      ...projectOf(others.cwd),
      status,
      tone,
      why,
      took_ms: timeBetween(started_at, others.written_at),
      log_bytes: sizeOf(log),
    }),
    sealed,
  };
}

/** The time between two moments, if both are known. */
function timeBetween(start: string | undefined, end: string | undefined): number | undefined {
  const took = (parseInstant(end) ?? Number.NaN) - (parseInstant(start) ?? Number.NaN);
  return took >= 0 ? took : undefined;
}

/** The name of a working directory. */
const projectOf = (cwd: string | undefined): Pick<EpisodeSummary, 'project'> => {
  const project = cwd === undefined ? '' : basename(cwd.replaceAll('\\', '/'));
  return project === '' ? {} : { project };
};

/** An entry with the usage from which its tokens are counted. */
type CountedSummary = EpisodeSummary & Pick<Present<LogSummary>, 'usage'>;

/** A session with its tokens, and those of its subagents. */
function withUsage(
  { usage: own = {}, ...summary }: CountedSummary,
  parts: readonly string[],
): EpisodeSummary {
  const usage = usageOfRun(
    own,
    parts.map((part) => fromLog(part).usage ?? {}),
  );
  if (usage === undefined) return summary;
  const { tokens, models, lacks, charges, subagents, parts: further } = usage;
  const byModel = Object.entries(models).map(([model, used]) => [model, used.tokens] as const);
  const names = namedModels(models);
  const [model] = names;
  return {
    ...summary,
    ...(model !== undefined && { model }),
    ...(names.length > 1 && { models: names }),
    tokens,
    tokens_by_model: Object.fromEntries(byModel),
    ...(lacks && { lacks }),
    ...(charges && { charges }),
    ...(subagents && { subagents }),
    ...(further && { parts: further }),
  };
}

/** The list entries of a log: one per run if it has many, or only the requested run. */
export async function summarizeAll({
  name,
  dir,
  log,
  run,
  parts = [],
  place,
  fileName = basename(log ?? name),
}: Episode): Promise<EpisodeSummary[]> {
  // An episode with a state is one run, and there may be thousands.
  const isOne = dir !== undefined && sizeOf(join(dir, folderDialect(name).folder.state)) !== undefined;
  const sample = log === undefined || isOne ? undefined : sampled(log);
  const runs = sample && (await runsIn(sample));
  if (log === undefined || sample === undefined || runs === undefined)
    return [withUsage(summarize(name, dir, log, sample, place), parts)];
  // A run can also be named by an id prefix.
  const asked = run === undefined ? runs : runs.filter(({ id }) => id.startsWith(run));
  return asked.map(({ id, bytes, ...summary }) => ({
    episode: `${fileName}#${id}`,
    path: `${log}#${id}`,
    dialect: sample.dialect.name,
    ...present({ ...summary, took_ms: timeBetween(summary.started_at, summary.written_at) }),
    log_bytes: bytes,
    sealed: false,
  }));
}

/** The runs of a log; undefined if its dialect has none. */
async function runsIn({ path, dialect }: Sampled): Promise<readonly (RunEntry & TonedSummary)[] | undefined> {
  return (await dialect.runs?.(path, dialect.form))?.map((run) => toned(run, dialect));
}
