import { describe, expect, it } from 'vitest';
import { PackedFindings } from '../../src/findings/packed-findings.ts';
import { BATCH, PackedList, unpack } from '../../src/findings/packed-list.ts';
import { findingsOf, type VerifyReport } from '../../src/findings/report.ts';
import { renderJunit } from '../../src/render/junit.ts';
import { renderPretty } from '../../src/render/pretty.ts';
import { plain } from '../../src/render/style.ts';
import { worstOf } from '../../src/render/worst.ts';
import { packedReport } from './packed.ts';

const { report, findings } = packedReport();
const [episode] = report.episodes;
const packed = episode?.packed;

/** The same report, every finding held one by one. */
const unpacked: VerifyReport = {
  ...report,
  episodes: report.episodes.map(({ packed: _, ...rest }) => ({ ...rest, findings })),
};

describe('a packed list', () => {
  it.each([0, 1, BATCH - 1, BATCH, BATCH + 1, 3 * BATCH])('gives %i items back as they came', (count) => {
    const items = Array.from({ length: count }, (_, index) => ({ index, text: `é ${index}` }));
    const list = new PackedList<(typeof items)[number]>();
    for (const item of items) list.add(item);
    expect(list).toHaveLength(count);
    expect([...list]).toEqual(items);
    expect([...unpack(structuredClone(list.data))]).toEqual(items);
    expect([...list.drain()]).toEqual(items);
    expect(list).toHaveLength(0);
  });
});

describe('very many findings', () => {
  it('are packed, and come in the order of a report, as often as they are asked for', () => {
    expect(episode?.findings).toEqual([]);
    expect(packed).toHaveLength(findings.length);
    expect([...(packed ?? [])]).toEqual(findings);
    expect([...(packed ?? [])]).toEqual(findings);
    expect(JSON.parse(JSON.stringify(packed))).toEqual(findings);
  });

  it.each([BATCH, 2 * BATCH + 1])('are all there when they are %i', (count) => {
    const many = packedReport(count);
    expect([...(many.report.episodes[0]?.packed ?? [])]).toEqual(many.findings);
  });

  it('pass between threads as data', () => {
    const copy = packed && new PackedFindings(structuredClone(packed.data));
    expect([...(copy ?? [])]).toEqual(findings);
  });

  it('are counted without being unpacked', () => {
    const errors = findings.filter(({ severity }) => severity === 'error').length;
    expect(report.verdict).toBe('fail');
    expect(report.summary.errors).toBe(errors);
  });

  it('are few runs, in each of which the order holds', () => {
    expect(packed?.data.runs.length).toBeLessThan(8);
  });

  it('give the same reports as findings that are not packed', () => {
    const options = { style: plain, width: 80 };
    expect(renderPretty(report, options)).toBe(renderPretty(unpacked, options));
    expect(renderJunit(report)).toBe(renderJunit(unpacked));
    const finding = (one: VerifyReport) => worstOf(one, 9000).worst.map((placed) => placed.finding);
    expect(finding(report)).toEqual(finding(unpacked));
    expect(worstOf(report, 5).total).toBe(findings.length);
  });

  it('are all there, whichever way they are held', () => {
    expect(findingsOf({ findings: [] })).toEqual([]);
    expect(findingsOf(unpacked.episodes[0] ?? { findings: [] })).toBe(findings);
  });
});
