import { readFile, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { TargetError } from '../errors.ts';
import { parseJson } from '../json/parse.ts';
import { isObject } from '../json/value.ts';
import { readLog } from '../log/read.ts';

/** What is called this is a log, however broken: its faults are findings. */
const LOG_NAME = /\.(?:jsonl|ndjson|log)(?:\.|$)/i;

const STATE_NAME = /(?:^|\.)state\.json$/;
const ARTIFACT_NAME = /^(?:summary|manifest|final)\.json$/;

/** One of these is in every record of a log, whatever its make. */
const MEMBERS = [
  'id',
  'eventId',
  'event_id',
  'timestamp',
  'created_at',
  'time',
  'ts',
  'event_type',
  'type',
  'kind',
  'phase',
];

/** A longer file is not read whole to see whether it is one document. */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/** Whether a file is one JSON document, laid out over several lines or of another shape than a record. */
async function isOneDocument(path: string): Promise<boolean> {
  if ((await stat(path)).size > MAX_DOCUMENT) return false;
  const text = await readFile(path, 'utf8');
  try {
    const value = parseJson(text);
    return text.trim().includes('\n') || !isObject(value) || !MEMBERS.some((name) => name in value);
  } catch {
    return false;
  }
}

/** The lines of a file none of whose lines is a record; undefined where one is, or where there is no line. */
async function linesWithoutRecord(path: string): Promise<number | undefined> {
  let found = false;
  const { lines, blankLines } = await readLog(path, {
    record: () => {
      found = true;
    },
    corrupt: () => {},
    between: () => !found,
  });
  return found || lines === blankLines ? undefined : lines;
}

/**
 * Refuses a file that is plainly no log: a state, another document, or text without a single record. Throws
 * `log-missing`. `shown` is the file as the user would write it; `known`, whether its records fit a dialect.
 */
export async function requireLog(path: string, shown: string, known: boolean): Promise<void> {
  const name = basename(path);
  const refuse = (why: string, hint: string) =>
    new TargetError('log-missing', `${shown} does not look like an event log: ${why}`, {
      place: { file: path },
      hint,
    });
  if (LOG_NAME.test(name)) return;
  if (STATE_NAME.test(name)) throw refuse('it is a state file', `noesis state ${shown}`);
  if (ARTIFACT_NAME.test(name)) {
    throw refuse('it is a file beside one', `noesis verify ${dirname(shown)} checks it with its episode`);
  }
  if (known) return;
  if (await isOneDocument(path)) throw refuse('it is one JSON document', 'a log has a JSON object a line');
  const lines = await linesWithoutRecord(path);
  if (lines === undefined) return;
  const none =
    lines === 1 ? 'its only line is no JSON object' : `none of its ${lines} lines is a JSON object`;
  throw refuse(none, 'name an episode, its log, or a folder of episodes');
}
