import { expect, test } from 'vitest';
import type { EpisodeReport } from '../../src/findings/report.ts';
import type { RuledSeverity } from '../../src/findings/severity.ts';
import { verifyEpisode } from '../../src/library/verify.ts';
import { episodeIn, GOOD } from '../support/episodes.ts';
import { tempDir, writeSettled } from '../support/temp.ts';

/** An episode with its log on one line more, and one of its documents, as given. */
async function verified(
  { line, state }: { readonly line?: string; readonly state?: string },
  options: { readonly maxFindings?: number; readonly severities?: ReadonlyMap<string, RuledSeverity> },
): Promise<EpisodeReport> {
  const { dir, log, lines } = episodeIn(tempDir(), { ...GOOD, sealed: false });
  writeSettled(log, [...lines, ...(line === undefined ? [] : [line])].map((one) => `${one}\n`).join(''));
  if (state !== undefined) writeSettled(`${dir}/state.json`, state);
  return verifyEpisode(dir, options);
}

const of = ({ findings, omitted = [] }: EpisodeReport, code: string) => ({
  places: findings.filter((finding) => finding.code === code).map(({ line, path }) => [line, path]),
  omitted: omitted.filter((one) => one.code === code).map(({ count }) => count),
});

const TWICE = '{"id":"x","phase":"reason","payload":{"a":1,"a":2,"b":3,"b":4,"c":5,"c":6}}';

test('keeps the first repeated keys of a line, up to the limit of the policy', async () => {
  const asked = 'log/duplicate-key';
  const all = of(await verified({ line: TWICE }, {}), asked);
  expect(all.places.map(([, path]) => path)).toEqual(['payload.a', 'payload.b', 'payload.c']);
  expect(of(await verified({ line: TWICE }, { maxFindings: 1 }), asked)).toEqual({
    places: all.places.slice(0, 1),
    omitted: [2],
  });
  const state = of(await verified({ state: TWICE }, { maxFindings: 2 }), asked);
  expect(state).toEqual({
    places: [
      [1, 'payload.a'],
      [1, 'payload.b'],
    ],
    omitted: [1],
  });
});

test("keeps the first faults of a document's line", async () => {
  const asked = 'state/schema';
  const state = '{"version":1,"goal":7,"beliefs":8,"memory":9}';
  const all = of(await verified({ state }, {}), asked);
  expect(all.places.length).toBeGreaterThan(4);
  expect(of(await verified({ state }, { maxFindings: 2 }), asked)).toEqual({
    places: all.places.slice(0, 2),
    omitted: [all.places.length - 2],
  });
});

test('keeps the first remarks about a record', async () => {
  const asked = 'event/wrong-type';
  const line = '{"id":7,"phase":"reason","payload":{},"agent_id":7,"evidence_ids":7,"metrics":7}';
  const all = of(await verified({ line }, {}), asked);
  expect(all.places.length).toBeGreaterThan(2);
  expect(of(await verified({ line }, { maxFindings: 1 }), asked)).toEqual({
    places: all.places.slice(0, 1),
    omitted: [all.places.length - 1],
  });
});

test('a finding that is switched off is neither kept nor counted', async () => {
  const severities = new Map<string, RuledSeverity>([['log/duplicate-key', 'off']]);
  for (const maxFindings of [1, 0])
    expect(
      of(await verified({ line: TWICE, state: TWICE }, { maxFindings, severities }), 'log/duplicate-key'),
    ).toEqual({
      places: [],
      omitted: [],
    });
});
