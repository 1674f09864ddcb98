import type { Finding } from '../../src/findings/finding.ts';
import { Findings } from '../../src/findings/findings.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { assembleReport, compareFindings, type VerifyReport } from '../../src/findings/report.ts';

/** What a check of a damaged log may say: line after line, and in between and afterwards of earlier lines. */
export function manyFindings(count: number): Finding[] {
  return Array.from({ length: count }, (_, index) => {
    const late = index % 10_000 >= 8000;
    return {
      code: late ? 'lineage/dangling-cause' : 'event/vocabulary',
      severity: late ? 'warn' : index % 3 === 0 ? 'error' : 'info',
      message: `number ${index}`,
      file: index > count - 500 ? 'state.json' : 'events.jsonl',
      line: late ? index - 5000 : index + 1,
    };
  });
}

/** A report on one episode with more findings than are held one by one, and these in their order. */
export function packedReport(count = 23_456): { report: VerifyReport; findings: Finding[] } {
  const all = new Findings(DEFAULT_POLICY);
  const findings = manyFindings(count);
  for (const finding of findings) all.report(finding as Parameters<Findings['report']>[0]);
  const episode = {
    episode: 'ep_many',
    path: '/runs/ep_many',
    dialect: 'noesis',
    events: count,
    bytes: 1,
    sealed: false,
    stages: [],
    ...all.conclude(),
  };
  return { report: assembleReport('0.0.0', [episode]), findings: findings.sort(compareFindings) };
}
