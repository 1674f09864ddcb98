import { execFileSync } from 'node:child_process';
import { closeSync, ftruncateSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { genericDialect } from '../../src/dialects/generic/index.ts';
import { dialectOf } from '../../src/dialects/kit/sample.ts';
import type { FindingCode } from '../../src/findings/codes.ts';
import type { VerifyReport } from '../../src/findings/report.ts';
import type { RunDifference } from '../../src/read/compare/run-difference.ts';
import { behaviourForPage } from '../../src/show/page/comparison.ts';
import { episodePage } from '../../src/show/page/episode.ts';
import { pageHtml } from '../../src/show/page/html.ts';
import { meaningsOf } from '../../src/show/page/meanings.ts';
import type { ComparisonDocument, EpisodeDocument, PageDocument } from '../../src/show/page/page-data.ts';
import { pageName } from '../../src/show/page/page-name.ts';
import { readRows } from '../../src/show/page/read-rows.ts';
import { reportHtml } from '../../src/show/page/report.ts';
import { EXAMPLES, SAMPLES } from '../support/cli.ts';
import { runHere } from '../support/in-process.ts';
import { outputIn } from '../support/json.ts';
import { isShort, isWhole, sampled } from '../support/length.ts';
import { tempDir, tempFile } from '../support/temp.ts';

/** The unpacked content of an element of a page. */
function unpacked(html: string, id: string): string {
  const [, base64 = ''] = new RegExp(`id="${id}">([^<]*)<`).exec(html) ?? [];
  return gunzipSync(Buffer.from(base64, 'base64')).toString();
}

async function pageOf<Document extends PageDocument>(...args: string[]) {
  const { code, stdout } = await runHere(['view', ...args, '-o', '-']);
  return { code, html: stdout, document: JSON.parse(unpacked(stdout, 'document')) as Document };
}

/** What a page says without its script. */
const glanceIn = (html: string): string =>
  /<noscript>.*<pre>([^<]*)<\/pre><\/noscript>/s.exec(html)?.[1] ?? '';

/** Each sample with the one before it of its dialect, and with a copy that has other ids. */
async function samplePairs(): Promise<[a: string, b: string][]> {
  const logs = readdirSync(SAMPLES, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.jsonl'))
    .sort()
    .map((path) => join(SAMPLES, path));
  const lastOf = new Map<string, string>();
  const pairs: [a: string, b: string][] = [];
  for (const log of logs) {
    const { name } = await dialectOf(log, basename(log));
    const last = lastOf.get(name);
    if (last !== undefined) pairs.push([last, log]);
    lastOf.set(name, log);
    const text = readFileSync(log, 'utf8').replaceAll(
      /"(uuid|parentUuid|id|parentId)":"(?=\w{8})../g,
      '"$1":"zz',
    );
    pairs.push([log, tempFile(text, basename(log))]);
  }
  return pairs;
}

const lines = (...events: object[]) =>
  tempFile(events.map((event) => `${JSON.stringify(event)}\n`).join(''), 'x.jsonl');
const viewed = (path: string) => ({ name: 'x', path, dialect: genericDialect() });

test('verify --views writes the page that view writes, with the subagents of a session', async () => {
  const session = join(SAMPLES, 'claude-code/projects/-home-usr-w-330-sub');
  const folder = tempDir();
  const report = join(folder, 'report.html');
  await runHere(['verify', session, '-f', 'html', '-o', report, '--views', folder, '-q']);
  const [page = ''] = readdirSync(folder).filter((name) => name !== 'report.html');
  const html = readFileSync(join(folder, page), 'utf8');
  const { document, html: alone } = await pageOf<EpisodeDocument>(session);
  expect(document.account.usage?.tokens).toBeDefined();
  expect(JSON.parse(unpacked(html, 'document')).account).toEqual(document.account);
  const title = /<title>.*?<\/title>/;
  expect(title.exec(html)?.[0]).toBe(title.exec(alone)?.[0]);
});

describe('the page of a run', () => {
  test('names a subagent as read does, in its story and in the table of events', async () => {
    const session = join(SAMPLES, 'copilot/session-state/bf0ec435-cfef-42de-9f40-b66bedb9d877');
    const { document } = await pageOf<EpisodeDocument>(session);
    const agents = document.story.turns.flatMap(({ items }) => items.flatMap(({ agent = [] }) => agent));
    expect(new Set(agents)).toEqual(new Set(['counter: count lines']));
    expect(document.table.agent.words).toContain('counter: count lines');
    expect(document.table.agent.words).not.toContainEqual(expect.stringMatching(/^0f4bf42e/));
    expect((await runHere(['read', session])).stdout).toContain('↳ counter: count lines');
  });

  test('has its stored lines, and events without a time in their places', async () => {
    const log = lines({ a: 1 }, { id: 'x', parent_id: 'gone' }, { id: 'x', parent_id: 'x' });
    const { code, html, document } = await pageOf<EpisodeDocument>(log);
    expect(code).toBe(0);
    expect(unpacked(html, 'lines-0')).toBe(
      '{"a":1}\n{"id":"x","parent_id":"gone"}\n{"id":"x","parent_id":"x"}\n',
    );
    expect(document).toMatchObject({
      kind: 'episode',
      dialect: 'generic',
      file: 'x.jsonl',
      bytes: 65,
      states: false,
    });
    expect(document.table).toMatchObject({
      line: [1, 2, 3],
      id: ['', 'x', 'x'],
      cause: [-1, -2, 1],
      lost: { 1: 'gone' },
      start: [null, null, null],
      took: [null, null, null],
      base: 0,
    });
  });

  test('has times from its first event on, and rebuilds states if its format is known', async () => {
    const [start = ''] = readdirSync(join(EXAMPLES, '.noesis/episodes'));
    const { document } = await pageOf<EpisodeDocument>(start, '--root', join(EXAMPLES, '.noesis'));
    const { base, start: starts, took } = document.table;
    expect(base).toBe(document.account.start);
    expect(starts[0]).toBe(0);
    expect(took.some((one) => one !== null && one > 0)).toBe(true);
    expect(document).toMatchObject({ states: true, verification: { verdict: expect.any(String) } });
  });

  test('has the times of the timeline: how long calls worked, apart from how long they waited for a person', async () => {
    const log = fileURLToPath(new URL('../inputs/sessions/runs/permission-wait.jsonl', import.meta.url));
    const { stdout } = await runHere(['timeline', log, '-j', '--records']);
    const spans = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(({ line }) => line !== undefined);
    const { document } = await pageOf<EpisodeDocument>(log);
    const compared = await pageOf<ComparisonDocument>(log, log);
    for (const { line, took, waits } of [document.table, compared.document.a, compared.document.b]) {
      const shown = line.map((at, row) => ({ line: at, duration_ms: took[row] ?? undefined, ...waits[row] }));
      expect(shown.filter(({ waited_ms: waited }) => waited !== undefined).length).toBeGreaterThan(0);
      expect(shown).toEqual(
        spans.map(({ line: at, duration_ms, waited_ms, at_most_ms }) => ({
          line: at,
          duration_ms,
          ...(waited_ms !== undefined && { waited_ms }),
          ...(at_most_ms !== undefined && { at_most_ms }),
        })),
      );
    }
  });

  test('shows a corrupt line in its place, also in the story of the intact lines', async () => {
    const log = tempFile('{"a":1}\nnot json\n{"a":2}\n', 'x.jsonl');
    const { document, ...page } = await episodePage(viewed(log), undefined);
    expect(document).toMatchObject({
      bytes: 25,
      account: { events: 2 },
      corruption: expect.stringMatching(/^line 2 is damaged: /),
      verification: undefined,
      meanings: {},
    });
    expect(document.story.turns.flatMap(({ items }) => items.map(({ line }) => line))).toEqual([1, 2, 3]);
    expect(page.skipped).toMatchObject({ count: 1, lines: [2] });
    expect(page.lines.toString()).toBe('{"a":1}\nnot json\n{"a":2}\n');
  });

  test('has a title that is plain text, whatever the run is called', () => {
    const [head = ''] = pageHtml({ title: '</title><b>&', document: { kind: 'report' } as never });
    expect(head).toContain('<title>&lt;/title&gt;&lt;b&gt;&amp;</title>');
  });

  test('has the summary of the run for readers without its script, as plain text', async () => {
    const log = fileURLToPath(new URL('../inputs/sessions/runs/permission-wait.jsonl', import.meta.url));
    const { html } = await pageOf(log);
    const glance = glanceIn(html);
    const { stdout } = await runHere(['show', log, '--full']);
    expect(glance).toContain('Turns\n');
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(glance.split('\n').slice(3, 5)));
    const hostile = [
      ...pageHtml({ title: 'a', document: { kind: 'report' } as never, glance: '</pre></noscript><b>' }),
    ];
    expect(hostile.join('')).toContain('<pre>&lt;/pre&gt;&lt;/noscript&gt;&lt;b&gt;</pre></noscript>');
  });

  test('explains the codes that the catalogue knows', () => {
    const codes = ['log/empty', 'nobody/knows', 'log/empty'] as FindingCode[];
    const told = meaningsOf(codes.map((code) => ({ code })));
    expect(Object.keys(told)).toEqual(['log/empty']);
  });
});

describe('a log that is too long for a page', () => {
  const refusal = (what: string) => ({
    code: 'usage',
    message: expect.stringContaining(`is too long for a page: ${what}`),
  });

  test('in bytes', async () => {
    const log = tempFile('', 'x.jsonl');
    const file = openSync(log, 'r+');
    ftruncateSync(file, 256 * 1024 * 1024 + 1);
    closeSync(file);
    await expect(episodePage(viewed(log), undefined)).rejects.toMatchObject(
      refusal('it has 268435457 bytes'),
    );
  });

  test.skipIf(isShort)('in events', async () => {
    const log = tempFile('{}\n'.repeat(500_001), 'x.jsonl');
    await expect(readRows(viewed(log))).rejects.toMatchObject(refusal('it has more than 500000 events'));
  });
});

describe('the page of two runs', () => {
  test('has the changes of each event, and the lines of both', async () => {
    const a = lines({ id: 'a', n: 1, only: 'a' }, { id: 'b' }, { id: 'c' });
    const b = lines({ id: 'a', n: 2, more: 'b' }, { id: 'b' });
    const { code, html, document } = await pageOf<ComparisonDocument>(a, b);
    expect(code).toBe(0);
    expect(document).toMatchObject({
      kind: 'comparison',
      head: { equal: false, a: { path: a }, b: { path: b } },
    });
    expect(document.fields).toEqual({
      1: [
        { path: 'n', before: '1', after: '2' },
        { path: 'only', before: '"a"' },
        { path: 'more', after: '"b"' },
      ],
    });
    expect(unpacked(html, 'lines-0').split('\n')).toHaveLength(4);
    expect(unpacked(html, 'lines-1').split('\n')).toHaveLength(3);
  });

  test('has what diff says for readers without its script', async () => {
    const runs = ['ep_01KJQ6PSG0DGB6DN0XWB2R05AD', 'ep_01KJQ38XW0B21102BHVMR95HBJ'].map((name) =>
      join(EXAMPLES, '.noesis/episodes', name),
    );
    const { html, document } = await pageOf<ComparisonDocument>(...runs);
    const { stdout } = await runHere(['diff', ...runs]);
    // The page is wider than the terminal of the test.
    const words = (text: string) => text.split(/\s+/);
    expect(words(glanceIn(html))).toEqual(words(stdout));
    expect(document.state.length).toBeGreaterThan(0);
  });

  test('of sessions has no states, because these repeat what the runs did', async () => {
    const sessions = [
      'demo-site/b25638d7-b104-4f06-a797-70ac33d069ed',
      'git-sync/665c2e57-8c9f-4dd8-ba40-05c63f801620',
    ].map((name) => join(SAMPLES, `claude-code/projects/-home-usr-${name}.jsonl`));
    const { document } = await pageOf<ComparisonDocument>(...sessions);
    expect(document.head.equal).toBe(false);
    expect(document.state).toEqual([]);
  });

  test('of a run with itself says that they are equal', async () => {
    const log = lines({ a: 1 });
    const { document } = await pageOf<ComparisonDocument>(log, log);
    expect(document).toMatchObject({ head: { equal: true }, fields: {} });
    expect(document.head.first).toBeUndefined();
  });

  test('agrees with diff, for samples of every dialect', async () => {
    const differing: string[] = [];
    let moreThanStored = 0;
    for (const [a, b] of sampled(await samplePairs(), 25)) {
      const pair = `${relative(SAMPLES, a)} ${relative(SAMPLES, b)}`;
      const { code, stdout } = await runHere(['diff', '-j', '--limit', '0', a, b]);
      if (stdout === '') continue;
      const { behaviour, ...diff } = outputIn(stdout) as RunDifference;
      // The page has all lines of both logs, so it is refused if one is damaged.
      if ([diff.a, diff.b].some(({ skipped }) => skipped !== undefined)) continue;
      const { document } = await pageOf<ComparisonDocument>(a, b);
      const { equal, counts } = document.head;
      const said = outputIn(JSON.stringify({ code: equal ? 0 : 1, equal, ...document.behaviour }));
      const expected = { code, equal: diff.equal, ...behaviourForPage(behaviour) };
      if (!isDeepStrictEqual(said, expected)) differing.push(pair);
      if (equal && counts.changed + counts.missing + counts.added > 0) moreThanStored += 1;
    }
    expect(differing).toEqual([]);
    if (isWhole) expect(moreThanStored).toBeGreaterThan(0);
  });

  test('is refused if a log was damaged after the comparison', async () => {
    await expect(readRows(viewed(tempFile('{"a":1}\nnot json\n', 'x.jsonl')))).rejects.toMatchObject({
      code: 'log-changed',
      message: expect.stringContaining('now has a damaged line'),
    });
  });

  test('of two runs of one ledger has the lines of each alone', async () => {
    const ledger = join(EXAMPLES, 'other-dialects/fishbowl/ledger.jsonl');
    const runs = ['debate-0001', 'heist-0002'];
    const [a = '', b = ''] = runs.map((run) => `${ledger}#${run}`);
    const { html } = await pageOf<ComparisonDocument>(a, b);
    for (const [index, run] of runs.entries()) {
      const ids = unpacked(html, `lines-${index}`)
        .trimEnd()
        .split('\n')
        .map((line) => (JSON.parse(line) as { run_id: string }).run_id);
      expect(new Set(ids)).toEqual(new Set([run]));
    }
  });

  test('compares the fields of a limited number of changed events, and shows the others', async () => {
    const many = (n: number) => lines(...Array.from({ length: 5010 }, (_, id) => ({ id: `e${id}`, n })));
    const { document } = await pageOf<ComparisonDocument>(many(1), many(2));
    expect(document.head.counts).toMatchObject({ changed: 5010 });
    expect(Object.keys(document.fields)).toHaveLength(5000);
  });
});

test('the page of a report leads to the pages of its episodes, and explains what was found', () => {
  const episodes = [{ episode: 'a', path: '/runs/a', findings: [{ code: 'log/empty' }] }];
  const report = { verdict: 'fail', tool: { version: '1.2.3' }, episodes } as unknown as VerifyReport;
  const html = [
    ...reportHtml(report, {
      views: ['a.html'],
      shownPath: (path) => path.slice(6),
      glance: 'line\n'.repeat(1001),
    }),
  ].join('');
  expect(glanceIn(html)).toBe(`${'line\n'.repeat(1000)}…`);
  expect(html).toContain('<title>verify: fail – noesis</title>');
  expect(JSON.parse(unpacked(html, 'document'))).toMatchObject({
    kind: 'report',
    version: '1.2.3',
    views: ['a.html'],
    report: { episodes: [{ path: 'a' }] },
    meanings: { 'log/empty': { meaning: expect.any(String) } },
  });
});

test('the page of a report has what verify prints for readers without its script', async () => {
  const damaged = join(EXAMPLES, 'damaged');
  const { stdout: html } = await runHere(['verify', damaged, '-f', 'html', '-q']);
  const { stdout } = await runHere(['verify', damaged]);
  const codes = (text: string) => [...text.matchAll(/error\[[\w/-]+\]/g)].map(([code]) => code);
  expect(codes(stdout).length).toBeGreaterThan(8);
  expect(codes(glanceIn(html))).toEqual(codes(stdout));
});

test.each([
  ['a run/of: two', 'a_run_of_two.html'],
  ['..hidden', 'hidden.html'],
  ['', 'log.html'],
  ['x'.repeat(200), `${'x'.repeat(100)}.html`],
])('the page of %j has a name that every file system takes', (name, file) => {
  expect(pageName(name)).toBe(file);
});

test('npm run site writes the pages that docs/index.html leads to', () => {
  const folder = tempDir();
  execFileSync(process.execPath, ['scripts/make-site.mjs', folder], { stdio: 'pipe' });
  const index = readFileSync(join(folder, 'index.html'), 'utf8');
  const named = [...index.matchAll(/(?:href|src)="\.\/([^"]+)"/g)].map(([, name]) => name ?? '');
  expect(named).toHaveLength(4);
  expect(readdirSync(folder).sort()).toEqual(['index.html', ...named].sort());
  expect(index).not.toContain('npm run site');
  expect(readFileSync('docs/index.html', 'utf8')).toContain('npm run site');
});
