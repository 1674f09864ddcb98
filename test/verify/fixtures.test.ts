import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { CATALOGUE } from '../../src/dialects/catalogue.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { Verdict } from '../../src/findings/report.ts';
import { severityCounts, verdictOf } from '../../src/findings/report.ts';
import type { FixtureOptions } from '../support/fixtures/fixture.ts';
import { FIXTURES } from '../support/fixtures/index.ts';
import { verifyFixture } from '../support/fixtures/write.ts';

const root = fileURLToPath(new URL('../fixtures/', import.meta.url));
const source = fileURLToPath(new URL('../../src/', import.meta.url));

interface ExpectedJson {
  readonly target: string;
  readonly options?: FixtureOptions;
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

const folders = FIXTURES.map(({ name }) => name);

const expectedOf = (name: string): ExpectedJson =>
  JSON.parse(readFileSync(join(root, name, 'expected.json'), 'utf8')) as ExpectedJson;

/** Fixtures that are made when the tests run, because they are large or cannot be stored in a repository. */
const MADE_BY_TESTS = [
  // test/archives
  'archive/corrupt',
  'archive/too-large',
  'archive/unsafe-name',
  'archive/unsafe-entry',
  'archive/duplicate-entry',
  'archive/scattered',
  'archive/empty',
  'archive/compressed-log',
  'log/changed',
  'log/growing',
  'log/line-too-long',
  'log/too-many-values',
  'artifact/unreadable',
  'seal/open',
  'verify/internal',
  'verify/not-verified',
  'verify/unfollowed-link',
  'verify/level',
  'verify/unreadable-folder',
];

/** Findings of other dialects that shared code looks for. No rule of Noēsis reports them. */
const OF_OTHER_DIALECTS = [
  'event/unknown-type',
  'lineage/begins-inside',
  'sequence/gap',
  'session/file-size',
  'session/unfinished-answer',
  'tool/unanswered',
];

/** test/findings/chains/every-code.test.ts has a log for each finding about chains. */
const isOfChains = (code: string): boolean => code.startsWith('chain/');

/** The codes that a folder of the source may report. */
function codesIn(folder: string): string[] {
  const known = new Set<string>(CATALOGUE.map(({ code }) => code));
  const found = new Set<string>();
  for (const entry of readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' })) {
    if (!entry.endsWith('.ts') || entry.includes('catalogue')) continue;
    const text = readFileSync(join(source, folder, entry), 'utf8');
    for (const [, code] of text.matchAll(/'([a-z]+\/[a-z0-9-]+)'/g))
      if (code !== undefined && known.has(code)) found.add(code);
  }
  return [...found];
}

describe('every finding of the dialect', () => {
  const own = codesIn('dialects/noesis');
  const shared = [...codesIn('findings'), ...codesIn('verify')].filter((code) => !isOfChains(code));
  const reported = new Set([...own, ...shared.filter((code) => !OF_OTHER_DIALECTS.includes(code))]);
  const shown = new Set(folders.flatMap((name) => expectedOf(name).findings.map(({ code }) => code)));

  test.each([...reported].filter((code) => !MADE_BY_TESTS.includes(code)))(
    '%s has a fixture of its name',
    (code) => {
      expect(shown).toContain(code);
      const named = folders.filter((name) => name.startsWith(code.replace('/', '-')));
      expect(named).not.toEqual([]);
      expect(named.some((name) => expectedOf(name).findings.some((finding) => finding.code === code))).toBe(
        true,
      );
    },
  );

  test('is not one of another dialect', () => {
    for (const code of OF_OTHER_DIALECTS) {
      expect(own).not.toContain(code);
      expect(shared).toContain(code);
    }
  });

  test('is used: the source names the codes of all its families', () => {
    expect(reported.size).toBeGreaterThan(70);
    for (const code of shown) expect(reported).toContain(code);
  });
});

test('no folder remains that no script makes', () => {
  expect(readdirSync(root).sort()).toEqual([...folders].sort());
});

/** Line, column and bytes of a finding must agree, according to the bytes of the file. */
function checkPlace(finding: Finding, bytes: Buffer): void {
  const { line, column, byteStart, byteEnd, excerpt, eventId } = finding;
  if (byteStart === undefined || byteEnd === undefined || line === undefined) return;
  const before = bytes.subarray(0, byteStart);
  expect(byteEnd).toBeGreaterThanOrEqual(byteStart);
  expect(byteEnd).toBeLessThanOrEqual(bytes.length);
  // A record without its newline ends the file: its line is the one before.
  const atEnd = finding.code === 'log/no-final-newline';
  expect(line).toBe(before.toString('latin1').split('\n').length);
  const lineStart = before.lastIndexOf(0x0a) + 1;
  if (column !== undefined) expect(column).toBe(before.subarray(lineStart).toString().length + 1);
  else expect(['log/no-final-newline', 'order/after-seal']).toContain(finding.code);
  const newline = bytes.indexOf(0x0a, byteStart);
  const text = bytes.subarray(lineStart, newline === -1 ? bytes.length : newline).toString();
  if (excerpt !== undefined) expect(text).toContain(excerpt);
  if (eventId !== undefined && finding.file === 'events.jsonl' && !atEnd) expect(text).toContain(eventId);
}

describe.each(FIXTURES)('$name', (fixture) => {
  const { target, options, verdict, findings } = expectedOf(fixture.name);
  const folder = join(root, fixture.name);

  test('is as its script makes it: node scripts/run.mjs scripts/make-fixtures.ts', () => {
    const { id, files } = fixture.make();
    const base = fixture.target === 'log' ? folder : join(folder, id);
    expect(target).toBe(fixture.target === 'log' ? 'events.jsonl' : id);
    expect(options).toEqual(fixture.options);
    for (const [name, bytes] of files) {
      if (fixture.target === 'log' && name !== 'events.jsonl') continue;
      expect(readFileSync(join(base, name)).equals(bytes), name).toBe(true);
    }
  });

  test('has the expected findings and no others', async () => {
    const report = await verifyFixture({ path: join(folder, target) }, options);
    expect(report.findings).toEqual(findings);
    expect(report.verdict).toBe(verdict);
    expect(verdictOf(severityCounts({ findings }))).toBe(verdict);
    expect(findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(
      fixture.expect.map(({ code, severity }) => `${severity} ${code}`),
    );
  });

  test('has consistent places', () => {
    const { files } = fixture.make();
    for (const finding of findings) checkPlace(finding, files.get(finding.file) ?? Buffer.alloc(0));
  });
});
