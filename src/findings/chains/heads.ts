import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readWhole } from '../../base/files/open-file.ts';
import { MAX_DOCUMENT_BYTES } from '../../base/json/limits.ts';
import { lintJson } from '../../base/json/lint.ts';
import { parseDocument } from '../../base/json/parse-document.ts';
import { ValueIndex } from '../../base/json/value-index.ts';
import type { EventReporter, LoggedEvent } from '../check.ts';
import { isNull, pathOf, textOf, valueAt } from './paths.ts';
import type { Profile } from './profile.ts';

/** The last hash and the number of records, as something outside the chain says. */
export interface ExpectedHead {
  /** Who says so, for messages. */
  readonly source: string;
  /** How the report names the guard. */
  readonly kind: 'head' | 'given';
  readonly hash?: string | undefined;
  readonly count?: number | undefined;
  /** Records may follow. */
  readonly hasTail?: boolean | undefined;
}

/** The document with the head next to a log, or why it cannot be read; undefined without such a file. */
export function headDocument(log: string, { head }: Profile): ValueIndex | string | undefined {
  if (head?.file === undefined) return undefined;
  const file = join(dirname(log), head.file);
  const status = lstatSync(file, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  const notCompared = (why: string) => `${head.file} ${why}, so the end of the log was not compared with it`;
  // A link could lead anywhere.
  if (!status.isFile()) return notCompared('is not a file');
  if (status.size > MAX_DOCUMENT_BYTES) return notCompared('is too large');
  const bytes = readWhole(file);
  if (!parseDocument(bytes).ok) return notCompared('is not valid JSON');
  for (const { kind } of lintJson(bytes, 0, bytes.length))
    if (kind === 'duplicate-key') return notCompared('has a repeated key');
  return new ValueIndex(bytes, 0, bytes.length);
}

/** The head in a document; undefined if it has none. */
export function headIn(
  index: ValueIndex,
  { hash, count, tail }: NonNullable<Profile['head']>,
  source: string,
): ExpectedHead | undefined {
  const at = (path: string) => {
    const value = valueAt(index, 0, pathOf(path));
    return isNull(index, value) ? undefined : textOf(index, value);
  };
  const stored = at(hash);
  const counted = count === undefined ? undefined : at(count);
  if (stored === undefined && counted === undefined) return undefined;
  return {
    source,
    kind: 'head',
    hash: stored,
    count: counted === undefined ? undefined : Number(counted),
    hasTail: tail,
  };
}

/** Compares the records with the heads. */
export class Heads {
  readonly #report: EventReporter;
  readonly #heads: ExpectedHead[];
  /** Heads that are followed by records, once their record was read. */
  readonly #passed = new Set<ExpectedHead>();

  constructor(report: EventReporter, heads: readonly ExpectedHead[]) {
    this.#report = report;
    this.#heads = [...heads];
  }

  add(head: ExpectedHead): void {
    this.#heads.push(head);
  }

  /** Compares a record with a head that was written when it was the last one. */
  passed(row: LoggedEvent, count: number, hash: string | undefined): void {
    for (const head of this.#heads) {
      if (head.hasTail !== true || head.count !== count) continue;
      this.#passed.add(head);
      if (head.hash === undefined || head.hash === hash) continue;
      this.#report.at(row, {
        code: 'chain/head',
        message: `${head.source} has another hash for record ${count}`,
        expected: head.hash,
        ...(hash !== undefined && { actual: hash }),
      });
    }
  }

  /** Compares the end of the log. `isExplained`: an earlier finding may be the reason. */
  end(line: number, count: number, hash: string | undefined, isExplained: boolean): void {
    for (const head of this.#heads) {
      if (this.#passed.has(head)) this.#open(head, line, count);
      else if (head.kind === 'given' || !isExplained) this.#compare(head, line, count, hash);
    }
  }

  #open({ source, count = 0 }: ExpectedHead, line: number, records: number): void {
    if (count >= records) return;
    this.#report.onLine(line, undefined, {
      code: 'chain/open',
      message: `${source} covers the first ${count} of ${records} records, so verify cannot tell if later ones are missing`,
    });
  }

  #compare(head: ExpectedHead, line: number, records: number, last: string | undefined): void {
    const { source, hash, count, hasTail } = head;
    const missing = count === undefined ? 0 : count - records;
    if (hash !== undefined && hash !== last && (hasTail !== true || missing > 0)) {
      const cut = missing > 0 ? `: ${missing} of ${count} records are missing at the end` : '';
      this.#report.onLine(line, undefined, {
        code: 'chain/head',
        message: `the last record is not the one that ${source} names${cut}`,
        expected: hash,
        ...(last !== undefined && { actual: last }),
      });
    } else if (count !== undefined && missing !== 0)
      this.#report.onLine(line, undefined, {
        code: 'chain/count',
        message: Number.isNaN(count)
          ? `${source} counts records, but not with a number`
          : `${source} counts ${count} records, but the log has ${records}`,
        expected: String(count),
        actual: String(records),
      });
  }

  /** The guards against a cut end, for the report. */
  guards(records: number): string[] {
    return this.#heads.flatMap(({ kind, hasTail, count }) =>
      hasTail === true && count !== records ? [] : [kind],
    );
  }
}
