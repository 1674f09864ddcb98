import {
  constants,
  lstatSync,
  mkdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { copyFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Budget } from '../base/archives/budget.ts';
import { listFiles } from '../base/files/files.ts';
import { readWhole } from '../base/files/open-file.ts';
import { tooLongForDocument } from '../base/json/limits.ts';

/** Long files that a top-level document names. Checks may compare their hashes. */
function namedLongFiles(dir: string, sizes: ReadonlyMap<string, number>): ReadonlySet<string> {
  const isLong = ([, size]: [string, number]) => tooLongForDocument(size) !== undefined;
  const long = [...sizes].filter(isLong).map(([name]) => name);
  const named = new Set<string>();
  if (long.length === 0) return named;
  for (const entry of sizes) {
    if (isLong(entry) || !/^[^/]*\.json$/.test(entry[0])) continue;
    const text = readWhole(join(dir, entry[0])).toString();
    for (const name of long) if (text.includes(JSON.stringify(name))) named.add(name);
  }
  return named;
}

/**
 * Copies an episode's folder without its compressed log. Returns what cannot be copied because it is not a
 * file. Every byte counts against the budget. A long file that no document names is only listed by checks, so
 * an empty file of the same length replaces it. Throws `too-large`, and the file system's error.
 */
export async function copyFolder(
  dir: string,
  to: string,
  log: string,
  budget: Budget,
): Promise<readonly string[]> {
  const { files, others } = listFiles(dir);
  const sizes = new Map<string, number>();
  for (const { name } of files) {
    const status = lstatSync(join(dir, name));
    if (!status.isSymbolicLink()) sizes.set(name, status.size);
  }
  const named = namedLongFiles(dir, sizes);
  mkdirSync(to, { recursive: true, mode: 0o700 });
  for (const { name } of files) {
    if (name === log) continue;
    const [from, path] = [join(dir, name), join(to, name)];
    const size = sizes.get(name);
    budget.entry();
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (size === undefined) symlinkSync(readlinkSync(from), path);
    else if (tooLongForDocument(size) !== undefined && !named.has(name)) {
      writeFileSync(path, '');
      truncateSync(path, size);
    } else {
      budget.packed += size;
      budget.add(size);
      await copyFile(from, path, constants.COPYFILE_FICLONE);
    }
  }
  return others;
}
