import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { jsonIn } from '../../base/json/parse.ts';
import { isObject, type JsonObject } from '../../base/json/value.ts';
import { bytesBetween } from '../../log/bytes-between.ts';
import { jsonLinesAmong } from '../kit/json-lines.ts';
import { LOG_FILE, STATE_FILE } from './read.ts';

/** Whether a record is an event of a coordinator. A Noēsis event, which has a phase, is not. */
export function isCoordinatorEvent(event: JsonObject, byName: boolean): boolean {
  const { event_type: type, event: misnamed, timestamp, phase, details } = event;
  if (typeof timestamp !== 'string' || phase !== undefined) return false;
  if (typeof type === 'string') return byName || isObject(details) || Object.hasOwn(event, 'session_id');
  return byName && typeof misnamed === 'string';
}

/** In bytes: the first records of a log. */
const HEAD = 64 * 1024;

/** Whether one of the first records of a file is an event of a coordinator. */
function isCoordinatorLog(path: string): boolean {
  try {
    const lines = bytesBetween(path, 0, HEAD).toString().split('\n');
    return lines.some((line) => {
      const record = jsonIn(line);
      return isObject(record) && isCoordinatorEvent(record, false);
    });
  } catch {
    return false;
  }
}

/** Whether a folder has another log of a coordinator, so that its state may belong to that one. */
function hasOther(log: string): boolean {
  const dir = dirname(log);
  let names: readonly string[];
  try {
    names = readdirSync(dir);
  } catch {
    return false;
  }
  if (names.includes(LOG_FILE)) return true;
  return jsonLinesAmong(names).some((name) => name !== basename(log) && isCoordinatorLog(join(dir, name)));
}

/** The state next to a log, if it is that of the log (coordinator.md §8). */
export const stateFileOf = (log: string): string | undefined =>
  basename(log) === LOG_FILE || !hasOther(log) ? join(dirname(log), STATE_FILE) : undefined;

/** Whether a state next to a log may belong to another log. */
export const isStateOfOther = (log: string): boolean =>
  stateFileOf(log) === undefined && existsSync(join(dirname(log), STATE_FILE));
