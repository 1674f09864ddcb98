import { expect, it } from 'vitest';
import { Findings } from '../../src/findings/findings.ts';
import { DEFAULT_POLICY } from '../../src/findings/policy.ts';
import { requireLog, runStages, skip, stage, unlessWhole } from '../../src/findings/stages.ts';

const target = { name: 'ep', log: '/ep/events.jsonl', dir: '/ep' };

it('steps run in turn with their inputs, and the report says what was skipped and why', async () => {
  const findings = new Findings(DEFAULT_POLICY);
  const done: string[] = [];
  const steps = [
    stage({
      names: ['log', 'events', 'lineage'],
      needs: async () => ({ path: '/ep/events.jsonl' }),
      run: async ({ path }) => void done.push(path),
      partly: () => ({ lineage: 'only a part' }),
    }),
    stage({ names: ['state'], needs: () => 'no state', run: () => void done.push('state') }),
    stage({
      names: ['manifest'],
      needs: () => undefined,
      run: () => findings.report({ code: 'artifact/corrupt', message: 'm', file: 'manifest.json' }),
      partly: () => 'in part',
    }),
  ];
  const report = await runStages(steps, () => ({ target, dialect: 'd', events: done.length }), findings);
  expect(done).toEqual(['/ep/events.jsonl']);
  expect(report).toMatchObject({
    episode: 'ep',
    path: '/ep',
    dialect: 'd',
    verdict: 'fail',
    events: 1,
    bytes: 0,
    sealed: false,
    findings: [{ code: 'artifact/corrupt' }],
  });
  expect(report.stages).toEqual([
    { name: 'log', status: 'ran' },
    { name: 'events', status: 'ran' },
    { name: 'lineage', status: 'ran', reason: 'only a part' },
    { name: 'governance', status: 'skipped', reason: 'does not apply' },
    { name: 'state', status: 'skipped', reason: 'no state' },
    { name: 'projection', status: 'skipped', reason: 'does not apply' },
    { name: 'artifacts', status: 'skipped', reason: 'does not apply' },
    { name: 'manifest', status: 'ran', reason: 'in part' },
    { name: 'consistency', status: 'skipped', reason: 'does not apply' },
  ]);
});

it('a later step gets what an earlier one returned, or why it was skipped', async () => {
  const findings = new Findings(DEFAULT_POLICY);
  const log = stage({
    names: ['log'],
    needs: () => undefined,
    run: () => 5,
    partly: (count) => `${count} read`,
  });
  const state = stage({ names: ['state'], needs: () => 'no state', run: () => 6 });
  const artifacts = stage({
    names: ['artifacts'],
    needs: () => ({ count: log.result, reason: state.skipped }),
    run: (needed) => needed,
  });
  expect([log.result, state.skipped]).toEqual([undefined, undefined]);
  const { stages } = await runStages(
    [log, state, artifacts, skip('events', 'no map')],
    () => ({ target, dialect: 'd' }),
    findings,
  );
  expect(artifacts.result).toEqual({ count: 5, reason: 'no state' });
  expect([log.skipped, state.result]).toEqual([undefined, undefined]);
  expect(stages).toContainEqual({ name: 'log', status: 'ran', reason: '5 read' });
  expect(stages).toContainEqual({ name: 'events', status: 'skipped', reason: 'no map' });
});

it('a missing log is a finding and a reason; a damaged one lists the skipped checks', () => {
  const findings = new Findings(DEFAULT_POLICY);
  const missing = { message: 'there is none', file: 'x.jsonl', reason: 'no x.jsonl' };
  expect(requireLog('/x.jsonl', missing, findings)).toEqual({ path: '/x.jsonl' });
  expect(findings.conclude().findings).toEqual([]);
  expect(requireLog(undefined, missing, findings)).toBe('no x.jsonl');
  expect(findings.conclude().findings).toMatchObject([{ code: 'log/missing', file: 'x.jsonl' }]);
  expect(unlessWhole({ whole: true })).toBeUndefined();
  expect(unlessWhole({ whole: false })).toMatchObject({
    events: expect.stringMatching(/^the log is damaged: /),
  });
  expect(unlessWhole({ whole: false })).not.toHaveProperty('log');
});
