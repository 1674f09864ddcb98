import { readdir, stat } from 'node:fs/promises';
import { drainedStream } from '../../names.ts';

interface Listing {
  readonly dir: string;
  readonly changed: number;
  readonly byStream: ReadonlyMap<string, readonly string[]>;
}

/** The last directory listed: all streams of a user share one, and it is not listed anew for each of them. */
let last: Listing | undefined;

/** The sidecars of a stream whose merge was cut off, by name, sorted (exarchos.md §1.2). */
export async function drainsOf(dir: string, stream: string): Promise<readonly string[]> {
  const { mtimeMs } = await stat(dir);
  if (last === undefined || last.dir !== dir || last.changed !== mtimeMs) {
    const byStream = new Map<string, string[]>();
    for (const name of (await readdir(dir)).sort()) {
      const owner = drainedStream(name);
      if (owner !== undefined) byStream.set(owner, [...(byStream.get(owner) ?? []), name]);
    }
    last = { dir, changed: mtimeMs, byStream };
  }
  return last.byStream.get(stream) ?? [];
}
