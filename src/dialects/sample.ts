import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { NoesisError } from '../errors.ts';
import type { JsonObject } from '../json/value.ts';
import { LogParser } from '../log/parser.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { DIALECTS, detectDialect, dialectNamed } from './registry.ts';
import { requireText } from './sqlite.ts';

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_RECORDS = 20;
/** Where the first record is longer than a sample, more is read, up to this. */
const LONGEST_SAMPLE = 4 * 1024 * 1024;

/** The first whole records of a log, a few. */
function sampleRecords(path: string): JsonObject[] {
  const records: JsonObject[] = [];
  const file = openSync(path, 'r');
  try {
    const capacity = Math.min(SAMPLE_BYTES, Math.max(1, fstatSync(file).size));
    const parser = new LogParser(
      {
        record: (record) => {
          if (records.length < SAMPLE_RECORDS) records.push(record.value);
        },
        corrupt: () => {},
      },
      { capacity },
    );
    for (let at = 0; records.length === 0 && at < LONGEST_SAMPLE; ) {
      const room = parser.room();
      const count = readSync(file, room, 0, room.length, at);
      if (at === 0) requireText(path, room.subarray(0, count), DIALECTS);
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

/** The dialect of a log: the one that is insisted on, else the one it looks like. Throws where it cannot be read. */
export async function dialectOf(path: string, fileName: string, wanted?: DialectName): Promise<Dialect> {
  const records = sampleRecords(path);
  if (wanted === undefined) return detectDialect({ fileName, records });
  const named = dialectNamed(wanted);
  if (named) return named;
  throw new NoesisError('usage', `there is no dialect ${JSON.stringify(wanted)}`, {
    hint: `there are ${DIALECTS.map(({ name }) => name).join(', ')}`,
  });
}
