import { open } from 'node:fs/promises';
import type { JsonObject } from '../json/value.ts';
import { LogParser } from '../log/parser.ts';
import type { Dialect, DialectName } from './dialect.ts';
import { requireText } from './fishbowl/sqlite.ts';
import { detectDialect, dialectNamed } from './registry.ts';

const SAMPLE_BYTES = 64 * 1024;
const SAMPLE_RECORDS = 20;

/** The first whole records of a log, a few. */
async function sampleRecords(path: string): Promise<JsonObject[]> {
  const records: JsonObject[] = [];
  const handle = await open(path, 'r');
  try {
    const parser = new LogParser(
      {
        record: (record) => {
          if (records.length < SAMPLE_RECORDS) records.push(record.value);
        },
        corrupt: () => {},
      },
      { capacity: Math.min(SAMPLE_BYTES, Math.max(1, (await handle.stat()).size)) },
    );
    const room = parser.room();
    const { bytesRead } = await handle.read(room, 0, room.length, 0);
    if (bytesRead > 0) parser.filled(bytesRead);
    if (bytesRead < room.length) parser.end();
    return records;
  } finally {
    await handle.close();
  }
}

/** The dialect of a log: the one that is insisted on, else the one it looks like. Throws where it cannot be read. */
export async function dialectOf(path: string, fileName: string, wanted?: DialectName): Promise<Dialect> {
  await requireText(path);
  const named = wanted && dialectNamed(wanted);
  return named ?? detectDialect({ fileName, records: await sampleRecords(path) });
}
