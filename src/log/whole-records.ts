import { NEWLINE } from '../base/json/ascii.ts';
import type { JsonObject } from '../base/json/value.ts';
import { AS_STORED } from './log-form.ts';
import { LogParser } from './parser.ts';

/** The whole records of a damaged line, which a reader takes if the form of the log says so. */
export function wholeRecordsOn(line: Buffer): JsonObject[] {
  const records: JsonObject[] = [];
  const record = ({ value }: { readonly value: JsonObject }) => records.push(value);
  const size = line.length + 1;
  const parser = new LogParser(AS_STORED.takingGlued(), { record }, { capacity: size, lines: 1 });
  const room = parser.room();
  line.copy(room);
  room[line.length] = NEWLINE;
  parser.filled(size);
  parser.end();
  return records;
}
