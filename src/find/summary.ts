import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isFileError } from '../base/errors.ts';
import { readEpisodeFile } from '../base/files/files.ts';
import { canBeOpened } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { jsonIn } from '../base/json/parse.ts';
import { isObject, type JsonObject, type JsonValue } from '../base/json/value.ts';
import { later, parseInstant, sooner } from '../base/time/instant.ts';
import type { Dialect, DialectName } from '../dialects/dialect.ts';
import type { Charge } from '../dialects/kit/charges.ts';
import type { LogEnds, LogSummary, RunEntry } from '../dialects/kit/log-summary.ts';
import type { Cost } from '../dialects/kit/prices.ts';
import { FIRST_RECORDS, startIn } from '../dialects/kit/run-start.ts';
import type { Tone } from '../dialects/kit/state-view.ts';
import type { Lacks } from '../dialects/kit/tokens.ts';
import {
  furtherAmong,
  type LogUsage,
  lacksOfRun,
  namedModels,
  type PartUsage,
  usageOfRun,
} from '../dialects/kit/usage.ts';
import { folderDialect, formatsInUse } from '../dialects/registry.ts';
import { folderOfRun } from '../dialects/resume.ts';
import { chainNamed } from '../findings/chains/choose.ts';
import { bytesOfEnds } from '../log/bytes-between.ts';
import type { Episode } from './episode.ts';
import {
  END,
  eventsIn,
  eventsOfEnd,
  firstRecordWith,
  LatestTime,
  lastTimeOf,
  lastTimeOfEvent,
  recordsBackwards,
  recordsForwards,
  type Sampled,
  sampled,
  tailOf,
} from './log-ends.ts';

// Synchronous on purpose: for thousands of small files that is several times as fast, and nothing else runs.

type Present<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> };

/** An entry of `noesis list`. Absent values are left out. */
export interface EpisodeSummary
  extends Present<Omit<LogSummary, 'usage' | 'ended_at' | 'over_at' | 'hasCopies'>> {
  readonly episode: string;
  /** Absolute. */
  readonly path: string;
  /** The dialect of the log, or of the folder if the log need not be opened. */
  readonly dialect?: DialectName;
  /** The name of the agent's working directory, or of the root's parent. */
  readonly project?: string;
  /** The meaning of the status, according to the dialect. */
  readonly tone?: Tone;
  /** The time from its first record to its end, else to the last one. */
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
  /** The run of which it is a repaired copy, or the name of the log of that run. */
  readonly copy_of?: string;
  /** The run that is a repaired copy of it. */
  readonly repaired_as?: string;
}

const present = <T extends object>(summary: T): Present<T> =>
  Object.fromEntries(Object.entries(summary).filter(([, value]) => value !== undefined)) as Present<T>;

function readJson(dir: string, name: string): JsonValue | undefined {
  const outcome = readEpisodeFile(dir, name);
  return outcome.kind === 'read' ? jsonIn(outcome.bytes.toString('utf8')) : undefined;
}

/** A log of a known dialect is chained if one of its first records is; this is their number. */
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
    ending ??= size <= END ? headEvents() : tailOf(sample);
    return ending;
  };
  // If the whole log is read, so is its end.
  const atEnd = new LatestTime(dialect);
  // The records of a short log are parsed once.
  const backwards: LogEnds['backwards'] = (most, isWanted) =>
    size <= END && beginning !== undefined
      ? beginning.toReversed()
      : recordsBackwards(path, dialect, most, isWanted);
  const summary = dialect.summary?.({
    bytes: size,
    get head() {
      return headEvents();
    },
    get tail() {
      return tail();
    },
    state,
    backwards,
    forwards: (abridge) =>
      recordsForwards(path, dialect.form, abridge, {
        from: size - END,
        record: (event) => atEnd.add(dialect.form.newest?.(event) ?? event),
      }),
    first: (text, isWanted) => firstRecordWith(path, dialect, text, isWanted),
  });
  const { ended_at: ended, over_at: over, hasCopies = false, ...known } = summary ?? {};
  const start = sooner(hasCopies ? undefined : startIn(records, dialect), known.started_at);
  const last = later(known.written_at ?? atEnd.time ?? lastTimeOf(sample, tail()), ended);
  const isOne =
    start === last && records.filter((event) => dialect.eventTime(event) !== undefined).length < 2;
  const chain = dialect.isChain
    ? dialect.name
    : chainNamed(records.slice(0, CHAINED_RECORDS), formatsInUse().chains);
  return {
    ...toned(known, dialect),
    cwd: folderOfRun(dialect, { path, place }, known.cwd),
    dialect: dialect.name,
    chain,
    started_at: start,
    written_at: last,
    // One time says nothing about how long a run took.
    took_ms: isOne ? undefined : (timeBetween(start, over) ?? timeBetween(start, last)),
  };
}

