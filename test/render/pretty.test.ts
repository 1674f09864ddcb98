import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { VerifyReport } from '../../src/findings/report.ts';
import { type PrettyOptions, renderPretty } from '../../src/show/render/pretty.ts';
import { plain, styleOf } from '../../src/show/render/style.ts';
import { displayWidth } from '../../src/show/render/width.ts';
import { times } from '../support/length.ts';
import { DANGEROUS, reports } from './arbitrary.ts';
import { broken, doubtful, flood, good, hostile, mixed, ROOT, report, running } from './reports.ts';

function pretty(data: VerifyReport, more: Partial<PrettyOptions> = {}): string {
  return renderPretty(data, { style: plain, width: 80, relativeTo: ROOT, ...more });
}

describe('renderPretty', () => {
  it.each(
    Object.entries({ mixed, flood, hostile, good: report(good), running: report(running), none: report() }),
  )('shows %s', async (name, data) => {
    const shown = pretty(data);
    await expect(shown).toMatchFileSnapshot(`__snapshots__/pretty-${name}.txt`);
    for (const line of shown.split('\n')) {
      if (!line.includes('-->') && !line.startsWith('      '))
        expect(displayWidth(line)).toBeLessThanOrEqual(80);
    }
  });

  it('says the same in colour', async () => {
    const coloured = pretty(mixed, { style: await styleOf(1) });
    await expect(coloured).toMatchFileSnapshot('__snapshots__/pretty-colour.txt');
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(pretty(mixed));
  });

  it('is one line per bad episode when quiet', () => {
    expect(pretty(mixed, { quiet: true })).toMatchInlineSnapshot(`
      "warn  ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0C  2 warnings, sealed
      fail  ep_01J8ZK2M4Q6S8U0W2Y4A6C8E0D  2 errors, 1 warning, nothing proven
      "
    `);
    expect(pretty(report(good), { quiet: true })).toBe('');
  });

  it('counts the runs per caveat below the summary of several, without those that failed', () => {
    const open = ['a', 'b', 'c'].map((id) => ({ ...good, episode: id, notProven: 'not sealed' }));
    const other = { ...doubtful, notProven: 'not signed' };
    const failed = { ...broken, notProven: 'not every record could be read' };
    const lines = pretty(report(other, ...open, failed))
      .trimEnd()
      .split('\n');
    expect(lines.slice(-2)).toEqual(['3 runs: not sealed', '1 run: not signed']);
    expect(pretty(report(other, ...open), { quiet: true })).not.toContain('not sealed');
    expect(pretty(report({ ...good, notProven: 'not sealed' }))).not.toContain('1 run: not sealed');
  });

  it('names -q below more than 20 good runs, if none failed', () => {
    const goods = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...good, episode: `run-${index}` }));
    const hint = '-q prints only the runs that are not ok';
    for (const data of [report(...goods(21)), report(...goods(21), doubtful)]) {
      expect(pretty(data)).toContain(`\n${hint}\n`);
      expect(pretty(data, { quiet: true })).not.toMatch(/^ok/m);
    }
    for (const data of [report(...goods(20)), report(...goods(21), broken)])
      expect(pretty(data)).not.toContain(hint);
  });

  it('puts the runs with findings after the good ones, below a table with a heading', () => {
    const { findings } = flood.episodes[0] ?? broken;
    const first = { ...broken, findings };
    const second = { ...broken, episode: 'second', findings: broken.findings.slice(0, 1) };
    const lines = pretty(report(first, good, second)).split('\n');
    expect(lines[0]).toBe('1,002 findings in 2 of 3 runs, by code:');
    expect(lines.filter((line) => /^(?:ok|fail) /.test(line)).map((line) => line.split(' ')[0])).toEqual([
      'ok',
      'fail',
      'fail',
    ]);
  });

  it('prints a command that does not fit after its text on a separate line, whole', () => {
    const path = `${ROOT}/${'long-folder/'.repeat(10)}run`;
    const lines = pretty(report(good, { ...running, path }), { width: 60 }).split('\n');
    const at = lines.findIndex((line) => line.startsWith('  noesis verify '));
    expect([at > 0, lines[at]]).toEqual([true, `  noesis verify ${'long-folder/'.repeat(10)}run`]);
  });

  it('does not repeat a name as its path', () => {
    for (const path of ['run-1', 'run-1.jsonl'])
      expect(pretty(report({ ...broken, episode: 'run-1', path: `${ROOT}/${path}` }))).not.toContain(
        `\n      ${path}\n`,
      );
    expect(pretty(report({ ...broken, episode: 'run-1', path: `${ROOT}/x/run-1` }))).toContain(
      '\n      x/run-1\n',
    );
  });

  it('names the paths of episodes of one id when quiet', () => {
    const twins = ['a', 'b'].map((folder) => ({ ...doubtful, path: `${ROOT}/${folder}` }));
    const lines = pretty(report(...twins), { quiet: true })
      .trimEnd()
      .split('\n');
    expect(lines).toEqual([expect.stringMatching(/ {2}a$/), expect.stringMatching(/ {2}b$/)]);
  });

  it('mentions only existing things in its last line', () => {
    expect(pretty(report(doubtful)).trimEnd().split('\n').slice(-2)).toEqual([
      '1 run: 1 with warnings (2 warnings)',
      'exit code 0, because warnings fail only with --strict',
    ]);
    expect(pretty(report())).toBe('0 runs: nothing was checked\n');
  });

  it('never throws, and never lets a dangerous character through', () => {
    fc.assert(
      fc.property(reports, fc.nat({ max: 120 }), fc.boolean(), (data, width, quiet) => {
        expect(pretty(data, { width, quiet })).not.toMatch(DANGEROUS);
      }),
      { numRuns: times(300, 60) },
    );
  });
});
