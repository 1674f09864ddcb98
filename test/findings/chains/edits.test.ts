import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keyAt, ValueIndex } from '../../../src/base/json/value-index.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import type { EpisodeReport } from '../../../src/findings/report.ts';
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

/** The text with another one between two offsets. */
const replaced = (bytes: Buffer, start: number, end: number, text: string): string =>
  bytes.toString('utf8', 0, start) + text + bytes.toString('utf8', end);

/** Calls a function with each value of a JSON text, and its path without the numbers of lists. */
function eachValue(index: ValueIndex, visit: (value: number, path: readonly string[]) => void): void {
  const walk = (value: number, path: readonly string[]): void => {
    visit(value, path);
    if (!index.isObject(value) && !index.isArray(value)) return;
    for (let child = value + 1; child < index.after(value); child = index.after(child))
      walk(child, index.isObject(value) ? [...path, keyAt(index.bytes, index.keyOf(child))] : path);
  };
  walk(0, []);
}

/** Changes each value of a JSON text. */
function editsOf(bytes: Buffer): Edit[] {
  const index = new ValueIndex(bytes, 0, bytes.length);
  const edits: Edit[] = [];
  eachValue(index, (value, path) => {
    if (index.isObject(value) || index.isArray(value)) return;
    const [start, end] = [index.startOf(value), index.endOf(value)];
    const other = otherValue(bytes.toString('utf8', start, end));
    edits.push({ path: path.join('.'), text: replaced(bytes, start, end, other) });
  });
  return edits;
}

/** Adds a member to each object of a JSON text, removes each member, and swaps each with the one before it. */
function membersMoved(bytes: Buffer): Edit[] {
  const index = new ValueIndex(bytes, 0, bytes.length);
  const edits: Edit[] = [];
  const token = (value: number) => bytes.toString('utf8', index.startOf(value), index.endOf(value));
  eachValue(index, (value, path) => {
    if (!index.isObject(value) && !index.isArray(value)) return;
    const at = (name: string) => [...path, name].join('.');
    const start = index.startOf(value);
    const isEmpty = index.after(value) === value + 1;
    if (index.isObject(value))
      edits.push({
        path: at('inserted'),
        text: replaced(bytes, start, start + 1, `{"inserted":"x"${isEmpty ? '' : ','}`),
      });
    let before = -1;
    for (let child = value + 1; child < index.after(value); before = child, child = index.after(child)) {
      const stored = token(child);
      const key = index.keyOf(child);
      const childPath = key === -1 ? path.join('.') : at(keyAt(bytes, key));
      const from = key === -1 ? index.startOf(child) : key;
      const next = index.after(child);
      const to =
        next < index.after(value) ? (index.keyOf(next) === -1 ? index.startOf(next) : index.keyOf(next)) : -1;
      // An empty value and none are the same for many programs, and a cut end is reported for the log.
      if (stored !== 'null' && stored !== '""' && stored !== '{}' && stored !== '[]') {
        if (to !== -1) edits.push({ path: childPath, text: replaced(bytes, from, to, '') });
        else if (before !== -1 && childPath !== '')
          edits.push({ path: childPath, text: replaced(bytes, index.endOf(before), index.endOf(child), '') });
      }
      if (before !== -1 && token(before) !== stored) {
        const swapped =
          bytes.toString('utf8', 0, index.startOf(before)) +
          stored +
          bytes.toString('utf8', index.endOf(before), index.startOf(child)) +
          token(before) +
          bytes.toString('utf8', index.endOf(child));
        edits.push({ path: childPath, text: swapped });
      }
    }
  });
  return edits;
}

/** All versions of a log with one edit of a record, or of the document. */
function editedLogs(log: string, edit: (bytes: Buffer) => Edit[]): Edit[] {
  const bytes = readFileSync(log);
  if (extname(log) === '.json') return edit(bytes);
  const lines = bytes.toString('utf8').trimEnd().split('\n');
  return lines.flatMap((line, index) =>
    edit(Buffer.from(line)).map(({ path, text }) => ({
      path,
      text: `${lines.map((one, at) => (at === index ? text : one)).join('\n')}\n`,
    })),
  );
}

