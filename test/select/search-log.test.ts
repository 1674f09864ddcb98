import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isIncidental } from '../../src/base/text/incidental.ts';
import { filterNamed } from '../../src/dialects/kit/record-filters.ts';
import { dialectOf } from '../../src/dialects/kit/sample.ts';
import { claudeCode } from '../../src/dialects/sessions/claude-code/index.ts';
import { CorruptLines } from '../../src/log/corrupt-lines.ts';
import type { Row } from '../../src/log/row.ts';
import { readUntilCorrupt } from '../../src/log/until-corrupt.ts';
import { finderOf } from '../../src/read/select/find-text.ts';
import { ResultTools } from '../../src/read/select/result-tools.ts';
import { searchLog } from '../../src/read/select/search-log.ts';
import { SAMPLES } from '../support/cli.ts';
import { times } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

const LONGEST = 200_000;

/** The logs of all samples that are lines of JSON. */
const LOGS = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.jsonl') && statSync(join(SAMPLES, name)).size < LONGEST)
  .sort();

const NO_FILTERS = { phases: [], types: [], agents: [] };

/** Every string in a value, also in texts that are JSON. */
function texts(value: unknown, inText = false): string[] {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).flatMap((one) => texts(one, inText));
  if (typeof value !== 'string') return [];
  if (inText || !/^[[{]/.test(value)) return [value];
  try {
    return [value, ...texts(JSON.parse(value), true)];
  } catch {
    return [value];
  }
}

/** Finds matches by reading every record of a log, and the tools by following every call. */
async function readWhole(path: string, name: string, has: (text: string) => boolean) {
  const dialect = await dialectOf(path, basename(path));
  const tools = new ResultTools(dialect);
  const found: { line: number; own: string | undefined }[] = [];
  const corrupt = new CorruptLines(true);
  const row = ({ record }: Row) => {
    tools.add(record);
    if (dialect.view.repeats?.(record)) return;
    if (texts(record.value).some((text) => text !== name && has(text)))
      found.push({ line: record.line, own: filterNamed(dialect, 'tool')?.value(record) });
  };
  await readUntilCorrupt(path, dialect.form, { row }, corrupt);
  return {
    matches: found.map(({ line, own }) => ({ line, tool: own ?? tools.at(line)?.tool })),
    skipped: corrupt.skipped,
  };
}

/** Makes one random change: removes, repeats or moves a line, or changes a byte. */
function changed(bytes: Buffer, kind: number, from: number, to: number): Buffer {
  const lines = bytes.toString('latin1').split('\n');
  const [a, b] = [from % lines.length, to % lines.length];
  if (kind === 0) lines.splice(a, 1);
  else if (kind === 1) lines.splice(b, 0, lines[a] ?? '');
  else if (kind === 2) [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
  else {
    const copy = Buffer.from(bytes);
    copy[from % Math.max(1, copy.length)] = to % 256;
    return copy;
  }
  return Buffer.from(lines.join('\n'), 'latin1');
}

test('finds the same matches, tools and damage as a reader of every record, in samples and in changed ones', async () => {
  const folder = mkdtempSync(join(tempDir(), 'search-'));
  let matches = 0;
  let followed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...LOGS),
      fc.array(fc.tuple(fc.nat(3), fc.nat(LONGEST), fc.nat(LONGEST)), { maxLength: 3 }),
      fc.constantFrom('error', 'e', 'true', 'ls', 'test', 'file', '/home'),
      fc.constantFrom(1, 2, 5, Infinity),
      fc.boolean(),
      async (sample, changes, wanted, limit, ignoreCase) => {
        let bytes: Buffer = readFileSync(join(SAMPLES, sample));
        for (const [kind, from, to] of changes) bytes = changed(bytes, kind, from, to);
        const path = join(folder, basename(sample));
        writeFileSync(path, bytes);
        const name = basename(sample, '.jsonl');
        const lower = wanted.toLowerCase();
        // All these texts are short, so they do not count in ids.
        const has = (text: string) =>
          !isIncidental(text) && (ignoreCase ? text.toLowerCase().includes(lower) : text.includes(wanted));
        const whole = await readWhole(path, name, has);
        const dialect = await dialectOf(path, basename(path));
        const found = await searchLog({ name, path, dialect }, finderOf(wanted, { ignoreCase }), NO_FILTERS, {
          limit,
        });
        const shown = found.matches.map(({ line, tool }) => ({ line, tool }));
        expect(shown).toEqual(whole.matches.slice(0, limit));
        expect(found.more).toBe(whole.matches.length - shown.length);
        if (whole.matches.length > 0) expect(found.skipped).toEqual(whole.skipped);
        matches += shown.length;
        followed += shown.filter(({ tool }) => tool !== undefined).length;
      },
    ),
    { numRuns: times(400, 100) },
  );
  expect(matches).toBeGreaterThan(50);
  expect(followed).toBeGreaterThan(0);
});

