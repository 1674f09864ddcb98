import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Budget } from '../base/archives/budget.ts';
import { readWhole, streamToRead } from '../base/files/open-file.ts';
import { NEWLINE } from '../base/json/ascii.ts';
import { tooLongForDocument } from '../base/json/limits.ts';
import { lintJson } from '../base/json/lint.ts';
import { parseExactJson } from '../base/json/parse.ts';
import { parseDocument } from '../base/json/parse-document.ts';
import type { JsonValue } from '../base/json/value.ts';
import { writeJson } from '../base/json/write.ts';
import { recordsOfDocument } from '../dialects/kit/document-forms.ts';
import { recordsIn } from '../dialects/registry.ts';
import { jsonDocumentsIn } from '../log/json-documents.ts';
import { MAX_LINE_BYTES } from '../log/limits.ts';
import { markLength } from '../log/line-text.ts';
import { brokenDocument } from './broken-document.ts';
import { DocumentPlaces } from './document-places.ts';
import { cutInspectLog, inspectEvents, isInspectLog } from './inspect-log.ts';
import { holdsSeveral, isLogName, isNamedArtifact, recordsUpToSeveral } from './require-log.ts';
import { type StoredText, storedText } from './stores.ts';

/** A file that is one JSON document. */
export interface WholeDocument {
  readonly records: number;
  /** The document; if it is damaged, its intact part, closed after the last whole record. */
  readonly intact: Buffer;
  /** The first byte that is not in the intact part, from 0, and why. */
  readonly damage?: {
    readonly offset: number;
    readonly code: 'log/truncated' | 'log/invalid-json';
    readonly message: string;
  };
}

/** What is said of a document that breaks off. */
export const CUT_DOCUMENT = 'the document ends in the middle';

/** A file whose records are not one per line. */
export interface DocumentSource {
  /** If line numbers are not those of the file: what they count, as the rest of a sentence that begins with its name. */
  readonly remark?: string;
  /** Where its records are in the file, if that is known. */
  readonly places?: DocumentPlaces;
  readonly isDamaged?: true;
  /** If the file is one JSON document. */
  readonly whole?: WholeDocument;
  /** What is damaged, if it is not to be seen in the records: replaces the message of their last line, which breaks off. */
  readonly damage?: string;
  /** Logs of parts, which become files next to a copy. */
  readonly parts?: StoredText['parts'];
  /** Further files next to a copy: its name with one of these endings. */
  readonly beside?: StoredText['beside'];
  /** Yields its records, one per line. `read` receives the number of bytes read so far. */
  lines(read: (bytes: number) => void): AsyncIterable<string | Buffer>;
}

/** The value of a JSON text with numbers as stored; undefined if it is invalid or has duplicate keys. */
function exactValue(bytes: Buffer): JsonValue | undefined {
  const outcome = parseDocument(bytes);
  if (!outcome.ok) return undefined;
  // A reader would drop a duplicate key; this refuses it instead.
  if (outcome.maybeDuplicate)
    for (const { kind } of lintJson(bytes, 0, bytes.length)) if (kind === 'duplicate-key') return undefined;
  return parseExactJson(bytes.toString('utf8'));
}

const lineOf = (record: JsonValue): string => `${writeJson(record)}\n`;

