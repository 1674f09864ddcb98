import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chainedRecords, LINES_PROFILE, linkedLines } from './chained-log.ts';
import { coordinatorEvents } from './coordinator-log.ts';
import { exarchosEvents, STREAM } from './exarchos-log.ts';
import { fishbowlEvents } from './fishbowl-log.ts';
import { LineFile } from './lines.ts';
import { sourceOf } from './source.ts';

/** A log of another dialect. */
export interface OtherLog {
  readonly log: string;
  readonly bytes: number;
  readonly events: number;
}

/** Writes events until the file has the requested size. The generator then ends what it has begun. */
function writeLog(path: string, bytes: number, events: Generator<object, void, boolean>): OtherLog {
  const file = new LineFile(path);
  for (let next = events.next(false); !next.done; next = events.next(file.bytes >= bytes)) {
    file.add(JSON.stringify(next.value));
  }
  const extent = file.close();
  return { log: path, bytes: extent.bytes, events: extent.lines };
}

/** A stream of a workflow that alternates between delegation and review. */
export function writeExarchos(folder: string, bytes: number): OtherLog {
  const log = writeLog(join(folder, `${STREAM}.events.jsonl`), bytes, exarchosEvents(sourceOf(250)));
  writeFileSync(join(folder, `${STREAM}.seq`), JSON.stringify({ sequence: log.events }));
  return log;
}

/** A ledger of many runs, several of which are active at once. */
export const writeFishbowl = (folder: string, bytes: number): OtherLog =>
  writeLog(join(folder, 'ledger.jsonl'), bytes, fishbowlEvents(sourceOf(60)));

/** A log whose records are chained by hashes. */
export const writeChained = (folder: string, bytes: number): OtherLog =>
  writeLog(join(folder, 'log.jsonl'), bytes, chainedRecords(sourceOf(40)));

/** A log whose records name the lines before them, next to a configuration that says so. */
export function writeLinkedLines(folder: string, bytes: number): OtherLog {
  writeFileSync(join(folder, 'noesis.toml'), LINES_PROFILE);
  return writeLog(join(folder, 'log.jsonl'), bytes, linkedLines(sourceOf(40)));
}

/** A log of one plan over many sessions. */
export const writeCoordinator = (folder: string, bytes: number): OtherLog =>
  writeLog(join(folder, 'event-log.jsonl'), bytes, coordinatorEvents(sourceOf(100)));
