import { closeSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

/** A program that keeps a run in one document: what it calls that, and what is in the first bytes of it. */
interface DocumentKind {
  readonly name: RegExp;
  readonly begins: (head: string) => boolean;
}

const KINDS: readonly DocumentKind[] = [
  // Inspect: a zip of samples.
  { name: /\.eval$/i, begins: (head) => head.startsWith('PK\u0003\u0004') },
  // SWE-agent
  { name: /\.traj$/i, begins: (head) => /^\s*\{/.test(head) && head.includes('"trajectory"') },
  // Agent Trajectory Interchange Format: `trajectory.json`, or a name of its own.
  { name: /(?:traj|atif).*\.json$/i, begins: (head) => /"schema_version"\s*:\s*"ATIF-/.test(head) },
];

/** In bytes: what tells a document stands at its beginning. */
const HEAD = 4096;

function headOf(path: string): string {
  try {
    const file = openSync(path, 'r');
    try {
      const head = Buffer.alloc(HEAD);
      return head.toString('latin1', 0, readSync(file, head, 0, HEAD, 0));
    } finally {
      closeSync(file);
    }
  } catch {
    return '';
  }
}

/** Of the files in a folder, the documents that hold a run: by their names, so that few are looked into, and by how they begin. */
export const documentsAmong = (dir: string, names: readonly string[]): string[] =>
  names
    .filter((name) => {
      const kind = KINDS.find((one) => one.name.test(name));
      return kind?.begins(headOf(join(dir, name)));
    })
    .sort();
