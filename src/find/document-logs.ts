import { statSync } from 'node:fs';
import { join } from 'node:path';
import { readWhole } from '../base/files/open-file.ts';
import { jsonIn } from '../base/json/parse.ts';
import { isObject } from '../base/json/value.ts';
import { chainedDocuments, recordsIn } from '../dialects/registry.ts';
import { bytesBetween } from '../log/bytes-between.ts';

/** A program that writes one document per run: its file names, and how to recognise the content. */
interface DocumentKind {
  readonly name: RegExp;
  readonly begins: (head: string) => boolean;
}

const KINDS: readonly DocumentKind[] = [
  // Inspect: a zip of samples.
  { name: /\.eval$/i, begins: (head) => head.startsWith('PK\u0003\u0004') },
  // SWE-agent
  { name: /\.traj$/i, begins: (head) => /^\s*\{/.test(head) && head.includes('"trajectory"') },
  {
    name: /\.json$/i,
    begins: (head) =>
      // Agent Trajectory Interchange Format
      (/"schema_version"\s*:\s*"ATIF-/.test(head) && /"(?:agent|steps)"\s*:/.test(head)) ||
      // Gemini CLI before it wrote JSON Lines
      (/"sessionId"\s*:/.test(head) && /"projectHash"\s*:/.test(head) && /"messages"\s*:/.test(head)) ||
      // The export of opencode
      (/"info"\s*:/.test(head) && /"id"\s*:\s*"ses_/.test(head) && /"version"\s*:/.test(head)),
  },
];

/** The first member of a document that may have its marks later: another program may have sorted the members. */
const MAY_BEGIN =
  /^\s*\{\s*"(?:agent|environment|extra|final_metrics|history|info|lastUpdated|messages|notes|projectHash|schema_version|session_id|sessionId|startTime|steps|trajectory_id)"/;

/** A byte order mark, in bytes. */
const MARK = /^\u00ef\u00bb\u00bf/;

/** In bytes: documents are recognised by their first bytes, or by more of them if these may belong to one. */
export const DOCUMENT_HEADS = [4096, 4 * 1024 * 1024] as const;

function headOf(path: string, most: number): string {
  try {
    return bytesBetween(path, 0, Math.min(most, statSync(path).size)).toString('latin1');
  } catch {
    return '';
  }
}

/** Whether a file with this name is a document of a run if its content fits. */
export const isNamedAsDocument = (name: string): boolean => KINDS.some((kind) => kind.name.test(name));

/** Whether a document has records of a known chain: the members by which it is recognised are in its first bytes. */
const isChained = (name: string, head: string): boolean =>
  /\.json$/i.test(name) &&
  /^\s*[[{]/.test(head) &&
  chainedDocuments().some((marks) => marks.every((mark) => head.includes(mark)));

/** Whether a file is a document of a run, by its name and its first bytes. Undefined if more bytes may decide. */
export function isDocument(name: string, bytes: string): boolean | undefined {
  const head = bytes.replace(MARK, '');
  if (KINDS.some((kind) => kind.name.test(name) && kind.begins(head)) || isChained(name, head)) return true;
  return MAY_BEGIN.test(head) ? undefined : false;
}

/** A longer document is not parsed to find out what it is. */
const MOST_PARSED = 16 * 1024 * 1024;

/**
 * Whether a document with the marks of a chain has no records: it describes that format, as a profile or a schema does. A
 * damaged document may have had records.
 */
function describesChain(path: string, name: string): boolean {
  const [few] = DOCUMENT_HEADS;
  const head = headOf(path, few);
  if (KINDS.some((kind) => kind.name.test(name) && kind.begins(head)) || !isChained(name, head)) return false;
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > MOST_PARSED) return false;
  const document = jsonIn(readWhole(path).toString());
  // A list is a document of its elements.
  return isObject(document) && recordsIn(document) === undefined;
}

/** The files in a folder that are documents of a run. Checks names first, so that few files are opened. */
export function documentsAmong(dir: string, names: readonly string[]): string[] {
  const [few, many] = DOCUMENT_HEADS;
  const isIn = (name: string, most: number) => isDocument(name, headOf(join(dir, name), most));
  const isFound = (name: string) => isIn(name, few) ?? isIn(name, many) ?? false;
  return names
    .filter((name) => isNamedAsDocument(name) && isFound(name) && !describesChain(join(dir, name), name))
    .sort();
}
