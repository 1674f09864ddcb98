import { describe, expect, test } from 'vitest';
import { renderReport } from '../../src/cli/report/report-formats.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { commandPage } from '../../src/show/render/man-page.ts';
import { salvagedPlaces, salvageSummary } from '../../src/show/render/salvage-view.ts';
import { plain } from '../../src/show/render/style.ts';
import { cellWidth } from '../../src/show/render/table-line.ts';
import { summaryLine } from '../../src/show/render/words.ts';
import { withoutCommands } from '../../src/show/render/workflow-commands.ts';
import type { SalvageSummary } from '../../src/write/salvage/account.ts';
import { episode, good, invalidJson, ROOT, report } from './reports.ts';

const LAYOUT = {
  checkout: ROOT,
  style: plain,
  width: 80,
  relativeTo: ROOT,
  quiet: false,
  maxWarnings: undefined,
};

async function rendered(
  format: 'pretty' | 'gitlab' | 'junit' | 'sarif' | 'markdown',
  ...episodes: EpisodeReport[]
) {
  return [...(await renderReport(format, report(...episodes), LAYOUT))].join('');
}

describe('findings that are only counted', () => {
  const counted = episode('ep_1', [invalidJson], {
    omitted: [
      { code: invalidJson.code, severity: 'error', count: 41 },
      { code: 'event/range', severity: 'error', count: 2 },
    ],
  });

  test('are counted in every format, even if none of their code is kept', async () => {
    const text = await rendered('pretty', counted);
    expect(text).toContain('… and 41 more log/invalid-json (…)');
    expect(text).toContain('… and 2 more event/range (…)');
    const issues = JSON.parse(await rendered('gitlab', counted)) as { description: string }[];
    expect(issues.map(({ description }) => description)).toEqual([
      expect.stringContaining(invalidJson.message),
      '41 more findings of log/invalid-json are not listed',
      '2 more findings of event/range are not listed',
      'nothing proven: not every record could be read',
    ]);
    const suites = await rendered('junit', counted);
    expect(suites).toContain('failures="2"');
    expect(suites).toContain(`${invalidJson.message} (and 41 more)"`);
    expect(suites).toContain(
      '<failure type="event/range" message="2 findings not listed">… and 2 more</failure>',
    );
  });
});

test('a stage that was not requested needs no reason', async () => {
  const one = episode('ep_1', [], {
    stages: [
      { name: 'log', status: 'ran' },
      { name: 'state', status: 'skipped' },
    ],
  });
  expect(await rendered('pretty', one)).toContain('\nskipped stage: state\n');
  expect(await rendered('sarif', one)).toContain('"Not checked in 1 run: state"');
});

test('a summary of a workflow names the first hundred episodes', async () => {
  const episodes = Array.from({ length: 102 }, (_, at) => ({
    ...good,
    episode: `ep_${at}`,
    path: `${ROOT}/ep_${at}`,
  }));
  const page = await rendered('markdown', ...episodes);
  expect(page).toContain('… and 2 more runs');
  expect(page.match(/^\| ok /gm)).toHaveLength(100);
});

test.each<
  [
    Omit<Parameters<typeof summaryLine>[0]['summary'], 'events' | 'bytes'>,
    'ok' | 'warn' | 'fail',
    number | undefined,
    string,
  ]
>([
  [
    { episodes: 0, ok: 0, warn: 0, fail: 0, errors: 0, warnings: 0 },
    'ok',
    undefined,
    '0 runs: nothing was checked',
  ],
  [
    { episodes: 1, ok: 0, warn: 1, fail: 0, errors: 0, warnings: 3 },
    'fail',
    2,
    '1 run: 1 with warnings (3 warnings); failed: more than 2 warnings',
  ],
  [
    { episodes: 1, ok: 0, warn: 1, fail: 0, errors: 0, warnings: 3 },
    'fail',
    undefined,
    '1 run: 1 with warnings (3 warnings)',
  ],
  [
    { episodes: 1, ok: 1, warn: 0, fail: 0, errors: 0, warnings: 0, baselined: 1 },
    'ok',
    2,
    '1 run: 1 ok; 1 finding in the baseline is ignored',
  ],
  [
    { episodes: 1, ok: 1, warn: 0, fail: 0, errors: 0, warnings: 0, baselined: 2 },
    'ok',
    2,
    '1 run: 1 ok; 2 findings in the baseline are ignored',
  ],
])('%j, which is %s', (summary, verdict, maxWarnings, line) => {
  expect(summaryLine({ summary: { ...summary, events: 0, bytes: 0 }, verdict }, maxWarnings)).toBe(line);
});

test('nothing in a readable report is a command to the runner of a workflow', () => {
  expect(withoutCommands('::error::x\n \t::warning::y\n\u001b[31m::notice::z\na::b ##[group]c')).toBe(
    ':\\x3aerror::x\n \t:\\x3awarning::y\n\u001b[31m:\\x3anotice::z\na::b #\\x23[group]c',
  );
});

test('salvage reports what it kept, repaired and lost', () => {
  const place = { line: 3, byteStart: 10, byteEnd: 20, source: '/log' };
  const summary: SalvageSummary = {
    kind: 'summary',
    sources: ['/log'],
    kept: 2,
    repaired: 1,
    lost: 1,
    lostBytes: 10,
    sha256: '',
    bytes: 0,
    sealed: false,
    leftOut: [],
  };
  const rejected = { rejectedStart: 0, rejectedEnd: 10 };
  const text = salvagedPlaces(
    [
      { kind: 'kept', records: 2, ...place },
      { kind: 'repaired', code: 'log/bom', how: 'a mark was taken\naway', ...place },
      { kind: 'lost', code: 'log/invalid-json', message: 'no\tJSON', ...place, ...rejected },
      { kind: 'replaced', code: 'log/bom', message: '', ...place, ...rejected },
      { kind: 'lost', code: 'log/not-object', message: '', ...place, ...rejected, lines: 4 },
      summary,
    ],
    (path) => path.slice(1),
  );
  expect(text + salvageSummary(summary)).toBe(
    `kept      log:3  2 records, bytes 10 to 20
repaired  log:3  bytes 10 to 20, a mark was taken\\naway (log/bom)
lost      log:3  bytes 10 to 20, no\\tJSON (log/invalid-json)
lost      log:3  to line 6, bytes 10 to 20,  (log/not-object)
3 records kept, 1 of them repaired; 1 part lost (10 bytes)
`,
  );
  expect(salvageSummary({ ...summary, lost: 0, sealed: true })).toBe(
    '3 records kept, 1 of them repaired; nothing lost; the log matches its seal, which was kept\n',
  );
});

test('a page of the manual has no empty sections', () => {
  const page = {
    name: 'x',
    usage: '[options]',
    description: 'does x',
    sections: [],
    examples: [],
    notes: '',
  };
  const text = commandPage(page, { version: '1', date: '', bugs: '' });
  expect(text).not.toMatch(/EXAMPLES|NOTES/);
  expect(
    commandPage(
      { ...page, examples: [{ line: 'noesis x', purpose: 'all' }] },
      { version: '1', date: '', bugs: '' },
    ),
  ).toContain('.SH "EXAMPLES"\n.TP\n.B noesis x\nall\n');
});

test('a cell that is too long for any column is not measured', () => {
  expect([
    cellWidth('ab'),
    cellWidth('漢'),
    cellWidth('a'.repeat(4096)),
    cellWidth('a'.repeat(4097)),
  ]).toEqual([2, 2, 4096, Infinity]);
});