/** A folder with what is next to a log, for its copies. */
function folderLike(log: string): string {
  const folder = tempDir();
  mkdirSync(folder, { recursive: true });
  // A head file next to the log.
  if (dirname(log).endsWith('bundle') || dirname(log).endsWith('session'))
    for (const name of readdirSync(dirname(log))) copyFileSync(join(dirname(log), name), join(folder, name));
  return folder;
}

/** The members that a report names as not covered. */
const namedIn = ({ findings }: EpisodeReport): string[] =>
  findings
    .filter(({ code }) => code === 'chain/uncovered')
    .flatMap(({ message }) =>
      message.replace(/^.*? covers (.*), so it may have been changed$/, '$1').split(/, and |, | of the/),
    );

/** Findings that say that a guard or a key is missing. */
const LEFT_OPEN: ReadonlySet<string> = new Set(['chain/open', 'chain/unverified-signature']);

describe.each([
  ['one changed value', editsOf],
  ['one member more, one less, or two values swapped', membersMoved],
])('%s', (_, edit) => {
  for (const { log, key, profile } of CHAIN_CASES.filter(({ ok }) => ok))
    it(`of ${shortName(log)} is seen, or its member is named as not covered`, {
      timeout: 300_000,
    }, async () => {
      const copy = join(folderLike(log), basename(log));
      const before = await verifyChained(log, { key });
      const unseen: string[] = [];
      for (const { path, text } of sampled(editedLogs(log, edit), 25)) {
        writeFileSync(copy, text);
        const after = await verifyChained(copy, { key }).catch((error: Error) => error);
        if (after instanceof Error) continue;
        const isNew = ({ code, message }: Finding) =>
          LEFT_OPEN.has(code) && !before.findings.some((one) => one.message === message);
        const isSeen = after.verdict === 'fail' || after.level !== before.level || after.findings.some(isNew);
        const inRecord = path.replace(/^records\./, '');
        const isNamed = [...namedIn(before), ...namedIn(after)].some(
          (one) => inRecord === one || inRecord.startsWith(`${one}.`),
        );
        if (!isSeen && !isNamed) unseen.push(path);
      }
      expect([profile, [...new Set(unseen)]]).toEqual([profile, []]);
    });
});

/** All versions of a list with one item less, one twice, or two swapped; with the number of the first that differs. */
function itemsMoved<Item>(items: readonly Item[]): { readonly at: number; readonly items: Item[] }[] {
  return items.flatMap((item, at) => [
    { at, items: items.toSpliced(at, 1) },
    { at: at + 1, items: items.toSpliced(at, 0, item) },
    ...(at > 0 && items[at - 1] !== item
      ? [{ at: at - 1, items: items.toSpliced(at - 1, 2, item, items[at - 1] as Item) }]
      : []),
  ]);
}

describe('one record less, one twice, or two swapped', () => {
  const logs = CHAIN_CASES.filter(({ ok, log }) => ok && extname(log) !== '.json');
  for (const { log, key, profile, records } of logs)
    it(`in ${shortName(log)} is seen, but for an end that nothing guards`, { timeout: 300_000 }, async () => {
      const copy = join(folderLike(log), basename(log));
      const before = await verifyChained(log, { key });
      const isOpen = before.findings.some(({ code }) => code === 'chain/no-guard' || code === 'chain/open');
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
      const unseen: number[] = [];
      for (const { at, items } of sampled(itemsMoved(lines), 20)) {
        if (items.length === 0 || (isOpen && at === lines.length - 1 && items.length < lines.length))
          continue;
        writeFileSync(copy, `${items.join('\n')}\n`);
        const after = await verifyChained(copy, { key });
        if (after.verdict !== 'fail' && after.level === before.level) unseen.push(at);
      }
      expect([profile, records, unseen]).toEqual([profile, records, []]);
    });
});
