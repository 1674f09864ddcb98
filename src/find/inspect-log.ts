import { Budget, DEFAULT_MAX_UNPACKED } from '../base/archives/budget.ts';
import type { ArchiveEntry } from '../base/archives/entry.ts';
import { entriesOfZip } from '../base/archives/open.ts';
import { ArchiveFault } from '../base/archives/problem.ts';
import { tooLongForDocument } from '../base/json/limits.ts';
import type { JsonValue } from '../base/json/value.ts';
import { recordsOfSample } from '../dialects/kit/document-forms.ts';
import { bytesBetween } from '../log/bytes-between.ts';

const NAME = /\.eval$/i;
/** One document per sample: `samples/<id>_epoch_<epoch>.json`. */
const SAMPLE = /^samples\/.+\.json$/;
/** The magic number of a zip. */
const ZIP = Buffer.from('PK\u0003\u0004', 'latin1');

/** Whether a file is an evaluation log of Inspect: a zip with such a name. */
export const isInspectLog = (path: string, name: string): boolean =>
  NAME.test(name) && bytesBetween(path, 0, ZIP.length).equals(ZIP);

async function bytesOf({ name, content }: ArchiveEntry): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of content) {
    parts.push(chunk);
    size += chunk.length;
    const why = tooLongForDocument(size);
    if (why !== undefined) throw new ArchiveFault('too-large', why, name);
  }
  return Buffer.concat(parts);
}

/** Yields the events of the samples in a log. `parse` reads a document. Throws {@link ArchiveFault}. */
export async function* inspectEvents(
  path: string,
  parse: (bytes: Buffer) => JsonValue | undefined,
  read: (bytes: number) => void,
): AsyncGenerator<JsonValue> {
  const budget = new Budget({ maxUnpacked: DEFAULT_MAX_UNPACKED });
  let packed = 0;
  for await (const entry of entriesOfZip(path, budget)) {
    read(budget.packed - packed);
    packed = budget.packed;
    if (entry.kind !== 'file' || !SAMPLE.test(entry.name)) continue;
    const records = recordsOfSample(parse(await bytesOf(entry)));
    if (records === undefined) throw new ArchiveFault('corrupt', 'is not a sample in JSON', entry.name);
    yield* records;
  }
}
