import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FindingDraft, Findings, MAX_TEXT } from '../../src/findings/findings.ts';
import { compareFindings } from '../../src/findings/order.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { severityCounts } from '../../src/findings/report.ts';

const draft: fc.Arbitrary<FindingDraft> = fc.record({
  code: fc.constantFrom('event/vocabulary', 'lineage/dangling-cause', 'seal/missing'),
  severity: fc.constantFrom('error', 'warn', 'info'),
  message: fc.constantFrom('a', 'b'),
  file: fc.constantFrom('events.jsonl', 'state.json'),
  line: fc.nat({ max: 40 }),
  column: fc.nat({ max: 3 }),
});

/** The kept and counted findings, reported in this order. */
function conclude(drafts: readonly FindingDraft[], maxFindings: number) {
  const findings = new Findings({ ...DEFAULT_POLICY, maxFindings });
  drafts.forEach((one, index) => {
    if (index % 2 === 0) findings.report(one);
    else {
      const { code, severity, file, line = 0, column = 0 } = one;
      findings.reportAt({ code, severity, file, line, column: () => column }, () => one);
    }
  });
  return findings.conclude();
}

describe('the findings of an episode', () => {
  it('are the first of each code and severity, whatever their original order, and the rest is counted', () => {
    fc.assert(
      fc.property(fc.array(draft, { maxLength: 80 }), fc.integer({ min: 1, max: 5 }), (drafts, limit) => {
        const all = drafts.toSorted((a, b) =>
          compareFindings({ severity: 'info', ...a }, { severity: 'info', ...b }),
        );
        const expected = all.filter(
          ({ code, severity }, index) =>
            all.slice(0, index).filter((other) => other.code === code && other.severity === severity).length <
            limit,
        );
        const { findings, omitted = [] } = conclude(drafts, limit);
        expect(findings).toEqual(expected);
        const counts = severityCounts({ findings, omitted });
        expect(counts).toEqual(severityCounts(conclude(drafts, 0)));
        expect(omitted.every(({ count }) => count > 0)).toBe(true);
      }),
    );
  });

  it('have one order, even if only the severity differs', () => {
    const at = { code: 'event/vocabulary', message: 'm', file: 'events.jsonl', line: 5 } as const;
    const drafts: FindingDraft[] = [
      { ...at, severity: 'warn' },
      { ...at, severity: 'error' },
    ];
    const severities = (list: readonly FindingDraft[]) =>
      conclude(list, 0).findings.map(({ severity }) => severity);
    expect(severities(drafts)).toEqual(['error', 'warn']);
    expect(severities(drafts.toReversed())).toEqual(['error', 'warn']);
  });

  it('are all kept for 0, and a thousand by default', () => {
    const drafts = Array.from({ length: 2500 }, (_, index): FindingDraft => {
      return { code: 'event/vocabulary', message: 'm', file: 'events.jsonl', line: index + 1 };
    });
    expect(conclude(drafts, 0).findings).toHaveLength(2500);
    expect(conclude(drafts, 0)).not.toHaveProperty('omitted');
    const findings = new Findings(DEFAULT_POLICY);
    for (const one of drafts) findings.report(one);
    const { findings: kept, omitted } = findings.conclude();
    expect(kept.map(({ line }) => line)).toEqual(Array.from({ length: 1000 }, (_, index) => index + 1));
    expect(omitted).toEqual([{ code: 'event/vocabulary', severity: 'warn', count: 1500 }]);
  });

  it('are computed only if they may be kept', () => {
    const findings = new Findings({ ...DEFAULT_POLICY, maxFindings: 10 });
    let worked = 0;
    for (let line = 1; line <= 1000; line += 1) {
      const head = { code: 'event/vocabulary', file: 'events.jsonl', line } as const;
      findings.reportAt(head, () => {
        worked += 1;
        return { ...head, message: 'm' };
      });
    }
    expect(worked).toBeLessThan(30);
    expect(findings.conclude()).toMatchObject({ verdict: 'warn', omitted: [{ count: 990 }] });
  });

  it('that are held back count only when they are added', () => {
    const findings = new Findings({ ...DEFAULT_POLICY, maxFindings: 2 });
    const held = findings.later();
    for (let line = 1; line <= 5; line += 1)
      held.report({ code: 'lineage/dangling-cause', message: 'm', file: 'a', line });
    expect(findings.conclude()).toEqual({ verdict: 'ok', findings: [] });
    findings.takeIn(held);
    expect(findings.conclude()).toMatchObject({
      verdict: 'fail',
      findings: [{ line: 1 }, { line: 2 }],
      omitted: [{ code: 'lineage/dangling-cause', severity: 'error', count: 3 }],
    });
  });

  it.each([true, false])('that a corrupt line could explain count only in an intact log: %s', (whole) => {
    const findings = new Findings(DEFAULT_POLICY);
    findings.ifWhole.report({ code: 'lineage/dangling-cause', message: 'm', file: 'a', line: 1 });
    findings.settle(whole);
    findings.settle(true);
    expect(findings.conclude().findings).toHaveLength(whole ? 1 : 0);
  });

  it('are one for many records, at the first of them, unless there is nothing to report', () => {
    const findings = new Findings(DEFAULT_POLICY);
    const draft = (line: number) => () => ({
      code: 'event/vocabulary' as const,
      message: '',
      file: 'a',
      line,
    });
    for (const line of [3, 4, 5]) findings.once('long', draft(line), (count) => `${count} lines`);
    findings.ifWhole.once('short', draft(6), () => 'one line');
    findings.once('void', draft(7), () => undefined);
    findings.settle(true);
    expect(findings.conclude().findings).toMatchObject([
      { line: 3, message: '3 lines' },
      { line: 6, message: 'one line' },
    ]);
  });

  it('cut long texts, but not inside a character', () => {
    const findings = new Findings(DEFAULT_POLICY);
    const long = `${'x'.repeat(MAX_TEXT - 2)}😀${'x'.repeat(1_000_000)}`;
    findings.report({ code: 'event/vocabulary', message: long, file: 'a', eventId: long, actual: 'short' });
    const [finding] = findings.conclude().findings;
    expect(finding).toMatchObject({ message: `${'x'.repeat(MAX_TEXT - 2)}\ufffd…`, actual: 'short' });
    expect(finding?.eventId).toHaveLength(MAX_TEXT);
  });
});
