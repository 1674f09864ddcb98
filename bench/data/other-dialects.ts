import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createRandom, type Random } from '../../test/support/simulator/random.ts';
import { createText } from '../../test/support/simulator/text.ts';
import { coordinatorEvents } from './coordinator-log.ts';
import { exarchosEvents, STREAM } from './exarchos-log.ts';
import { fishbowlEvents } from './fishbowl-log.ts';
import { LineFile } from './lines.ts';

/** A log of another dialect. */
export interface OtherLog {
  readonly log: string;
  readonly bytes: number;
  readonly events: number;
}

/** What event generators need. */
export interface Source {
  readonly random: Random;
  /** A number of words; one text in twenty has characters beyond ASCII. */
  readonly words: (count: number) => string;
  /** The next time, up to a second later: ISO 8601 with milliseconds. */
  readonly now: () => string;
}

function source(seed: number): Source {
  const random = createRandom(seed);
  const [plain, rich] = [createText(random, false), createText(random, true)];
  let clock = Date.parse('2026-03-01T08:00:00Z');
  return {
    random,
    words: (count) => (random.chance(0.05) ? rich : plain).words(count),
    now: () => {
      clock += 1 + random.int(1000);
      return new Date(clock).toISOString();
    },
  };
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
  const log = writeLog(join(folder, `${STREAM}.events.jsonl`), bytes, exarchosEvents(source(250)));
  writeFileSync(join(folder, `${STREAM}.seq`), JSON.stringify({ sequence: log.events }));
  return log;
}

/** A ledger of many runs, several of which are active at once. */
export const writeFishbowl = (folder: string, bytes: number): OtherLog =>
  writeLog(join(folder, 'ledger.jsonl'), bytes, fishbowlEvents(source(60)));

/** A log of one plan over many sessions. */
export const writeCoordinator = (folder: string, bytes: number): OtherLog =>
  writeLog(join(folder, 'event-log.jsonl'), bytes, coordinatorEvents(source(100)));
