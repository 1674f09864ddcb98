import { readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** A log that was written to this recently may still be written to, in milliseconds. */
const FRESH = 30_000;

function names(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The id of a process that has the file open, as far as the system shows it. */
function openedBy(path: string): string | undefined {
  for (const process of names('/proc')) {
    if (!/^\d+$/.test(process)) continue;
    const files = join('/proc', process, 'fd');
    for (const file of names(files)) {
      try {
        if (readlinkSync(join(files, file)) === path) return process;
      } catch {
        // The process has ended or closed the file.
      }
    }
  }
  return undefined;
}

/** Why a program may be writing to a log; undefined if nothing shows that. */
export function runningSign(log: string, now: number): string | undefined {
  const path = realpathSync(log);
  const process = openedBy(path);
  if (process !== undefined) return `process ${process} has the log open`;
  const lock = names(dirname(path)).find(
    (name) => /^inuse\..*\.lock$/.test(name) || name === `${basename(path)}.lock`,
  );
  if (lock !== undefined) return `${lock} is next to the log`;
  const age = now - statSync(path).mtimeMs;
  return age >= 0 && age < FRESH ? `the log was written ${Math.ceil(age / 1000)} s ago` : undefined;
}
