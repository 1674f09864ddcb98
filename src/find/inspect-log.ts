import { Budget, DEFAULT_MAX_UNPACKED } from '../base/archives/budget.ts';
import type { CutZip } from '../base/archives/cut-zip.ts';
import type { ArchiveEntry } from '../base/archives/entry.ts';
import { cutZipAt, entriesOfCutZip, entriesOfZip } from '../base/archives/open.ts';
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

/** An evaluation log whose file was cut off. */
export interface CutInspectLog {
  readonly zip: CutZip;
  /** Where it is cut and what is whole, as the rest of a sentence that begins with its name. */
  readonly said: string;
}

const counted = (count: number, noun: string, nouns: string): string =>
  `${count} ${count === 1 ? noun : nouns}`;

function placeOfCut({ cut, at, size }: CutZip): string {
  if (cut !== undefined) return `ends at byte ${size}, in the middle of ${cut}`;
  return at === size
    ? `ends at byte ${size}, before the directory of its zip`
    : `has a damaged directory at byte ${at}`;
}

/** What is left of a log that was cut off; undefined for a log with a directory. */
export async function cutInspectLog(path: string): Promise<CutInspectLog | undefined> {
  const zip = await cutZipAt(path);
  if (zip === undefined) return undefined;
  const samples = zip.whole.filter(({ name }) => SAMPLE.test(name)).length;
  const whole = `${counted(zip.whole.length, 'entry before it is', 'entries before it are')} whole`;
  return { zip, said: `${placeOfCut(zip)}: ${whole}, with ${counted(samples, 'sample', 'samples')}` };
}

/** Yields the events of the samples in a log, or of the whole ones in a `cut` one. `parse` reads a document. Throws {@link ArchiveFault}. */
export async function* inspectEvents(
  path: string,
  parse: (bytes: Buffer) => JsonValue | undefined,
  read: (bytes: number) => void,
  cut?: CutInspectLog,
): AsyncGenerator<JsonValue> {
  const budget = new Budget({ maxUnpacked: DEFAULT_MAX_UNPACKED });
  let packed = 0;
  for await (const entry of cut ? entriesOfCutZip(path, cut.zip, budget) : entriesOfZip(path, budget)) {
    read(budget.packed - packed);
    packed = budget.packed;
    if (entry.kind !== 'file' || !SAMPLE.test(entry.name)) continue;
    const records = recordsOfSample(parse(await bytesOf(entry)));
    if (records === undefined) throw new ArchiveFault('corrupt', 'is not a sample in JSON', entry.name);
    yield* records;
  }
}
