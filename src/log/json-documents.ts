import { isUtf8 } from 'node:buffer';
import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../base/files/open-file.ts';
import { CARRIAGE_RETURN, NEWLINE, OPEN_BRACE, OPEN_BRACKET } from '../base/json/ascii.ts';
import { MAX_DOCUMENT_BYTES } from '../base/json/limits.ts';
import { JsonScanner } from '../base/json/scanner.ts';
import { isObject, type JsonValue } from '../base/json/value.ts';
import type { Corruption } from './corruption.ts';

/** Multi-line JSON documents in a file that should have a record per line. */
export interface JsonDocuments {
  /** The number of complete documents. */
  readonly count: number;
  /** Whether the file ends inside another document. */
  readonly tornEnd: boolean;
  readonly first: JsonValue;
}

/**
 * In bytes. The first line of an indented document is short, and a damaged log has a whole record in this range.
 */
const HEAD = 64 * 1024;

const scanner = new JsonScanner();

/**
 * Replaces newlines with carriage returns, because the scanner stops at a newline and both are white space.
 */
function onOneLine(text: Buffer): Buffer {
  const copy = Buffer.allocUnsafe(text.length + 1);
  copy.set(text);
  copy[text.length] = NEWLINE;
  for (let at = copy.indexOf(NEWLINE); at < text.length; at = copy.indexOf(NEWLINE, at + 1))
    copy[at] = CARRIAGE_RETURN;
  return copy;
}

/** Whether a text may begin with a document that continues after its first newline. */
function mayBegin(head: Buffer, isAll: boolean): boolean {
  const end = isAll ? head.length : head.lastIndexOf(NEWLINE);
  if (end <= 0) return false;
  const isWhole = scanner.scan(onOneLine(head.subarray(0, end)), 0, end);
  const first = head[scanner.valueStart];
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return false;
  const lineEnd = head.indexOf(NEWLINE, scanner.valueStart);
  // Either the document ends and another follows, or it is longer than the head.
  if (isWhole || scanner.fault === 'trailing-text') return lineEnd !== -1 && lineEnd < scanner.valueEnd;
  return !isAll && scanner.faultAt >= end;
}

function documentsOf(text: Buffer): JsonDocuments | undefined {
  if (!isUtf8(text)) return undefined;
  const line = onOneLine(text);
  let count = 0;
  let first: JsonValue = null;
  for (let from = 0; ; from = scanner.faultAt) {
    const isLast = scanner.scan(line, from, text.length);
    if (!isLast && scanner.fault !== 'trailing-text') {
      if (count === 0) return undefined;
      const lastLine = text.toString('latin1').trimEnd().lastIndexOf('\n');
      return scanner.faultAt > lastLine ? { count, tornEnd: true, first } : undefined;
    }
    const { valueStart, valueEnd } = scanner;
    // A record on one line means that this is a damaged log.
    const newline = text.indexOf(NEWLINE, valueStart);
    if (newline === -1 || newline >= valueEnd) return undefined;
    if (count === 0) first = JSON.parse(text.toString('utf8', valueStart, valueEnd)) as JsonValue;
    count += 1;
    if (isLast) return { count, tornEnd: false, first };
  }
}

/** The first bytes of a file. */
export function headOf(path: string): Buffer {
  const file = openToRead(path);
  try {
    return read(file, HEAD);
  } finally {
    closeSync(file);
  }
}

function read(file: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, 0));
}

/**
 * The documents of a file that contains nothing else: each an object or list over several lines. Undefined
 * for a log, however damaged, which has at least one record on a line.
 */
export function jsonDocumentsIn(path: string): JsonDocuments | undefined {
  const file = openToRead(path);
  try {
    const { size } = fstatSync(file);
    if (size > MAX_DOCUMENT_BYTES || !mayBegin(read(file, Math.min(size, HEAD)), size <= HEAD))
      return undefined;
    return documentsOf(read(file, size));
  } finally {
    closeSync(file);
  }
}

/** Every record of every known format has one of these members. */
const RECORD_MEMBERS = [
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

/** Whether an object may be a record. */
export const mayBeRecord = (value: JsonValue): boolean =>
  isObject(value) && RECORD_MEMBERS.some((name) => name in value);

export const isRecords = (value: JsonValue | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every(isObject);

/**
 * A jq filter that prints the records of a document, one per line; undefined if it is unclear where they are.
 */
export function recordsFilter(document: JsonValue): string | undefined {
  if (isRecords(document)) return '.[]';
  const lists = isObject(document) ? Object.keys(document).filter((key) => isRecords(document[key])) : [];
  const [only] = lists;
  return lists.length === 1 && only !== undefined && /^\w+$/.test(only) ? `.${only}[]` : undefined;
}

/** The message for a file of documents instead of a log. */
export function documentsText({ count, tornEnd }: JsonDocuments): string {
  const documents = count === 1 ? '1 JSON document' : `${count} JSON documents`;
  return `${documents} on several lines each, not JSON Lines${tornEnd ? '; the file ends inside another' : ''}`;
}

export const filterOf = (first: JsonValue): string =>
  mayBeRecord(first) ? '.' : (recordsFilter(first) ?? '.');

/**
 * The corruption of a log's first line, or a better one about the whole file if it contains multi-line
 * documents.
 */
export function explainDocuments(path: string, found: Corruption): Corruption {
  const documents = found.line === 1 ? jsonDocumentsIn(path) : undefined;
  if (documents === undefined) return found;
  const message = `${documentsText(documents)}; jq -c '${filterOf(documents.first)}' writes one record per line`;
  return { ...found, message };
}
