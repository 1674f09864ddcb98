import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import type { Finding } from '../../../src/findings/finding.ts';
import { verifyEpisode } from '../../../src/library/verify.ts';
import { tempDir, writeSettled } from '../../support/temp.ts';
import { event } from './events.ts';

const MEMBERS = ['code', 'line', 'path', 'eventId', 'actual', 'message'] as const;
type Brief = Partial<Pick<Finding, (typeof MEMBERS)[number]>>;

const brief = (finding: Finding): Brief =>
  Object.fromEntries(MEMBERS.flatMap((key) => (finding[key] === undefined ? [] : [[key, finding[key]]])));

/** The findings about causes and references in a log with these events after its start, and the number of omitted ones. */
async function lineageOf(events: readonly JsonObject[], maxFindings?: number) {
  const log = join(tempDir(), 'events.jsonl');
  const lines = [event('start', {}, { id: 'start' }), ...events].map((one) => `${JSON.stringify(one)}\n`);
  writeSettled(log, lines.join(''));
  const report = await verifyEpisode(log, {
    dialect: 'noesis',
    ...(maxFindings !== undefined && { maxFindings }),
  });
  const isOfLineage = ({ code }: { readonly code: string }) => code.startsWith('lineage/');
  return {
    findings: report.findings.filter(isOfLineage).map(brief),
    omitted: (report.omitted ?? []).filter(isOfLineage).map(({ code, count }) => [code, count]),
  };
}

const caused = (id: string, by: string): JsonObject => event('reason', {}, { id, caused_by: by });

test('a later cause is not a cycle if its event has no id', async () => {
  const { findings } = await lineageOf([event('reason', {}, { caused_by: 'late' }), caused('late', 'start')]);
  expect(findings).toEqual([
    {
      code: 'lineage/forward-cause',
      line: 2,
      path: 'caused_by',
      actual: 'late',
      message: 'caused_by names an event that comes later, on line 3',
    },
  ]);
});

test('a cycle with two later causes is reported once', async () => {
  // Line 2 from line 4, line 3 from line 5, line 4 from line 3, line 5 from line 2.
  const { findings } = await lineageOf([
    caused('a', 'c'),
    caused('b', 'd'),
    caused('c', 'b'),
    caused('d', 'a'),
  ]);
  expect(findings).toEqual([
    {
      code: 'lineage/cycle',
      line: 2,
      path: 'caused_by',
      eventId: 'a',
      actual: 'c',
      message: 'the causes form a cycle of the events on lines 2, 3, 4, 5',
    },
  ]);
});

test('a long cycle is reported with eight lines', async () => {
  const ids = Array.from({ length: 10 }, (_, index) => `e${index}`);
  const { findings } = await lineageOf(ids.map((id, index) => caused(id, ids.at(index - 1) ?? '')));
  expect(findings).toEqual([
    expect.objectContaining({
      code: 'lineage/cycle',
      line: 2,
      message: 'the causes form a cycle of the events on lines 2, 3, 4, 5, 6, 7, 8, 9 and 2 more',
    }),
  ]);
});

test('beyond the limit of findings, a missing cause is reported with its line only', async () => {
  const dangling = { code: 'lineage/dangling-cause', path: 'caused_by', actual: 'nobody' };
  const message = 'caused_by names no event of this log';
  const forward = caused('a', 'late');
  const named = await lineageOf([forward, caused('b', 'nobody'), caused('late', 'nobody')], 1);
  expect(named).toEqual({
    findings: [
      expect.objectContaining({ code: 'lineage/forward-cause', line: 2 }),
      { ...dangling, line: 3, eventId: 'b', message },
    ],
    omitted: [['lineage/dangling-cause', 1]],
  });
  const unnamed = await lineageOf(
    [forward, event('reason', {}, { caused_by: 'nobody' }), caused('late', 'start')],
    1,
  );
  expect(unnamed.findings).toContainEqual({ ...dangling, line: 3, message });
});

const citing = (id: string, ...evidence_ids: string[]): JsonObject =>
  event('reason', {}, { id, evidence_ids });

test('evidence may be of an unknown phase, and come later', async () => {
  const custom = event('Custom', {}, { id: 'x' });
  expect(await lineageOf([citing('a', 'event:Custom:1', 'event:Custom:2'), custom, custom])).toEqual({
    findings: [],
    omitted: [],
  });
  const { findings } = await lineageOf([citing('a', 'event:Custom:2', 'event:Other:1'), custom]);
  expect(findings.map(({ path, actual }) => [path, actual])).toEqual([
    ['evidence_ids[0]', 'event:Custom:2'],
    ['evidence_ids[1]', 'event:Other:1'],
  ]);
});

test('beyond the limit of findings, a missing reference is reported with its line only', async () => {
  const late = event('observe', {}, { id: 'o' });
  const { findings } = await lineageOf(
    [citing('a', 'event:observe:1'), citing('b', 'event:plan:1'), late],
    1,
  );
  expect(findings).toEqual([
    {
      code: 'lineage/evidence',
      line: 3,
      actual: 'event:plan:1',
      message: '`event:plan:1` names no event: the log has fewer events of that phase',
    },
  ]);
});

test('a direction without a payload refers to nothing', async () => {
  expect((await lineageOf([event('direction', null, { id: 'd' })])).findings).toEqual([]);
});