test('counts the records beyond the limit that match a regex', async () => {
  const path = join(
    SAMPLES,
    'claude-code/projects/-home-usr-shop/5e550000-0000-4000-8000-00000000a001.jsonl',
  );
  const dialect = await dialectOf(path, basename(path));
  const log = { name: 'none', path, dialect };
  const all = await searchLog(log, finderOf('[Ff]ixture\\w*', { regexp: true }), NO_FILTERS);
  const one = await searchLog(log, finderOf('[Ff]ixture\\w*', { regexp: true }), NO_FILTERS, { limit: 1 });
  expect(all.matches.length).toBeGreaterThan(2);
  expect([one.matches, one.more]).toEqual([all.matches.slice(0, 1), all.matches.length - 1]);
});

test('skips a record that has the text only in a key, and no record that has it in a value', () => {
  const finder = finderOf('error');
  expect(finder.mayBeIn(Buffer.from('{"a":1,"is_error":false}'))).toBe(false);
  const text = fc.array(fc.constantFrom('error', 'is_', '"', ':', ',', '{', '\\', ' ', 'é'), {
    maxLength: 5,
  });
  const word = text.map((parts) => parts.join(''));
  const { value } = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      word,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(word, tie('value')),
    ),
  }));
  fc.assert(
    fc.property(value, fc.constantFrom(undefined, 1), fc.boolean(), (one, space, isText) => {
      const stored = JSON.stringify({ one: isText ? JSON.stringify(one) : one }, null, space);
      if (texts(JSON.parse(stored)).some((said) => said.includes('error')))
        expect(finder.mayBeIn(Buffer.from(stored))).toBe(true);
    }),
    { numRuns: times(2000, 300) },
  );
});

test('a short text is not found in ids, times and encoded bytes, of which it says nothing', async () => {
  const signature = 'Ab+/9'.repeat(20);
  const record = (id: string, text: string, more: object = {}) => ({
    type: 'user',
    uuid: `0a429b7d-fdd7-4508-8cfe-${id.padStart(12, '0')}`,
    parentUuid: null,
    sessionId: 's',
    timestamp: '2026-10-05T09:42:09.429Z',
    message: { role: 'user', content: text },
    signature,
    ...more,
  });
  const path = tempFile(
    [
      record('1', 'nothing'),
      record('2', 'error 429'),
      record('3', 'x', { call: 'toolu_01A429bcdEFGHijklmn1' }),
    ]
      .map((one) => `${JSON.stringify(one)}\n`)
      .join(''),
    'log.jsonl',
  );
  const linesWith = async (wanted: string, options = {}) => {
    const { matches } = await searchLog(
      { name: 'log', path, dialect: claudeCode },
      finderOf(wanted, options),
      NO_FILTERS,
    );
    return matches.map(({ line }) => line);
  };
  expect(await linesWith('429')).toEqual([2]);
  expect(await linesWith('b+/9A')).toEqual([]);
  // Ids are shown by eight characters, so they are found by these.
  expect(await linesWith('0a429b7d')).toEqual([1, 2, 3]);
  expect(await linesWith('01A429bcdEFG')).toEqual([3]);
  expect(await linesWith('2026-10-05T09')).toEqual([1, 2, 3]);
  expect(await linesWith('429', { regexp: true })).toEqual([1, 2, 3]);
});
