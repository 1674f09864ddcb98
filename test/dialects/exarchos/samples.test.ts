import { describe, expect, test } from 'vitest';
import { exarchos } from '../../../src/dialects/exarchos/index.ts';
import { ExarchosProjector } from '../../../src/dialects/exarchos/projection/projector.ts';
import { RehydrationFold } from '../../../src/dialects/exarchos/projection/rehydration.ts';
import { ReconcileProjector } from '../../support/origin/exarchos.ts';
import { sample, sampleEvents, sampleJson, told, verifyFiles } from './support.ts';

const CLOCKS = ['createdAt', 'updatedAt'];

describe('logs that the program wrote', () => {
  const demo = 'demo-feature.events.jsonl';

  test('a whole workflow with all files next to it has no findings', async () => {
    const names = [demo, 'demo-feature.seq', 'demo-feature.state.json', 'demo-feature.projections.jsonl'];
    const files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await sample(name)] as const)),
    );
    const report = await verifyFiles(files, demo);
    expect(report).toMatchObject({ verdict: 'ok', events: 29 });
    expect(told(report)).toEqual(['info projection/not-derivable 1']);
    expect(report.findings[0]?.message).toBe(
      'not compared with the log: version, integration, _checkpoint.timestamp, _checkpoint.summary, ' +
        '_checkpoint.operationsSince, _checkpoint.fixCycleCount, _checkpoint.lastActivityTimestamp, ' +
        '_checkpoint.staleAfterMinutes, explore (not compared by noesis); ' +
        'createdAt, updatedAt (the program reads the clock again when it writes the file); ' +
        '_esVersion, _version, _history (bookkeeping of the program, which no event mentions); ' +
        '_eventSequence (the program counts only its own events, so the number may be below the last one); ' +
        '_events (a copy of earlier events, which the program may cut or update late)',
    );
    expect(report.stages.filter(({ status }) => status === 'ran').map(({ name }) => name)).toEqual([
      'log',
      'events',
      'lineage',
      'state',
      'projection',
      'artifacts',
    ]);
  });

  test('its state is rebuilt as the program left it', async () => {
    const stored = (await sampleJson('demo-feature.state.json')) as Record<string, unknown>;
    const projector = new ExarchosProjector();
    for (const [index, event] of (await sampleEvents(demo)).entries()) projector.addEvent(event, index + 1);
    const { value, evidence, underivable } = projector.result();
    expect(underivable).toEqual([]);
    expect(Object.keys(value)).toEqual([
      'featureId',
      'workflowType',
      'phase',
      'createdAt',
      'updatedAt',
      'artifacts',
      'tasks',
      'worktrees',
      'reviews',
      'synthesis',
      'planReview',
    ]);
    for (const [part, projected] of Object.entries(value)) {
      if (!CLOCKS.includes(part)) expect(projected, part).toEqual(stored[part]);
    }
    expect(projector.compare(stored)).toMatchObject({ differences: [], underivable: [] });
    expect(evidence.of('phase')).toEqual({ eventId: 'demo-feature:29', line: 29 });
    expect(evidence.of('artifacts.design')).toEqual({ eventId: 'demo-feature:27', line: 27 });
    expect(evidence.of('tasks[1].status')).toEqual({ eventId: 'demo-feature:20', line: 20 });
  });

  test("the program's own rebuild is repeated", async () => {
    const projector = new ReconcileProjector();
    for (const [index, event] of (await sampleEvents(demo)).entries()) projector.addEvent(event, index + 1);
    const { value } = projector.result();
    const expected = await sampleJson('demo-feature.state.after-reconcile.json');
    expect(value).toEqual(expected);
    expect(JSON.stringify(value)).toBe(JSON.stringify(expected));
    expect(projector.compare(expected).differences).toEqual([]);
  });

  test('rehydration documents are those of the program', async () => {
    const bare = new RehydrationFold();
    for (const event of await sampleEvents('rehydrate-demo.events.jsonl')) bare.add(event);
    expect(bare.result()).toEqual(await sampleJson('rehydrate-demo.expected-document.json'));

    const snapshot = (await sampleEvents('demo-feature.projections.jsonl'))[0];
    const fold = new RehydrationFold();
    for (const event of (await sampleEvents(demo)).slice(0, Number(snapshot?.['sequence']))) fold.add(event);
    expect(fold.result()).toEqual(snapshot?.['state']);
  });

  test('a sidecar is reported before it is merged, and nothing after', async () => {
    const before = {
      'side-demo.events.jsonl': await sample('side-demo.before-merge.events.jsonl'),
      'side-demo.hook-events.jsonl': await sample('side-demo.hook-events.jsonl'),
    };
    const report = await verifyFiles(before, 'side-demo.events.jsonl');
    expect(told(report)).toEqual(['info artifact/pending-events', 'info event/unknown-type 3 type']);
    expect(report.findings[0]?.message).toBe(
      'events that wait to be merged into the log: 1, and 1 whose key is already stored; their effects are not known yet',
    );
    expect(report.verdict).toBe('ok');
    const after = await sample('side-demo.after-merge.events.jsonl');
    expect(told(await verifyFiles({ 'side-demo.events.jsonl': after }, 'side-demo.events.jsonl'))).toEqual(
      [],
    );
  });

  test('a log under another name than its stream is reported', async () => {
    const renamed = 'copy.events.jsonl';
    expect(told(await verifyFiles({ [renamed]: await sample(demo) }, renamed))).toEqual([
      'warn consistency/stream-id 1 streamId',
    ]);
    expect(told(await verifyFiles({ 'spool.jsonl': await sample(demo) }, 'spool.jsonl'))).toEqual([]);
  });

  test('events without envelopes are recognised, and refused', async () => {
    const name = 'rehydrate-demo.events.jsonl';
    const records = await sampleEvents(name);
    expect(exarchos.detect({ fileName: name, records })).toBe(true);
    const report = await verifyFiles({ [name]: await sample(name) }, name);
    expect(report.verdict).toBe('fail');
    expect(new Set(report.findings.map(({ code }) => code))).toContain('event/missing-field');
  });

  test.each([
    [demo, true],
    ['side-demo.after-merge.events.jsonl', true],
    ['side-demo.hook-events.jsonl', false],
    ['demo-feature.projections.jsonl', false],
  ])('%s is a log: %s', async (name, isLog) => {
    expect(exarchos.detect({ fileName: name, records: await sampleEvents(name) })).toBe(isLog);
  });
});
