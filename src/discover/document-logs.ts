import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

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
      (/"sessionId"\s*:/.test(head) && /"projectHash"\s*:/.test(head) && /"messages"\s*:/.test(head)),
  },
];

/** In bytes: documents are recognised by their first bytes. */
export const DOCUMENT_HEAD = 4096;

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(DOCUMENT_HEAD);
      return head.toString('latin1', 0, readSync(file, head, 0, DOCUMENT_HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Whether a file with this name is a document of a run if its content fits. */
export const isNamedAsDocument = (name: string): boolean => KINDS.some((kind) => kind.name.test(name));

/** Whether a file is a document of a run, by its name and its first bytes. */
export const isDocument = (name: string, head: string): boolean =>
  KINDS.some((kind) => kind.name.test(name) && kind.begins(head));

/** The files in a folder that are documents of a run. Checks names first, so that few files are opened. */
export const documentsAmong = (dir: string, names: readonly string[]): string[] =>
  names.filter((name) => isNamedAsDocument(name) && isDocument(name, headOf(join(dir, name)))).sort();