/** A list entry for a log, with the meaning of its status. */
interface TonedSummary extends Omit<LogSummary, 'ended_at' | 'over_at' | 'hasCopies'> {
  readonly tone?: Tone;
  readonly took_ms?: number | undefined;
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

/** In bytes: the first records and the last ones of a closed episode, of which only the times are wanted. */
const EDGE = 4096;

/** The times of a log. */
type Times = Pick<TonedSummary, 'started_at' | 'written_at' | 'took_ms'>;

/** The times of an episode whose state says the rest. Reads little, because there may be thousands. */
function timesOfClosed(log: string, dialect: Dialect): Times {
  try {
    const status = statSync(log, { throwIfNoEntry: false });
    if (status === undefined || !canBeOpened(status)) return {};
    const [head, tail] = bytesOfEnds(log, status.size, EDGE);
    const whole = head.subarray(0, head.lastIndexOf(NEWLINE) + 1);
    const start = startIn(eventsIn(whole, dialect.form, FIRST_RECORDS), dialect);
    const ends = endsIn(tail, dialect);
    if (ends === undefined) return fromLog(log);
    return { started_at: start, written_at: ends.last, took_ms: timeBetween(start, ends.over) };
  } catch (error) {
    // Its state has times too.
    if (isFileError(error)) return {};
    throw error;
  }
}

/** The last time in the end of a log, and when its run ended; undefined if the run did not end there. */
function endsIn(
  tail: Buffer,
  dialect: Dialect,
): { readonly last: string | undefined; readonly over: string } | undefined {
  let last: string | undefined;
  for (const event of eventsOfEnd(tail, dialect.form)) {
    last = later(last, lastTimeOfEvent(event, dialect));
    const over = dialect.isEnd?.(event) ? dialect.eventTime(event) : undefined;
    if (over !== undefined) return { last, over };
  }
  return undefined;
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
    sealed && isComplete ? timesOfClosed(log, folderDialect(name)) : fromLog(log, sample, place);
  // Of the times, those in the log count, as in every other command.
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
      project: projectOf(others.cwd),
      status,
      tone,
      why,
      took_ms: events.written_at === undefined ? timeBetween(started_at, others.written_at) : events.took_ms,
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

/** The project of a run: the name of its working directory, on whatever system that is. The root has no name. */
export const projectOf = (cwd = ''): string | undefined => basename(cwd.replaceAll('\\', '/')) || undefined;

/** An entry with the usage from which its tokens are counted. */
type CountedSummary = EpisodeSummary & Pick<Present<LogSummary>, 'usage'>;

/** A run with its other logs: the further ones continue it, and the last of them says how it ended. */
function withParts(
  run: CountedSummary,
  parts: readonly string[],
  named: DialectName | undefined,
): EpisodeSummary {
  const others = parts.map((log) => ({ log, ...fromLog(log, sampled(log, named)) }));
  return withUsage(
    withFurther(run, others),
    others.map(({ usage = {} }) => usage),
  );
}

function withFurther(
  run: CountedSummary,
  others: readonly (TonedSummary & { readonly log: string })[],
): CountedSummary {
  const further = furtherAmong(others);
  const latest = others.reduce<string | undefined>(
    (last, one) => later(last, one.written_at),
    run.written_at,
  );
  const last = further.at(-1);
  const active = { ...run, ...present({ written_at: latest }) };
  if (last === undefined) return active;
  const { status: _, tone: _tone, why: _why, ...own } = active;
  const { status, tone, why } = last;
  const [turns, bytes] = [further.map(({ turns }) => turns ?? 0), further.map(({ log }) => sizeOf(log) ?? 0)];
  const end = further.reduce<string | undefined>((end, one) => later(end, one.written_at), run.written_at);
  const plus = (own: number | undefined, more: readonly number[]) => own && more.reduce((a, b) => a + b, own);
  return {
    ...own,
    ...present({
      status,
      tone,
      why,
      turns: plus(run.turns, turns),
      log_bytes: plus(run.log_bytes, bytes),
      took_ms: timeBetween(run.started_at, end),
    }),
  };
}

/** A session with its tokens, and those of its other logs. */
function withUsage(
  { usage: own = {}, ...summary }: CountedSummary,
  others: readonly LogUsage[],
): EpisodeSummary {
  const usage = usageOfRun(own, others);
  if (usage === undefined) return { ...summary, ...lacksOfRun([own, ...others]) };
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
  dialect: named,
  fileName = basename(log ?? name),
}: Episode): Promise<EpisodeSummary[]> {
  // An episode with a state is one run, and there may be thousands.
  const isOne = dir !== undefined && sizeOf(join(dir, folderDialect(name).folder.state)) !== undefined;
  const sample = log === undefined || isOne ? undefined : sampled(log, named);
  const runs = sample && (await runsIn(sample));
  if (log === undefined || sample === undefined || runs === undefined)
    return [withParts(summarize(name, dir, log, sample, place), parts, named)];
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