/** Yields the lines of a file with their newlines; an overlong line comes in pieces. */
async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of streamToRead(path, 1024 * 1024) as AsyncIterable<Buffer>) {
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

/** Yields the lines of a file, splitting those with several records. Damaged lines are unchanged. */
async function* splitLines(path: string, read: (bytes: number) => void): AsyncGenerator<string | Buffer> {
  for await (const line of linesOf(path)) {
    read(line.length);
    const value = exactValue(line);
    const records = value === undefined ? undefined : recordsIn(value);
    if (records === undefined) yield line;
    else for (const record of records) yield lineOf(record);
  }
}

/** Yields records on the lines that they have in the document. */
async function* documentLines(
  records: readonly JsonValue[],
  places: DocumentPlaces | undefined,
  bytes: number,
  read: (bytes: number) => void,
): AsyncGenerator<string> {
  read(bytes);
  for (const [index, record] of records.entries()) yield emptyLines(places, index) + lineOf(record);
}

/** The empty lines between a record and the one before it. */
function emptyLines(places: DocumentPlaces | undefined, index: number): string {
  const { lines = [] } = places ?? {};
  return '\n'.repeat((lines[index] ?? index + 1) - (lines[index - 1] ?? index) - 1);
}

const INSPECT = 'an evaluation log of Inspect';

/** An evaluation log of Inspect. If it is cut off: its whole samples, and a line that shows the damage. */
async function inspectSource(path: string): Promise<DocumentSource> {
  const cut = await cutInspectLog(path);
  const lines = async function* (read: (bytes: number) => void) {
    for await (const event of inspectEvents(path, exactValue, read, cut)) yield lineOf(event);
    if (cut) yield '{';
  };
  if (cut === undefined)
    return { remark: `is ${INSPECT}: line N is event N of its samples, one sample after the other`, lines };
  const remark = `is ${INSPECT} that ${cut.said}; line N is event N of its whole samples`;
  return { remark, isDamaged: true, damage: `the file ${cut.said}`, lines };
}

/** A damaged document of a known program: its intact records, and the rest as a line that shows the damage. */
function brokenSource(bytes: Buffer): DocumentSource | undefined {
  const outcome = parseDocument(bytes);
  if (outcome.ok) return undefined;
  const broken = brokenDocument(bytes, outcome.offset, exactValue);
  if (broken === undefined) return undefined;
  const { document, records, rest, damage, kept, isCut } = broken;
  const places = DocumentPlaces.of(bytes, document, records, damage);
  return {
    ...remarkOn('a damaged JSON document', 'record', places),
    isDamaged: true,
    whole: {
      records: records.length,
      intact: damage.read,
      damage: {
        offset: kept,
        code: isCut ? 'log/truncated' : 'log/invalid-json',
        message: isCut ? CUT_DOCUMENT : outcome.message,
      },
    },
    ...(places && { places }),
    lines: async function* (read) {
      yield* documentLines(records, places, bytes.length, read);
      yield emptyLines(places, records.length) + rest;
    },
  };
}

/** A run in a store. No remark says what its line numbers count, because a store has no lines that they could be taken for. */
function storedSource({ lines, parts, beside }: StoredText): DocumentSource {
  return {
    parts,
    beside,
    lines: async function* (read) {
      for (const line of lines) {
        read(line.length);
        yield `${line}\n`;
      }
    },
  };
}

/** Says what line numbers count. */
const remarkOn = (
  what: string,
  part: string,
  places: DocumentPlaces | undefined,
): Pick<DocumentSource, 'remark'> =>
  places?.areTrue ? {} : { remark: `is ${what}: line N is its ${part} N` };

/** The records of a file that is one JSON document. */
async function wholeDocument(path: string): Promise<DocumentSource | undefined> {
  if (tooLongForDocument((await stat(path)).size) !== undefined) return undefined;
  const bytes = readWhole(path);
  // A byte order mark is no JSON. Spaces in its place keep the places of all else.
  bytes.fill(' ', 0, markLength(bytes));
  const value = exactValue(bytes);
  if (value === undefined) return brokenSource(bytes);
  const records = recordsOfDocument(value);
  if (records === undefined) return undefined;
  const [what, part] =
    Array.isArray(value) && value.length === records.length ? ['array', 'element'] : ['document', 'record'];
  const places = DocumentPlaces.of(bytes, value, records);
  return {
    ...remarkOn(`one JSON ${what}`, part, places),
    whole: { records: records.length, intact: bytes },
    ...(places && { places }),
    lines: (read) => documentLines(records, places, bytes.length, read),
  };
}

/**
 * Opens a file whose records are not one per line: an array of records, a document of a known form, an
 * archive of such documents, or lines with several records. Undefined for any other file. `name`: the file
 * name.
 */
export async function documentAt(path: string, name = basename(path)): Promise<DocumentSource | undefined> {
  const stored = await storedText(path);
  if (stored) return storedSource(stored);
  if (isInspectLog(path, name)) return inspectSource(path);
  const records = recordsUpToSeveral(path);
  if (records === undefined) return undefined;
  if (holdsSeveral(records)) {
    // A document on one line is the whole file.
    const whole = records.length === 1 ? await wholeDocument(path) : undefined;
    if (whole?.places && !whole.isDamaged) return whole;
    return {
      remark: 'has several records on a line: line N is its record N',
      lines: (read) => splitLines(path, read),
    };
  }
  // A file with two records on separate lines is a log.
  if (records.length > 1 || isNamedArtifact(name)) return undefined;
  if (!isLogName(name)) return wholeDocument(path);
  // A list is not read, because no known program writes one here.
  const documents = records.length === 0 ? jsonDocumentsIn(path) : undefined;
  return documents === undefined || Array.isArray(documents.first) ? undefined : wholeDocument(path);
}

/** Yields the lines of a document, limiting the output in proportion to the file. Throws `too-large`. */
export async function* linesWithin(source: DocumentSource, budget: Budget): AsyncGenerator<string | Buffer> {
  const read = (bytes: number) => {
    budget.packed += bytes;
  };
  for await (const line of source.lines(read)) {
    budget.add(Buffer.byteLength(line));
    yield line;
  }
}
