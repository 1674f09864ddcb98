import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderGithub } from '../../src/show/render/github.ts';
import { renderGithubSummary } from '../../src/show/render/github-summary.ts';
import { DANGEROUS, reports } from './arbitrary.ts';
import { flood, good, hostile, mixed, ROOT, report } from './reports.ts';

const COMMAND = /^::(?:error|warning|notice) (?:(?:file|line|col|title)=[^,:\r\n]*,?)+::[^\r\n]*$/;

describe('renderGithub', () => {
  it.each(Object.entries({ mixed, flood, hostile, good: report(good) }))(
    'annotates %s',
    async (name, data) => {
      await expect(renderGithub(data, { relativeTo: ROOT })).toMatchFileSnapshot(
        `__snapshots__/github-${name}.txt`,
      );
    },
  );

  it('contains only commands, at most the ten per level that GitHub shows', () => {
    fc.assert(
      fc.property(reports, (data) => {
        const lines = renderGithub(data, { relativeTo: ROOT }).trimEnd().split('\n');
        expect(lines.length).toBeLessThanOrEqual(10);
        for (const line of lines) expect(line).toMatch(COMMAND);
      }),
    );
  });
});

describe('renderGithubSummary', () => {
  it.each(Object.entries({ mixed, flood, hostile, none: report() }))('summarises %s', async (name, data) => {
    await expect(renderGithubSummary(data)).toMatchFileSnapshot(`__snapshots__/github-summary-${name}.md`);
  });

  it('keeps trace text out of its markup', () => {
    fc.assert(
      fc.property(reports, (data) => {
        const page = renderGithubSummary(data);
        expect(page).not.toMatch(DANGEROUS);
        expect(page).not.toMatch(/[<>`[\]*_]/);
        for (const row of page.split('\n').filter((line) => line.startsWith('|'))) {
          expect([5, 7]).toContain(row.split('|').length - 1);
        }
      }),
    );
  });
});
