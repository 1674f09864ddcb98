import { closeSync, existsSync, openSync, readdirSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { NoesisError, UsageError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { LogParser } from '../log/parser.ts';
import { nearest } from '../text/nearest.ts';
import type { Dialect, DialectName, FolderSample, LogSample } from './dialect.ts';
import { requireUtf8 } from './other-forms.ts';
import {
  DIALECTS,
  detectDialect,
  dialectNamed,
  folderDialect,
  GENERIC_NAME,
  logFilesAmong,
  usualFields,
} from './registry.ts';
import { isSqlite, refuseDatabase } from './sqlite.ts';

const SAMPLE_BYTES = 64 * 1024;
/** The first read: most logs show in their first record what they are. */
const FIRST_BYTES = 1024;
const SAMPLE_RECORDS = 20;
/** Where the first record is longer than a sample, more is read, up to this. */
const LONGEST_SAMPLE = 4 * 1024 * 1024;

/** The first whole records of a log: a few, or as many as it takes until `isEnough`. */
function sampleRecords(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
  label = path,
): JsonObject[] {
  const records: JsonObject[] = [];
  let settled = false;
  const file = openSync(path, 'r');
  try {
    const parser = new LogParser(
      {
        record: (record) => {
          if (settled) return;
          records.push(record.value);
          settled = records.length === SAMPLE_RECORDS || isEnough(records);
        },
        corrupt: () => {},
      },
      { capacity: FIRST_BYTES },
    );
    for (let at = 0; !settled && at < (records.length === 0 ? LONGEST_SAMPLE : SAMPLE_BYTES); ) {
      const room = parser.room();
      const count = readSync(file, room, 0, room.length, at);
      if (at === 0) requireUtf8(label, room.subarray(0, count));
      if (at === 0 && isSqlite(room.subarray(0, count))) refuseDatabase(path, DIALECTS);
      if (count === 0) {
        parser.end();
        break;
      }
      parser.filled(count);
      at += count;
    }
    return records;
  } finally {
    closeSync(file);
  }
}

/** The first records of a file that may be a log; `database` for one, and undefined where it cannot be read. */
function headOf(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
): JsonObject[] | 'database' | undefined {
  try {
    return sampleRecords(path, isEnough);
  } catch (error) {
    return error instanceof NoesisError ? 'database' : undefined;
  }
}

const isFirstEnough = (records: readonly JsonObject[]): boolean => records.length > 0;

/** The first records of a file: a few, or as many as it takes until `isEnough`; undefined where it cannot be read. */
export function firstRecords(
  path: string,
  isEnough: (records: readonly JsonObject[]) => boolean,
): readonly JsonObject[] | undefined {
  const records = headOf(path, isEnough);
  return records === 'database' ? undefined : records;
}

/** Whether a dialect calls its logs so. */
export const isNamedAsLog = (fileName: string): boolean => logFilesAmong([fileName]).length > 0;

/** The dialects whose logs may have this name, where their records say that they are. */
const candidatesFor = (fileName: string): Dialect[] =>
  DIALECTS.filter((dialect) => (dialect.candidates?.([fileName]) ?? []).length > 0);

/** Whether a file of this name is a log if its records are those of one. */
export const mayBeLog = (fileName: string): boolean => candidatesFor(fileName).length > 0;

/** Whether a file is a log: by its name, unless its records say otherwise, or by its records. */
export function isLog(sample: LogSample): boolean {
  const { fileName } = sample;
  const isNamed = DIALECTS.some(
    (dialect) => dialect.logFiles([fileName]).length > 0 && dialect.isNoLog?.(sample) !== true,
  );
  return isNamed || candidatesFor(fileName).includes(detectDialect(sample));
}

/**
 * Of the files in a folder, the logs: by their names, unless their records say that they are none; and those whose
 * records say that they are, where names do not tell.
 */
export function logsIn({ dir, names }: FolderSample): string[] {
  const logs = new Set<string>();
  for (const dialect of DIALECTS) {
    for (const fileName of dialect.logFiles(names)) {
      const records = dialect.isNoLog && headOf(join(dir, fileName), isFirstEnough);
      const isNone = Array.isArray(records) && dialect.isNoLog?.({ fileName, records });
      if (!isNone) logs.add(fileName);
    }
  }
  for (const fileName of names) {
    const dialects = logs.has(fileName) ? [] : candidatesFor(fileName);
    if (dialects.length === 0) continue;
    const isKnown = (records: readonly JsonObject[]) =>
      dialects.some((dialect) => dialect.detect({ fileName, records }));
    const records = headOf(join(dir, fileName), isKnown);
    // Nobody can tell what a file holds that cannot be read, and a database under the name of a log holds one: the
    // verification of either says so.
    if (records === 'database') logs.add(fileName);
    else if (records === undefined) {
      if (existsSync(join(dir, fileName))) logs.add(fileName);
    } else if (dialects.includes(detectDialect({ fileName, records }))) logs.add(fileName);
  }
  return [...logs].sort();
}

/** The dialect of a name that a user gave. Throws `usage` where there is none. */
export function requireDialect(name: DialectName): Dialect {
  const named = dialectNamed(name);
  if (named) return named;
  const names = [...DIALECTS.map((dialect) => dialect.name), GENERIC_NAME];
  const near = nearest(names, name);
  throw new UsageError('usage', `there is no dialect ${JSON.stringify(name)}`, {
    hint: near.length > 0 ? `did you mean ${near.join(', ')}?` : `there are ${names.join(', ')}`,
  });
}

/** The dialect of a log: the one that is insisted on, else the one it looks like. Throws where it cannot be read. */
export async function dialectOf(path: string, fileName: string, wanted?: DialectName): Promise<Dialect> {
  // More records never make a yes a no, and nobody is asked before the first dialect.
  const isFirst = (records: readonly JsonObject[]) => DIALECTS[0]?.detect({ fileName, records }) === true;
  const isEnough = (records: readonly JsonObject[]) => wanted !== undefined || isFirst(records);
  const records = sampleRecords(path, isEnough, fileName === '-' ? fileName : path);
  return wanted === undefined ? detectDialect({ fileName, records }) : requireDialect(wanted);
}

/** The dialect of a stored state: the one that is insisted on, else that of the log beside it whose state it is. */
export async function dialectOfState(path: string, wanted?: DialectName): Promise<Dialect> {
  if (wanted !== undefined) return requireDialect(wanted);
  const dir = dirname(path);
  const files = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const name of logsIn({ dir, names: files.map((file) => file.name) })) {
    const dialect = await dialectOf(join(dir, name), name);
    if (dialect.stateFile(join(dir, name)) === path) return dialect;
  }
  return folderDialect();
}

/** Which members of the first records of a log are taken for what, where no dialect knows them: in words. */
export const fieldsTaken = (path: string): string => usualFields(sampleRecords(path, () => false));
