import { closeSync, existsSync, readdirSync, readSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isOfTarget, NoesisError, UsageError } from '../../base/errors.ts';
import { fileKey } from '../../base/files/file-key.ts';
import { openToRead } from '../../base/files/open-file.ts';
import { pathsIn } from '../../base/files/paths.ts';
import type { JsonObject } from '../../base/json/value.ts';
import { ticked } from '../../base/json/write.ts';
import { didYouMean, nearest } from '../../base/text/nearest.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import { AS_STORED } from '../../log/log-form.ts';
import { requireUtf8 } from '../../log/other-forms.ts';
import { LogParser } from '../../log/parser.ts';
import { readLog } from '../../log/read.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Dialect, DialectName, FolderSample, LogSample } from '../dialect.ts';
import {
  allDialects,
  detectDialect,
  dialectFor,
  dialectNamed,
  folderDialect,
  formOfAny,
  GENERIC_NAME,
  logFilesAmong,
  supersededBy,
  usualFields,
} from '../registry.ts';
import { excerptOf } from './excerpt.ts';
import { isSqlite, refuseDatabase } from './sqlite.ts';

const SAMPLE_BYTES = 64 * 1024;
/** The size of the first read; the first record of most logs reveals their dialect. */
const FIRST_BYTES = 1024;
/** The size of the other reads. What follows the sample in a read is parsed and not used. */
const NEXT_BYTES = 8 * 1024;
const SAMPLE_RECORDS = 20;
/** If the first record is longer, reading continues up to this limit. */
export const LONGEST_SAMPLE = 4 * 1024 * 1024;

/** The first records of a log, read as far as somebody asked. */
class Sample {
  readonly form = formOfAny();
  readonly #path: string;
  readonly #parser: LogParser;
  /** The records as they are stored. They are converted when they are asked for, because that may fail. */
  readonly #stored: JsonObject[] = [];
  readonly #records: JsonObject[] = [];
  #at = 0;
  #isEnd = false;

