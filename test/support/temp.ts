import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/**
 * A fresh directory, removed when the tests of the file have run. To be called in a test, a hook or at the top of a
 * test file.
 */
export function tempDir(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'noesis-test-')));
  made.push(dir);
  return dir;
}

const made: string[] = [];

/** Removes the directories that `tempDir` made. A setup file calls it after each test file. */
export function removeTempDirs(): void {
  for (const dir of made.splice(0)) {
    try {
      rmSync(dir, { recursive: true, force: true });
    } catch {
      // Folders in it may not be listed by their owner, unless that is the superuser.
      spawnSync('chmod', ['-R', 'u+rwX', dir]);
      rmSync(dir, { recursive: true, force: true });
    }
  }
}

/** Writes a file with an old time, because verification looks twice at a recent one. */
export function writeSettled(path: string, content: string | Uint8Array): void {
  writeFileSync(path, content);
  const past = new Date(Date.now() - 60_000);
  utimesSync(path, past, past);
}

/** Writes files (relative path to content) below a directory, a fresh one by default, and returns it. */
export function writeTree(files: Readonly<Record<string, string | Uint8Array>>, dir = tempDir()): string {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return dir;
}

/** A file with this content, in a new directory. */
export function tempFile(content: string | Uint8Array, name = 'events.jsonl'): string {
  return join(writeTree({ [name]: content }), name);
}
