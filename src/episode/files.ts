import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { lstat, readdir, readFile, realpath, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A file of an episode: its name relative to the directory, with forward slashes. */
export interface EpisodeFile {
  readonly name: string;
  /** False for a symlink that leads out of the episode, or nowhere: never followed. */
  readonly inside: boolean;
}

async function leadsInside(root: string, path: string): Promise<boolean> {
  try {
    const target = relative(root, await realpath(path));
    return target !== '' && target !== '..' && !target.startsWith(`..${sep}`);
  } catch {
    return false;
  }
}

/** Every regular file below an episode's directory, sorted by name; symlinks count when they stay inside. */
export async function listFiles(dir: string): Promise<EpisodeFile[]> {
  const root = await realpath(dir);
  const found: EpisodeFile[] = [];
  const visit = async (below: string): Promise<void> => {
    for (const entry of await readdir(join(root, below), { withFileTypes: true })) {
      const name = below === '' ? entry.name : `${below}/${entry.name}`;
      const path = join(root, name);
      if (entry.isDirectory()) await visit(name);
      else if (entry.isFile()) found.push({ name, inside: true });
      else if (entry.isSymbolicLink()) found.push({ name, inside: await leadsInside(root, path) });
    }
  };
  await visit('');
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What came of reading a file of an episode. */
export type FileOutcome =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The code of a file system error, such as ENOENT. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Reads a file of an episode whole. A symlink out of the episode is unreadable, as is a directory. */
export async function readEpisodeFile(dir: string, name: string): Promise<FileOutcome> {
  const path = join(dir, name);
  try {
    const status = await lstat(path);
    if (status.isSymbolicLink() && !(await leadsInside(await realpath(dir), path))) {
      return { kind: 'unreadable', reason: 'a symlink out of the episode' };
    }
    return { kind: 'read', bytes: await readFile(path) };
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' };
    return { kind: 'unreadable', reason: code ?? String(error) };
  }
}

/** The sha256 of a file, in lower-case hex, and its length. Reads it as a stream. */
export async function hashFile(path: string): Promise<{ sha256: string; size: number }> {
  const hash = createHash('sha256');
  let size = 0;
  // The stream allocates so much for every read, and most files are small.
  const highWaterMark = Math.min(1024 * 1024, (await stat(path)).size + 1);
  for await (const chunk of createReadStream(path, { highWaterMark })) {
    hash.update(chunk as Buffer);
    size += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), size };
}
