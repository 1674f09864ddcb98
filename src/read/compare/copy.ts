import { closeSync, fstatSync, readSync } from 'node:fs';
import { openToRead } from '../../base/files/open-file.ts';
import { Yielder } from '../../base/time/yielder.ts';
import type { FileId } from '../../log/read.ts';
import type { RunSource } from './read-run.ts';

const BLOCK = 1 << 20;

/** Whether the rest of two open files is the same. */
async function isSameRest(a: number, b: number): Promise<boolean> {
  const [ofA, ofB] = [Buffer.allocUnsafe(BLOCK), Buffer.allocUnsafe(BLOCK)];
  const yielder = new Yielder();
  for (;;) {
    const count = readSync(a, ofA);
    // A read may return less than there is.
    let filled = 0;
    for (let more = 1; filled < count && more > 0; filled += more)
      more = readSync(b, ofB, filled, count - filled, null);
    if (!ofA.subarray(0, count).equals(ofB.subarray(0, filled))) return false;
    if (count === 0) return readSync(b, ofB) === 0;
    if (yielder.isDue) await yielder.yield();
  }
}

/** The file of run `b` if it is the same run as `a` in a log with the same bytes; undefined if not. */
export async function copyOf(a: RunSource, b: RunSource): Promise<FileId | undefined> {
  if (a.dialect.name !== b.dialect.name || a.run !== b.run) return undefined;
  const one = openToRead(a.path);
  try {
    const other = openToRead(b.path);
    try {
      const status = fstatSync(other);
      if (fstatSync(one).size !== status.size) return undefined;
      return (await isSameRest(one, other)) ? { dev: status.dev, ino: status.ino } : undefined;
    } finally {
      closeSync(other);
    }
  } finally {
    closeSync(one);
  }
}
