import { stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { TargetError } from '../base/errors.ts';
import { readWhole } from '../base/files/open-file.ts';
import { jsonIn } from '../base/json/parse.ts';
import type { JsonObject, JsonValue } from '../base/json/value.ts';
import { shellWord } from '../base/text/shell-word.ts';
import { firstRecords } from '../dialects/kit/sample.ts';
import { recordsIn } from '../dialects/registry.ts';
import { isRecords, jsonDocumentsIn, mayBeRecord, recordsFilter } from '../log/json-documents.ts';
import { AS_STORED } from '../log/log-form.ts';
import { readLog } from '../log/read.ts';

/** A file with such a name is a log, however damaged; its faults are findings. */
const LOG_NAME = /\.(?:jsonl|ndjson|log)(?:\.|$)/i;

const STATE_NAME = /(?:^|\.)state\.json$/;
const ARTIFACT_NAME = /^(?:summary|manifest|final)\.json$/;

/** Whether a file has the name of a log. */
export const isLogName = (name: string): boolean => LOG_NAME.test(name);

/** Whether a file has the name of an artifact next to a log. */
export const isNamedArtifact = (name: string): boolean => STATE_NAME.test(name) || ARTIFACT_NAME.test(name);

/** Whether one of these records contains several. */
export const holdsSeveral = (records: readonly JsonObject[]): boolean =>
  records.some((record) => recordsIn(record) !== undefined);

/** The first records of a file, up to one that contains several. Undefined if it cannot be read. */
export const recordsUpToSeveral = (path: string): readonly JsonObject[] | undefined =>
  // The records before the last one have been asked about.
  firstRecords(path, (records) => holdsSeveral(records.slice(-1)));

/**
 * Whether a file may have records that are not one per line. A file with a log's name only does if its first
 * lines contain several records, or if no line is a record.
 */
export function mayBeDocument(path: string, name: string): boolean {
  if (!isLogName(name)) return true;
  const records = recordsUpToSeveral(path);
  return records?.length === 0 ? jsonDocumentsIn(path) !== undefined : holdsSeveral(records ?? []);
}

/** A longer file is not parsed to find out whether it is one document. */
const MAX_DOCUMENT = 16 * 1024 * 1024;

/** The JSON document in a file, if it spans several lines or is not shaped like a record. */
async function oneDocument(path: string): Promise<JsonValue | undefined> {
  if ((await stat(path)).size > MAX_DOCUMENT) return undefined;
  const text = readWhole(path).toString();
  const value = jsonIn(text);
  return value === undefined || text.trim().includes('\n') || !mayBeRecord(value) ? value : undefined;
}

/** How to convert the records of a document to lines, if it has some. */
function linesFrom(document: JsonValue, shown: string): string {
  const filter = recordsFilter(document);
  return filter === undefined
    ? 'a log has one JSON object per line, or is one document of a known dialect (noesis help dialects)'
    : `run jq -c ${shellWord(filter)} ${shellWord(shown)} > records.jsonl`;
}

/** The lines of a file without a single record; undefined if a line is a record, or if it is empty. */
async function linesWithoutRecord(path: string): Promise<number | undefined> {
  let found = false;
  const { lines, blankLines } = await readLog(path, AS_STORED, {
    record: () => {
      found = true;
    },
    between: () => !found,
  });
  return found || lines === blankLines ? undefined : lines;
}

/**
 * Refuses a file that is clearly not a log: a state, another document, or text without a record. Throws
 * `log-missing`. `shown` is the path for the user, `origin` what is there if the file is a copy; `known`: the records
 * fit a dialect.
 */
export async function requireLog(path: string, shown: string, known: boolean, origin = path): Promise<void> {
  const name = basename(path);
  const refuse = (why: string, hint: string) =>
    new TargetError('log-missing', `${shown} does not look like an event log: ${why}`, {
      place: { file: origin },
      hint,
    });
  if (isLogName(name)) return;
  if (STATE_NAME.test(name)) throw refuse('it is a state file', `noesis state ${shown}`);
  if (ARTIFACT_NAME.test(name)) {
    throw refuse('it belongs to an episode', `noesis verify ${dirname(shown)} checks it with its episode`);
  }
  if (known) return;
  const document = await oneDocument(path);
  if (document !== undefined)
    throw refuse(
      isRecords(document) ? 'it is one JSON array' : 'it is one JSON document',
      linesFrom(document, shown),
    );
  const lines = await linesWithoutRecord(path);
  if (lines === undefined) return;
  const none =
    lines === 1 ? 'its only line is not a JSON object' : `none of its ${lines} lines is a JSON object`;
  throw refuse(none, 'give a run, its log, or a folder with runs');
}
