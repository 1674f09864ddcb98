import { pipeline, Readable } from 'node:stream';
import { extract, type Header } from 'tar-stream';
import { messageOf } from '../errors.ts';
import type { ArchiveEntry } from './entry.ts';
import { ArchiveFault } from './problem.ts';

const KINDS: ReadonlyMap<Header['type'], ArchiveEntry['kind']> = new Map([
  ['file', 'file'],
  ['contiguous-file', 'file'],
  ['directory', 'folder'],
  ['link', 'link'],
  ['symlink', 'link'],
  ['character-device', 'device'],
  ['block-device', 'device'],
  ['fifo', 'device'],
]);

/** One of no known type may hold anything: the bytes of a sparse file are not those that tar unpacks. */
const kindOf = ({ type }: Header): ArchiveEntry['kind'] => KINDS.get(type) ?? 'unknown';

/** Two blocks of zeros end an archive; of one, as some write, all is there as well. */
const END_MARK = 512;

/** Passes bytes on, and remembers whether they end as a tar does: one that is cut between two entries does not. */
class EndWatch {
  #tail: Buffer = Buffer.alloc(0);
  /** What went wrong in the source itself: tar-stream ends its entries without it. */
  failure: unknown;

  async *watch(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const chunks = source[Symbol.asyncIterator]();
    // Not `for await`: an error of tar-stream is thrown in here, at the yield, and is none of the source.
    const next = () =>
      chunks.next().catch((error: unknown) => {
        this.failure = error;
        throw error;
      });
    try {
      for (let chunk = await next(); !chunk.done; chunk = await next()) {
        const last = chunk.value.subarray(-END_MARK);
        this.#tail = Buffer.from(
          last.length === END_MARK ? last : Buffer.concat([this.#tail, last]).subarray(-END_MARK),
        );
        yield chunk.value;
      }
    } finally {
      await chunks.return?.();
    }
  }

  get isEnded(): boolean {
    return (
      this.failure === undefined && this.#tail.length === END_MARK && this.#tail.every((byte) => byte === 0)
    );
  }
}

/** What ended the reading: the fault of what feeds it, where there is one. */
function faultOf(watch: EndWatch, error: unknown): unknown {
  return watch.failure ?? new ArchiveFault('corrupt', `it cannot be read as a tar (${messageOf(error)})`);
}

/** The same with its errors as faults of the archive. */
async function* told<Item>(items: AsyncIterable<Item>, watch: EndWatch): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw faultOf(watch, error);
  }
}

/** The entries of a tar, read from its start to its end. Throws `corrupt`. */
export async function* tarEntries(source: AsyncIterable<Buffer>): AsyncGenerator<ArchiveEntry> {
  const watch = new EndWatch();
  const entries = extract();
  pipeline(Readable.from(watch.watch(source), { objectMode: false }), entries, () => {});
  for await (const entry of told(entries, watch)) {
    const { header } = entry;
    yield { name: header.name, kind: kindOf(header), content: told(entry as AsyncIterable<Buffer>, watch) };
    entry.resume();
  }
  const cut = 'it lacks the blocks of zeros that end a tar: it was cut short';
  if (!watch.isEnded) throw watch.failure ?? new ArchiveFault('corrupt', cut);
}
