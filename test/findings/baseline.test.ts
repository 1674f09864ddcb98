import { expect, test } from 'vitest';
import { isNeverAccepted } from '../../src/dialects/catalogue.ts';
import { type Baseline, BaselineFilter, BaselineWriter } from '../../src/findings/baseline.ts';
import type { Finding } from '../../src/findings/finding.ts';
import type { EpisodeReport } from '../../src/findings/report.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { tempFile } from '../support/temp.ts';

const BASE = await verifyEpisode(tempFile('{"text":"x"}\n'));

const finding = (code: Finding['code'], line: number, path = 'a'): Finding => ({
  code,
  severity: 'warn',
  message: 'm',
  file: 'events.jsonl',
  line,
  path,
});

const report = (
  episode: string,
  findings: readonly Finding[],
  more: Partial<EpisodeReport> = {},
): EpisodeReport => ({
  ...BASE,
  episode,
  verdict: 'warn',
  findings,
  ...more,
});

function written(...reports: readonly EpisodeReport[]): {
  readonly baseline: Baseline;
  readonly omitted: number;
} {
  const writer = new BaselineWriter(isNeverAccepted);
  for (const one of reports) writer.add(one);
  return { baseline: writer.result(), omitted: writer.omitted };
}

test('writes findings with counts, sorted, without those that no baseline may accept', () => {
  const vocabulary = finding('event/vocabulary', 3);
  const { baseline, omitted } = written(
    report('ep_2', [vocabulary], {
      omitted: [
        { code: 'event/vocabulary', severity: 'warn', count: 7 },
        { code: 'log/truncated', severity: 'error', count: 5 },
      ],
    }),
    report('ep_1', [vocabulary, { ...vocabulary, line: 9 }, finding('manifest/unlisted-file', 1)]),
  );
  expect(baseline.findings.map(({ episode, code, count }) => [episode, code, count])).toEqual([
    ['ep_1', 'event/vocabulary', 2],
    ['ep_2', 'event/vocabulary', 1],
  ]);
  // Findings that were only counted are in no baseline, and the user sees their number.
  expect(omitted).toBe(7);
});

test('a finding that no baseline may accept counts even if the file names it', () => {
  const hard = { ...finding('log/truncated', 1), severity: 'error' } as const;
  const { baseline } = written(report('ep_1', [finding('event/vocabulary', 1)]));
  const [entry] = baseline.findings;
  const edited = { ...baseline, findings: [{ ...entry, code: 'log/truncated' }, entry] } as Baseline;
  const filter = new BaselineFilter(edited, isNeverAccepted);
  const found = filter.apply(report('ep_1', [hard, finding('event/vocabulary', 4)]));
  expect(found).toMatchObject({ findings: [hard], verdict: 'fail', baselined: 1 });
  expect(filter.gone).toBe(0);
});

test('a report without findings of the baseline is unchanged, and missing findings are counted', () => {
  const { baseline } = written(
    report('ep_1', [finding('event/vocabulary', 1), finding('event/vocabulary', 2)]),
    report('ep_2', [finding('event/vocabulary', 1)]),
  );
  const filter = new BaselineFilter(baseline, isNeverAccepted);
  const other = report('ep_1', [finding('event/vocabulary', 1, 'b')]);
  expect(filter.apply(other)).toBe(other);
  const unknown = report('ep_3', [finding('event/vocabulary', 1)]);
  expect(filter.apply(unknown)).toBe(unknown);
  expect(filter.gone).toBe(2);
});

test('unlisted findings still decide the verdict', () => {
  const { baseline } = written(report('ep_1', [finding('event/vocabulary', 1)]));
  const apply = (more: Partial<EpisodeReport>) =>
    new BaselineFilter(baseline, isNeverAccepted).apply(
      report('ep_1', [finding('event/vocabulary', 5)], more),
    );
  expect(apply({})).toMatchObject({ findings: [], verdict: 'ok' });
  const omitted = [{ code: 'event/vocabulary', severity: 'warn', count: 7 }] as const;
  expect(apply({ omitted })).toMatchObject({ findings: [], omitted, verdict: 'warn' });
});