  constructor(path: string) {
    this.#path = path;
    const record = (one: LogRecord) => {
      if (this.#stored.length < SAMPLE_RECORDS) this.#stored.push(one.value);
    };
    this.#parser = new LogParser(AS_STORED, { record }, { capacity: FIRST_BYTES });
  }

  /** At most twenty records, fewer if `isEnough` accepts them. */
  upTo(isEnough: (records: readonly JsonObject[]) => boolean, label: string): JsonObject[] {
    const found: JsonObject[] = [];
    let file: number | undefined;
    try {
      while (found.length < SAMPLE_RECORDS && !(found.length > 0 && isEnough(found))) {
        const at = found.length;
        if (at === this.#stored.length && !this.#isEnd) {
          file ??= openToRead(this.#path);
          this.#readAfter(at, file, label);
        }
        const stored = this.#stored[at];
        if (stored === undefined) break;
        const record = this.#records[at] ?? this.form.newest?.(stored) ?? stored;
        this.#records[at] = record;
        found.push(record);
      }
      return found;
    } finally {
      if (file !== undefined) closeSync(file);
    }
  }

  /** Reads on until there are more records than this, or the sample ends. */
  #readAfter(count: number, file: number, label: string): void {
    while (!this.#isEnd && this.#stored.length === count) {
      if (this.#at >= this.#limit) this.#isEnd = true;
      else this.#piece(file, label);
    }
  }

  get #limit(): number {
    return this.#stored.length === 0 ? LONGEST_SAMPLE : SAMPLE_BYTES;
  }

  #piece(file: number, label: string): void {
    const room = this.#parser.room();
    const count = readSync(file, room, 0, Math.min(room.length, NEXT_BYTES), this.#at);
    if (this.#at === 0) requireUtf8(label, room.subarray(0, count));
    if (this.#at === 0 && isSqlite(room.subarray(0, count))) refuseDatabase(this.#path, label, allDialects());
    this.#isEnd = count === 0;
    if (this.#isEnd) this.#parser.end();
    else this.#parser.filled(count);
    this.#at += count;
  }
}

/** Undefined also if the file cannot be opened: then reading it says why. */
function keyOf(path: string): string | undefined {
  try {
    return fileKey(statSync(path, { bigint: true }), Date.now());
  } catch {
    return undefined;
  }
}

/** The last sample, because several questions about a log follow each other. */
let last: { readonly path: string; readonly key: string; readonly sample: Sample } | undefined;

/** The first records of a log: at most twenty, fewer if `isEnough` accepts them. */
function sampleRecords(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
  label = path,
): JsonObject[] {
  const key = keyOf(path);
  const isKnown = key !== undefined && last?.path === path && last.key === key;
  const sample = isKnown && last?.sample.form === formOfAny() ? last.sample : new Sample(path);
  const records = sample.upTo(isEnough, label);
  last = key === undefined ? undefined : { path, key, sample };
  return records;
}

/**
 * The first records of a file; `database` for a database or another format, undefined if it cannot be read. Throws
 * anything else, such as an error of a dialect.
 */
function headOf(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
): JsonObject[] | 'database' | undefined {
  try {
    return sampleRecords(path, isEnough);
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    return error instanceof NoesisError ? 'database' : undefined;
  }
}

/**
 * The first records of a file: at most twenty, fewer if `isEnough` accepts them. Undefined if it cannot be
 * read.
 */
export function firstRecords(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
): readonly JsonObject[] | undefined {
  const records = headOf(path, isEnough);
  return records === 'database' ? undefined : records;
}

/** The first record of a log; one without members for an empty log. */
export const firstRecordOf = (log: string): JsonObject =>
  firstRecords(log, ({ length }) => length > 0)?.[0] ?? {};

/** Whether a file has a name of any dialect's logs. */
export const isNamedAsLog = (fileName: string): boolean => logFilesAmong([fileName]).length > 0;

/** The dialects whose logs may have this name, depending on their records. */
const candidatesFor = (fileName: string): Dialect[] =>
  allDialects().filter((dialect) => (dialect.candidates?.([fileName]) ?? []).length > 0);

/** Whether a file with this name is a log if its records fit. */
export const mayBeLog = (fileName: string): boolean => candidatesFor(fileName).length > 0;

/** Whether a file is a log: by its name unless its records contradict, or by its records. */
export function isLog(sample: LogSample): boolean {
  const { fileName } = sample;
  const isNamed = allDialects().some(
    (dialect) => dialect.logFiles([fileName]).length > 0 && dialect.isNoLog?.(sample) !== true,
  );
  return isNamed || candidatesFor(fileName).includes(detectDialect(sample));
}

/** Whether a file is a log of one of these dialects, judging by its records. */
function isByRecords(dir: string, fileName: string, dialects: readonly Dialect[]): boolean {
  const isEnough = (records: readonly JsonObject[]) =>
    dialects.some((dialect) => dialect.detect({ fileName, records }));
  const records = headOf(join(dir, fileName), isEnough);
  // An unreadable file may be a log, and a database with the name of a log contains one. `verify` reports both.
  if (records === 'database') return true;
  if (records === undefined) return existsSync(join(dir, fileName));
  return dialects.includes(detectDialect({ fileName, records }));
}

/** Answers about logs from earlier runs; `find` reads the log if there is none. */
export interface Remembered {
  is(log: string, name: string, find: () => boolean): boolean;
}

const NOTHING: Remembered = { is: (_log, _name, find) => find() };

/**
 * The logs in a folder: by name unless their records contradict, and by records if the name is not enough.
 */
export function logsIn({ dir, names }: FolderSample, known: Remembered = NOTHING): string[] {
  const logs = new Set<string>();
  const pathOf = pathsIn(dir);
  for (const dialect of allDialects()) {
    for (const fileName of dialect.logFiles(names)) {
      const isNone = (): boolean => {
        // A single record of another program must not hide a log.
        const isOne = (found: readonly JsonObject[]) =>
          dialect.isNoLog?.({ fileName, records: found }) !== true;
        const records = headOf(pathOf(fileName), isOne);
        return Array.isArray(records) && dialect.isNoLog?.({ fileName, records }) === true;
      };
      if (dialect.isNoLog === undefined || !known.is(pathOf(fileName), `no ${dialect.name}`, isNone))
        logs.add(fileName);
    }
  }
  for (const fileName of names) {
    const dialects = logs.has(fileName) ? [] : candidatesFor(fileName);
    if (dialects.length === 0) continue;
    if (known.is(pathOf(fileName), 'a log', () => isByRecords(dir, fileName, dialects))) logs.add(fileName);
  }
  return [...logs].filter((name) => supersededBy(name, names) === undefined).sort();
}

const isOfAny = (record: JsonObject): boolean =>
  allDialects().some((dialect) => dialect.detect({ fileName: '', records: [record] }));

/**
 * Whether a file that its name and its neighbours call free of events has none. Reads all of it, because a record of a run
 * may be anywhere. The last record may be incomplete.
 */
export async function isEventless(dir: string, fileName: string, names: readonly string[]): Promise<boolean> {
  const test = allDialects()
    .map((dialect) => dialect.eventless?.(fileName, names))
    .find((one) => one !== undefined);
  if (test === undefined) return false;
  let isFree = true;
  try {
    await readLog(join(dir, fileName), AS_STORED, {
      record: ({ value }) => {
        isFree &&= test(value) && !isOfAny(value);
      },
      corrupt: ({ code }) => {
        isFree &&= code === 'log/truncated';
      },
      between: async () => isFree,
    });
  } catch (error) {
    if (!isOfTarget(error)) throw error;
    return false;
  }
  return isFree;
}

/** Whether a file has records of a run or of an unknown log. A single object, such as a signature, is neither. */
export function hasRecords(path: string): boolean {
  const records = headOf(path, (found) => found.length > 1);
  return records !== undefined && (records === 'database' || records.length > 1 || records.some(isOfAny));
}

/** The files that are read together with logs of their dialect in a folder. Logs of another dialect have none. */
export function sideFilesIn(dir: string, names: readonly string[], only?: DialectName): ReadonlySet<string> {
  const found = new Set<string>();
  for (const dialect of allDialects()) {
    if (only !== undefined && dialect.name !== only) continue;
    if (dialect.sideFiles === undefined || dialect.sideFiles(names).length === 0) continue;
    const foreign = new Set(
      dialect.logFiles(names).filter((fileName) => {
        const records = headOf(join(dir, fileName), () => false);
        return Array.isArray(records) && detectDialect({ fileName, records }) !== dialect;
      }),
    );
    for (const name of dialect.sideFiles(names.filter((one) => !foreign.has(one)))) found.add(name);
  }
  return found;
}

/** The dialect that a user named. Throws `usage` for an unknown name. */
export function requireDialect(name: DialectName): Dialect {
  const named = dialectNamed(name);
  if (named) return named;
  const names = [...allDialects().map((dialect) => dialect.name), GENERIC_NAME];
  throw new UsageError('usage', `there is no dialect ${JSON.stringify(name)}`, {
    hint: didYouMean(nearest(names, name)) ?? 'run noesis help dialects for their names',
  });
}

/**
 * The dialect of a log: the named one, else detected. Throws if the log cannot be read. `shown`: what the user named, if the
 * log is a copy.
 */
export async function dialectOf(
  path: string,
  fileName: string,
  wanted?: DialectName,
  shown = fileName === '-' ? fileName : path,
): Promise<Dialect> {
  const records = sampleRecords(path, () => wanted !== undefined, shown);
  return dialectFor(
    wanted === undefined ? detectDialect({ fileName, records, path }) : requireDialect(wanted),
    path,
  );
}

/** The dialect of a stored state: the named one, else that of the log next to it. */
export async function dialectOfState(path: string, wanted?: DialectName): Promise<Dialect> {
  if (wanted !== undefined) return requireDialect(wanted);
  const dir = dirname(path);
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of logsIn({ dir, names: files.map((file) => file.name) })) {
    const dialect = await dialectOf(join(dir, name), name);
    if (dialect.stateFile(join(dir, name)) === path) return dialect;
  }
  return folderDialect(basename(dir));
}

/** The members of an unknown log that serve as id, time and so on, in words. */
export const fieldsTaken = (path: string): string => usualFields(sampleRecords(path, () => false));

/** The number of members of an unlikely log that are named. */
const MOST_NAMED = 4;
/** In characters: of the name of a member. */
const LONGEST_NAME = 30;

/** Whether a log begins with nothing but blank lines: it is empty, which commands say themselves. */
const isBlank = (path: string): boolean => bytesBetween(path, 0, NEXT_BYTES).toString('latin1').trim() === '';

/**
 * Why a log that fits no dialect is probably not that of an agent, after its name and a colon: no record has a member that a
 * log of events would have. Undefined if it may be one.
 */
export function whyUnlikely(path: string): string | undefined {
  const records = sampleRecords(path, () => false);
  if (records.length === 0) return isBlank(path) ? undefined : 'its first lines are no JSON objects';
  if (usualFields(records) !== '') return undefined;
  const members = [...new Set(records.flatMap((record) => Object.keys(record)))];
  const named = members.slice(0, MOST_NAMED).map((name) => ticked(excerptOf(name, LONGEST_NAME)));
  const more = members.length > named.length ? ', …' : '';
  const only = members.length === 0 ? '' : `, only ${named.join(', ')}${more}`;
  return `its records have no time, type or id${only}`;
}
