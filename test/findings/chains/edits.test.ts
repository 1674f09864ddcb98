import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyAt, ValueIndex } from '../../../src/base/json/value-index.ts';
import { sampled } from '../../support/length.ts';
import { tempDir } from '../../support/temp.ts';
import { CHAIN_CASES, shortName, verifyChained } from './chain-samples.ts';

interface Edit {
  /** The path in the record or the document, without the numbers of records. */
  readonly path: string;
  readonly text: string;
}

/** Another value of the same kind. */
function otherValue(stored: string): string {
  if (stored.startsWith('"')) {
    // Another letter that may stand at the same place, such as a hexadecimal digit.
    const at = stored.search(/[a-z0-9](?=[^\\]*"$)/i);
    if (at < 1 || stored[at - 1] === '\\') return stored === '""' ? '"a"' : `${stored.slice(0, -1)}a"`;
    const letter =
      stored[at] === '1' ? '2' : stored[at] === 'a' ? 'b' : /\d/.test(stored[at] ?? '') ? '1' : 'a';
    return stored.slice(0, at) + letter + stored.slice(at + 1);
  }
  if (stored === 'null') return '"x"';
  if (stored === 'true') return 'false';
  if (stored === 'false') return 'true';
  return String(Number(stored) + 1);
}

/** Changes each value of a JSON text. */
function editsOf(bytes: Buffer): Edit[] {
  const index = new ValueIndex(bytes, 0, bytes.length);
  const edits: Edit[] = [];
  const visit = (value: number, path: readonly string[]): void => {
    if (index.isObject(value) || index.isArray(value)) {
      for (let child = value + 1; child < index.after(value); child = index.after(child))
        visit(child, index.isObject(value) ? [...path, keyAt(bytes, index.keyOf(child))] : path);
      return;
    }
    const [start, end] = [index.startOf(value), index.endOf(value)];
    const other = otherValue(bytes.toString('utf8', start, end));
    const text = bytes.toString('utf8', 0, start) + other + bytes.toString('utf8', end);
    edits.push({ path: path.join('.'), text });
  };
  visit(0, []);
  return edits;
}

/** All versions of a log with one changed value. */
function editedLogs(log: string): Edit[] {
  const bytes = readFileSync(log);
  if (extname(log) === '.json') return editsOf(bytes);
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  return lines.flatMap((line, index) =>
    editsOf(Buffer.from(line)).map(({ path, text }) => ({
      path,
      text: `${lines.map((one, at) => (at === index ? text : one)).join('\n')}\n`,
    })),
  );
}

describe('one changed value', () => {
  for (const { log, key, profile } of CHAIN_CASES.filter(({ ok }) => ok))
    it(`of ${shortName(log)} is seen, or its member is named as not covered`, {
      timeout: 120_000,
    }, async () => {
      const folder = tempDir();
      mkdirSync(folder, { recursive: true });
      // A head file next to the log.
      if (dirname(log).endsWith('bundle') || dirname(log).endsWith('session'))
        for (const name of readdirSync(dirname(log)))
          copyFileSync(join(dirname(log), name), join(folder, name));
      const copy = join(folder, basename(log));
      const before = await verifyChained(log, { key });
      const named = new Set(
        before.findings
          .filter(({ code }) => code === 'chain/uncovered')
          .flatMap(({ message }) =>
            message
              .replace(/^.*? covers (.*), so it may have been changed$/, '$1')
              .split(/, and |, | of the/),
          ),
      );
      const unseen: string[] = [];
      for (const { path, text } of sampled(editedLogs(log), 150)) {
        writeFileSync(copy, text);
        const after = await verifyChained(copy, { key }).catch((error: Error) => error);
        if (after instanceof Error) continue;
        const isSeen = after.verdict === 'fail' || after.level !== before.level;
        const inRecord = path.replace(/^records\./, '');
        const isNamed = [...named].some((one) => inRecord === one || inRecord.startsWith(`${one}.`));
        if (!isSeen && !isNamed) unseen.push(path);
      }
      expect([profile, [...new Set(unseen)]]).toEqual([profile, []]);
    });
});
