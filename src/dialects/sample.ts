import { closeSync, openSync, readSync } from 'node:fs';
import { NoesisError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { LogParser } from '../log/parser.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { DIALECTS, detectDialect, dialectNamed } from './registry.ts';
import { isSqlite, requireText } from './sqlite.ts';

const SAMPLE_BYTES = 64 * 1024;
/** The first read: most logs show in their first record what they are. */
const FIRST_BYTES = 1024;
const SAMPLE_RECORDS = 20;
/** Where the first record is longer than a sample, more is read, up to this. */
const LONGEST_SAMPLE = 4 * 1024 * 1024;

function readHead(file: number): Buffer {
  const head = Buffer.alloc(SAMPLE_BYTES);
  return head.subarray(0, readSync(file, head, 0, head.length, 0));
}

/** The first whole records of a log: a few, or as many as it takes until `isEnough`. */
function sampleRecords(path: string, isEnough: (records: readonly JsonObject[]) => boolean): JsonObject[] {
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
      if (at === 0 && isSqlite(room.subarray(0, count))) requireText(path, readHead(file), DIALECTS);
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

/** The dialect of a name that a user gave. Throws `usage` where there is none. */
export function requireDialect(name: DialectName): Dialect {
  const named = dialectNamed(name);
  if (named) return named;
  throw new NoesisError('usage', `there is no dialect ${JSON.stringify(name)}`, {
    hint: `there are ${DIALECTS.map((dialect) => dialect.name).join(', ')}`,
  });
}

/** The dialect of a log: the one that is insisted on, else the one it looks like. Throws where it cannot be read. */
export async function dialectOf(path: string, fileName: string, wanted?: DialectName): Promise<Dialect> {
  // More records never make a yes a no, and nobody is asked before the first dialect.
  const isFirst = (records: readonly JsonObject[]) => DIALECTS[0]?.detect({ fileName, records }) === true;
  const records = sampleRecords(path, (records) => wanted !== undefined || isFirst(records));
  return wanted === undefined ? detectDialect({ fileName, records }) : requireDialect(wanted);
}
