import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Budget } from '../archives/budget.ts';
import { recordsOfDocument } from '../dialects/document-forms.ts';
import { recordsIn } from '../dialects/registry.ts';
import { firstRecords } from '../dialects/sample.ts';
import { NEWLINE } from '../json/ascii.ts';
import { parseDocument } from '../json/document.ts';
import { tooLongForDocument } from '../json/limits.ts';
import { lintJson } from '../json/lint.ts';
import { parseExactJson } from '../json/parse.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { writeJson } from '../json/write.ts';
import { jsonDocumentsIn } from '../log/json-documents.ts';
import { MAX_LINE_BYTES } from '../log/limits.ts';
import { inspectEvents, isInspectLog } from './inspect-log.ts';
import { holdsSeveral, isLogName, isNamedArtifact } from './require-log.ts';

/** A file whose records do not stand on lines of their own. */
export interface DocumentSource {
  /** What it is, and what its lines are: the rest of a sentence that begins with its name. */
  readonly remark: string;
  /** Its records, a line each. `read` is told how many bytes of the file went into what follows. */
  lines(read: (bytes: number) => void): AsyncIterable<string | Buffer>;
}

/** The value of a JSON text, its numbers as they are stored; undefined where it is none, or says something twice. */
function exactValue(bytes: Buffer): JsonValue | undefined {
  const outcome = parseDocument(bytes);
  if (!outcome.ok) return undefined;
  // What a reader would drop is not dropped here unsaid.
  if (outcome.maybeDuplicate)
    for (const { kind } of lintJson(bytes, 0, bytes.length)) if (kind === 'duplicate-key') return undefined;
  return parseExactJson(bytes.toString('utf8'));
}

const lineOf = (record: JsonObject): string => `${writeJson(record)}\n`;

/** The lines of a file with their newlines; one that is longer than a line may be comes in pieces. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at + 1)]);
      parts = [];
      size = 0;
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    parts.push(rest);
    size += rest.length;
    if (size <= MAX_LINE_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts);
}

/** The lines of a file, those that hold several records as so many lines; what is damaged stays as it is. */
async function* splitLines(path: string, read: (bytes: number) => void): AsyncGenerator<string | Buffer> {
  for await (const line of linesOf(path)) {
    read(line.length);
    const value = exactValue(line);
    const records = value === undefined ? undefined : recordsIn(value);
    if (records === undefined) yield line;
    else for (const record of records) yield lineOf(record);
  }
}

async function* documentLines(
  records: readonly JsonObject[],
  bytes: number,
  read: (bytes: number) => void,
): AsyncGenerator<string> {
  read(bytes);
  for (const record of records) yield lineOf(record);
}

async function* inspectLines(path: string, read: (bytes: number) => void): AsyncGenerator<string> {
  for await (const event of inspectEvents(path, exactValue, read)) yield lineOf(event);
}

/** The records of a file that is one JSON document. */
async function wholeDocument(path: string): Promise<DocumentSource | undefined> {
  if (tooLongForDocument((await stat(path)).size) !== undefined) return undefined;
  const bytes = await readFile(path);
  const value = exactValue(bytes);
  const records = value === undefined ? undefined : recordsOfDocument(value);
  if (records === undefined) return undefined;
  const [what, parts] =
    Array.isArray(value) && value.length === records.length ? ['array', 'element'] : ['document', 'record'];
  return {
    remark: `is one JSON ${what}: line N is its ${parts} N`,
    lines: (read) => documentLines(records, bytes.length, read),
  };
}

/**
 * A file whose records do not stand on lines of their own, though it can be read so: an array of records, a document of
 * a known form, an archive of such documents, or lines that hold several records each. Undefined for any other. `name`: what the file is called.
 */
export async function documentAt(path: string, name = basename(path)): Promise<DocumentSource | undefined> {
  if (await isInspectLog(path, name))
    return {
      remark: 'is an evaluation log of Inspect: line N is event N of its samples, one sample after the other',
      lines: (read) => inspectLines(path, read),
    };
  const records = firstRecords(path, holdsSeveral);
  if (records === undefined) return undefined;
  if (holdsSeveral(records))
    return {
      remark: 'has several records on a line: line N is its record N',
      lines: (read) => splitLines(path, read),
    };
  // Two records on lines of their own are no document.
  if (records.length > 1 || isNamedArtifact(name)) return undefined;
  if (!isLogName(name)) return wholeDocument(path);
  // A list in place of a log may have been made from it by anyone: only a document that a program writes is read.
  const documents = records.length === 0 ? jsonDocumentsIn(path) : undefined;
  return documents === undefined || Array.isArray(documents.first) ? undefined : wholeDocument(path);
}

/** The lines of a document within what may come out of a file of its size. Throws `too-large`. */
export async function* linesWithin(source: DocumentSource, budget: Budget): AsyncGenerator<string | Buffer> {
  const read = (bytes: number) => {
    budget.packed += bytes;
  };
  for await (const line of source.lines(read)) {
    budget.add(Buffer.byteLength(line));
    yield line;
  }
}
