import { createHash, hash } from 'node:crypto';
import type { ValueIndex } from '../../base/json/value-index.ts';
import type { Printing } from '../../log/printing.ts';
import type { LogRecord } from '../../log/record.ts';
import type { Row } from '../../log/row.ts';
import { CanonicalWriter } from './canonical.ts';
import { type Cut, CutNode, FORMS } from './forms.ts';
import { decoded } from './keys.ts';
import { pathOf, textOf, valueAt } from './paths.ts';
import { printingOf } from './printing.ts';
import type { CutTable, Over, Part, Profile } from './profile.ts';

/** A record of a chain: a value of an indexed text. */
export interface ChainRecord {
  readonly index: ValueIndex;
  readonly root: number;
  /** Where the line of the log is in the bytes of the index, without its end. */
  readonly from: number;
  readonly to: number;
}

/** A record of a log as a record of a chain. `root`: the chained value in it. */
export function chainRecord({ bytes, start, end }: LogRecord, index: ValueIndex, root: number): ChainRecord {
  return { index, root, from: start, to: withoutReturn(bytes, end) };
}

/** Prints a part of the bytes that are hashed. `previous`: the hash of the record before. */
type Writer = (into: CanonicalWriter, record: ChainRecord, previous: string | undefined) => void;

export type DigestTable = CutTable &
  Pick<Profile, 'separator' | 'algorithm' | 'encoding' | 'prefix' | 'length'> & {
    readonly over?: Over | undefined;
  };

type Encoding = Pick<DigestTable, 'encoding' | 'prefix' | 'algorithm'>;

const CARRIAGE_RETURN = 0x0d;
/** The number of bytes of each hash. */
const SIZES = { sha256: 32, sha384: 48, sha512: 64 } as const;

/** How a table changes a form. */
export function cutOf({ without, only, set, sort_below, drop_null, keep_null, nfc }: CutTable): Cut {
  const root = new CutNode();
  for (const path of without ?? []) root.at(path.split('.')).isLeftOut = true;
  for (const [path, value] of Object.entries(set ?? {}))
    root.at(path.split('.')).instead = JSON.stringify(value);
  for (const path of sort_below ?? []) root.at(path.split('.')).isSorted = true;
  for (const path of keep_null ?? []) root.at(path.split('.')).keepsNull = true;
  return {
    root: root.below.length === 0 ? undefined : root,
    only,
    dropsNull: drop_null === true,
    isNfc: nfc === true,
  };
}

function writerOf(part: Part, encoding: Encoding): Writer {
  if ('text' in part) return (into) => into.text(part.text);
  if ('line' in part) return (into, { index, from, to }) => into.raw(index.bytes, from, to);
  if ('previous' in part) return previousWriter(part.previous, encoding);
  if ('digest' in part) {
    const inner = new CanonicalWriter();
    const parts = part.digest.map((one) => writerOf(one, encoding));
    return (into, record, previous) => {
      inner.clear();
      for (const write of parts) write(inner, record, previous);
      into.doubt ??= inner.doubt;
      into.raw(
        createHash(part.algorithm ?? 'sha256')
          .update(inner.bytes)
          .digest(),
      );
    };
  }
  if ('member' in part) {
    const path = pathOf(part.member);
    return (into, { index, root }) => {
      const text = textOf(index, valueAt(index, root, path)) ?? '';
      if (part.as === undefined) into.text(text);
      else {
        const bytes = decoded(text, part.encoding);
        if (bytes === undefined) into.doubt = `${part.member} is not bytes in ${part.encoding ?? 'hex'}`;
        else into.raw(bytes);
      }
    };
  }
  return jsonWriter(part);
}

function jsonWriter({ json, form, absent, ...table }: Extract<Part, { form: unknown }>): Writer {
  const path = json === undefined ? undefined : pathOf(json);
  const cut = cutOf(table);
  return (into, { index, root }) => {
    const value = path === undefined ? root : valueAt(index, root, path);
    if (value === -1) into.text(absent ?? '');
    else into.json(index, value, FORMS[form], cut);
  };
}

function previousWriter(
  as: 'text' | 'bytes',
  { encoding, prefix = '', algorithm = 'sha256' }: Encoding,
): Writer {
  if (as === 'text') return (into, _, previous) => into.text(previous ?? '');
  return (into, _, previous) => {
    const text = previous?.startsWith(prefix) ? previous.slice(prefix.length) : undefined;
    const bytes = text === undefined || text === '' ? undefined : decoded(text, encoding);
    // The first record has zero bytes.
    into.raw(bytes ?? Buffer.alloc(SIZES[algorithm]));
  };
}

/** The parts of a form, a line or a list of parts. */
export function partsOf(over: Over = [], cut: CutTable = {}): readonly Part[] {
  if (typeof over !== 'string') return over;
  const { without, only, set, sort_below, drop_null, keep_null, nfc } = cut;
  return over === 'line'
    ? [{ line: true }]
    : [{ form: over, without, only, set, sort_below, drop_null, keep_null, nfc }];
}

/** The end of a line without a carriage return, which readers drop. */
export const withoutReturn = (bytes: Uint8Array, end: number): number =>
  bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;

/** Computes a hash, or prints the bytes that are signed. */
export class Digest {
  readonly #writer: CanonicalWriter;
  readonly #parts: readonly Writer[];
  readonly #separator: Buffer | undefined;
  readonly #algorithm: NonNullable<DigestTable['algorithm']>;
  readonly #encoding: NonNullable<DigestTable['encoding']>;
  readonly #prefix: string;
  readonly #length: number | undefined;
  /** Set if the accelerator can print what is hashed. */
  readonly #printing: Printing | undefined;

  /** `writer`: shared by the digests of a log, so that ambiguities are noted once. */
  constructor(table: DigestTable, writer = new CanonicalWriter()) {
    const { over, separator, algorithm = 'sha256', encoding = 'hex', prefix = '', length } = table;
    this.#writer = writer;
    this.#parts = partsOf(over, table).map((part) => writerOf(part, table));
    this.#separator = separator === undefined || separator === '' ? undefined : Buffer.from(separator);
    this.#algorithm = algorithm;
    this.#encoding = encoding;
    this.#prefix = prefix;
    this.#length = length;
    this.#printing = typeof over === 'string' && over !== 'line' ? printingOf(FORMS[over], table) : undefined;
  }

  /** Why other records may have the last bytes too; undefined if none can. */
  get doubt(): string | undefined {
    return this.#writer.doubt;
  }

  /** The bytes for a record. They are valid until the next call. */
  bytes(record: ChainRecord, previous: string | undefined): Buffer {
    const writer = this.#writer;
    writer.clear();
    const separator = this.#separator;
    for (let part = 0; part < this.#parts.length; part += 1) {
      if (separator !== undefined && part > 0) writer.raw(separator);
      const from = writer.size;
      this.#parts[part]?.(writer, record, previous);
      if (separator !== undefined && writer.bytes.includes(separator, from))
        writer.doubt = 'a text contains the separator of the hashed parts';
    }
    return writer.bytes;
  }

  /** The hash of a record as it is stored. */
  of(record: ChainRecord, previous: string | undefined): string {
    return this.#encoded(this.bytes(record, previous));
  }

  /** The hash of a row as it is stored, if the accelerator can print it; undefined if this must be done with {@link of}. */
  ofRow(row: Row): string | undefined {
    const bytes = this.#printing === undefined ? undefined : row.printed(this.#printing);
    return bytes === undefined ? undefined : this.#encoded(bytes);
  }

  /** The hash of a line of the log as it is stored. */
  ofLine({ bytes, start, end }: LogRecord): string {
    // A view of the class Buffer takes longer to make.
    return this.#encoded(
      new Uint8Array(bytes.buffer, bytes.byteOffset + start, withoutReturn(bytes, end) - start),
    );
  }

  /** The hash of bytes as it is stored. */
  #encoded(bytes: Uint8Array): string {
    const text = hash(this.#algorithm, bytes, this.#encoding);
    const length = this.#length ?? text.length;
    return this.#prefix + (length < text.length ? text.slice(0, length) : text);
  }
}
