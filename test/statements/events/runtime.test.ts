import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectPlanState, verifyEpisode } from '../../../src/library/index.ts';
import { noesis } from '../../support/cli.ts';
import { type Event, GOOD, PAUSED, rootWith } from '../../support/episodes.ts';
import { writeTree } from '../../support/temp.ts';
import {
  act,
  direction,
  enveloped,
  event,
  plan,
  start,
  terminate,
  textOf,
  told,
  toldOf,
  writeLog,
} from './logs.ts';

interface Plan {
  source: string;
  readonly steps: { status: string }[];
}

interface Difference {
  readonly path: string;
  readonly evidence: { readonly line: number };
}

const { cwd, episodes } = rootWith(GOOD, PAUSED);
const [good, paused] = episodes;

const decision = { governance_id: 'g-1', decision: 'allow', policy_id: 'p' };

const isProjection = ({ event_type }: Event) => event_type === 'run.state_projection';

describe('governance', () => {
  const decided = (more: Readonly<Record<string, unknown>>) => toldOf('governance', { ...decision, ...more });
  const missing = ['governance_id', 'decision', 'policy_id'].map(
    (key) => `error event/payload payload.${key}`,
  );

  test('EV-055: has an id and a policy, and two decisions do not share one id', async () => {
    expect((await toldOf('governance', {})).sort()).toEqual(missing.sort());
    const first = event('governance', { ...decision, score: 0.5 });
    expect(await told(start, first, first)).toEqual(['warn governance/duplicate-id payload.governance_id']);
    expect(await told(start, first, event('governance', { ...decision, score: 0.6 }))).toEqual([
      'warn governance/duplicate-id payload.governance_id',
    ]);
  });

  test('EV-055: an id that is a hash of the decision matches it', async () => {
    const made = {
      policy_id: 'policy:demo',
      policy_version: '1.0.0',
      policy_kind: 'rules',
      rule_id: 'rules.veto.default',
      message: 'naïve – blocked',
      score: 0.9,
      details: { goal: 'Delete the café', n: 3, share: 0.25 },
      governance_id: 'gov-59dce51062ffcbc3ec243f81',
    };
    expect(await decided({ ...made, decision: 'veto' })).toEqual([]);
    const veto = event('governance', { ...made, decision: 'veto' });
    expect(await told(start, veto, veto)).toEqual([]);
    expect(await decided({ ...made, decision: 'audit' })).toEqual([
      'error governance/content-id payload.governance_id',
    ]);
  });

  test('EV-056: decides allow, audit or veto', async () => {
    for (const word of ['allow', 'audit', 'veto']) expect(await decided({ decision: word })).toEqual([]);
    expect(await decided({ decision: 'deny' })).toEqual(['warn event/vocabulary payload.decision']);
  });

  test('EV-057: may have a rule, a score between 0 and 1, and details', async () => {
    expect(await decided({ rule_id: 'r', score: 1, details: {} })).toEqual([]);
    expect(await decided({ score: 1.2 })).toEqual(['warn event/range payload.score']);
    expect((await decided({ rule_id: 5, details: [], score: '1' })).sort()).toEqual([
      'warn event/field-type payload.details',
      'warn event/field-type payload.rule_id',
      'warn event/field-type payload.score',
    ]);
  });

  test('EV-058: may have further members', async () => {
    expect(await decided({ decision_id: 'd', policy_version: '1', policy_kind: 'hybrid', more: [] })).toEqual(
      [],
    );
    expect(await decided({ policy_kind: 'gut' })).toEqual(['warn event/vocabulary payload.policy_kind']);
  });

  test('a run that ended as vetoed was stopped by a veto', async () => {
    const vetoed = event('terminate', { status: 'vetoed' });
    const veto = { ...decision, decision: 'veto', enforced: true };
    expect(await told(start, event('governance', veto), vetoed)).toEqual([]);
    expect(await told(start, event('governance', { ...decision, decision: 'veto' }), vetoed)).toEqual([]);
    const lost = ['error governance/veto-missing payload.status'];
    expect(await told(start, event('governance', decision), vetoed)).toEqual(lost);
    expect(await told(start, event('governance', { ...veto, enforced: false }), vetoed)).toEqual(lost);
  });

  test('a run that an intuition vetoed needs no decision', async () => {
    const vetoed = event('terminate', { status: 'vetoed' });
    const intuition = (more: object) => event('intuition', { kind: 'veto', blocking: true, ...more });
    const blocked = (reason: string) => event('direction', { ...direction, status: 'blocked', reason });
    expect(await told(start, intuition({}), plan, blocked('risk'), vetoed)).toEqual([]);
    expect(await told(start, intuition({}), plan, vetoed)).toEqual([]);
    const lost = ['error governance/veto-missing payload.status'];
    expect(await told(start, intuition({ blocking: false }), plan, vetoed)).toEqual(lost);
    expect(await told(start, intuition({ kind: 'hint', blocking: false }), plan, vetoed)).toEqual(lost);
    // This direction says that governance decided: the decision was removed.
    expect(await told(start, intuition({}), plan, blocked('governance_veto'), vetoed)).toEqual(lost);
    const allowed = event('governance', decision);
    expect(await told(start, intuition({}), plan, allowed, vetoed)).toEqual(lost);
    expect(await told(start, intuition({}), plan, blocked('risk'), allowed, vetoed)).toEqual([]);
  });

  test('a veto that does not say whether it was enforced is ignored by a run that acts and succeeds', async () => {
    const veto = (more: object = {}) => event('governance', { ...decision, decision: 'veto', ...more });
    const completed = event('terminate', { status: 'completed' });
    const run = (type: string, status: string) => event('runtime', { status }, { event_type: type });
    const ignored = ['warn governance/veto-ignored payload.decision'];
    expect(await told(start, plan, veto(), act, completed)).toEqual(ignored);
    expect(await told(start, plan, veto(), completed)).toEqual([]);
    expect(await told(start, plan, veto(), act, event('terminate', { status: 'errored' }))).toEqual([]);
    expect(await told(start, plan, veto({ mode: 'audit' }), act, completed)).toEqual([]);
    expect(await told(start, plan, veto({ enforced: false }), act, completed)).toEqual([]);
    const answered = [run('run.interrupt', 'interrupted'), run('run.checkpoint', 'paused')];
    const resumed = run('run.resume', 'resuming');
    expect(await told(start, plan, veto(), ...answered, resumed, act, completed)).toEqual([]);
  });

  test('a decision comes before its act, and a late one is noted', async () => {
    const candidate = event('action_candidate', { action_candidate_id: 'c' });
    const done = event('act', { ...act.payload, action_candidate_id: 'c' });
    const about = event('governance', { ...decision, action_candidate_id: 'c' });
    const again = event('governance', { ...about.payload, governance_id: 'g-2' });
    expect(await told(start, candidate, about, done)).toEqual([]);
    expect(await told(start, candidate, done, about)).toEqual(['info order/phase phase']);
    expect(await told(start, candidate, about, done, candidate, again)).toEqual([]);
  });
});

describe('action candidates', () => {
  test('EV-031: may be any object, and members that the runtime writes are checked', async () => {
    expect(await toldOf('action_candidate', {})).toEqual([]);
    expect(await toldOf('action_candidate', { what: [{}], kind: 'own' })).toEqual([]);
    expect(
      (await toldOf('action_candidate', { state_hash: 'md5:1', redaction: [], kind: 5 })).sort(),
    ).toEqual(['kind', 'redaction', 'state_hash'].map((key) => `warn governance/candidate payload.${key}`));
  });
});

describe('runtime events', () => {
  const projected = (payload: object, more = {}) =>
    toldOf('runtime', payload, { event_type: 'run.state_projection', ...more });
  const kept = {
    kind: 'run.state_projection',
    status: 'ok',
    outcomes: { status: 'ok', summary: null, metrics: {} },
  };
  const links = { events: 'events.jsonl' };

  test('EV-030: reason, error and runtime events may have any payload; a run event without a status is noted', async () => {
    expect(await toldOf('reason', { a: [1] })).toEqual([]);
    expect(await toldOf('error', { message: 5 })).toEqual([]);
    expect(await toldOf('runtime', { status: 'x', why: {} }, { event_type: 'run.interrupt' })).toEqual([]);
    for (const type of ['run.interrupt', 'run.checkpoint', 'run.resume'])
      expect(await toldOf('runtime', {}, { event_type: type })).toContain(
        'info event/payload payload.status',
      );
    const { findings } = await verifyEpisode(
      writeLog(textOf([event('runtime', {}, { event_type: 'run.custom' })])),
    );
    const messages = findings.filter(({ code }) => code === 'event/payload').map(({ message }) => message);
    expect(messages).toEqual(['payload.status is missing: it is optional, but the runtime always writes it']);
  });

  test('a run that interrupted itself may continue; one that a veto stopped needs a resume', async () => {
    const run = (type: string, status: string) => event('runtime', { status }, { event_type: type });
    const stop = [run('run.interrupt', 'interrupted'), run('run.checkpoint', 'paused')];
    const note = ['info order/lifecycle phase'];
    for (const pause of [stop, stop.slice(0, 1), stop.slice(1)])
      expect(await told(start, plan, ...pause, act, act, terminate)).toEqual(note);
    const veto = event('governance', { ...decision, decision: 'veto', enforced: true });
    expect(await told(start, plan, veto, ...stop, act, terminate)).toEqual(['warn order/lifecycle phase']);
    const resumed = run('run.resume', 'resuming');
    expect(await told(start, plan, veto, ...stop, resumed, act, terminate)).toEqual([]);
    expect(await told(start, plan, veto, ...stop, resumed, run('run.interrupt', 'interrupted'), act)).toEqual(
      note,
    );
  });

  test('EV-075: a state projection has its kind, and the status of its outcomes', async () => {
    expect(await projected({ ...kept, links })).toEqual([]);
    expect(await projected({ ...kept, links, status: 'error' })).toEqual([
      'warn projection/status payload.status',
    ]);
    expect(await projected({ ...kept, links, status: 5 })).toEqual(['error event/payload payload.status']);
    expect(await projected({ ...kept, links, kind: 'x' })).toEqual(['warn projection/status payload.kind']);
  });

  test('EV-076: a state projection has outcomes with a status', async () => {
    for (const outcomes of [null, 'ok', []])
      expect(await projected({ ...kept, links, outcomes })).toEqual(['error event/payload payload.outcomes']);
    expect(await projected({ kind: kept.kind, status: 'ok', links })).toEqual([
      'error event/payload payload.outcomes',
    ]);
    expect(await projected({ ...kept, links, outcomes: {} })).toEqual([
      'error event/payload payload.outcomes.status',
    ]);
    expect(await projected({ ...kept, links, outcomes: { status: 'ok', metrics: 5 } })).toEqual([
      'warn event/field-type payload.outcomes.metrics',
    ]);
  });

  test('EV-077: a state projection mirrors the links', async () => {
    expect(await projected({ ...kept, links: { events: 5 } })).toEqual([
      'warn event/field-type payload.links.events',
    ]);
    expect(await projected(kept)).toEqual(['error event/payload payload.links']);
    const last = paused.events.findLast(isProjection);
    expect(Object.keys(last?.payload['links'] ?? {}).sort()).toEqual(['events', 'learn']);
  });

  test('EV-078: a state projection is caused by the latest event before it', async () => {
    const more = { event_type: 'run.state_projection' };
    const caused = (cause: string) =>
      told(start, plan, event('runtime', { ...kept, links }, { ...more, caused_by: cause }));
    expect(await caused('e2')).toEqual([]);
    expect(await caused('e1')).toEqual(['info order/phase caused_by']);
  });

  test('EV-079: a state projection may have the status interrupted', async () => {
    const outcomes = { ...kept.outcomes, status: 'interrupted' };
    expect(await projected({ ...kept, links, status: 'interrupted', outcomes })).toEqual([]);
  });

  test('EV-074: the projection of a run has the values that the last one persisted', async () => {
    const { stdout } = await noesis(['project', good.id, '-j'], { cwd });
    const last = good.events.findLast(isProjection);
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: last?.payload['outcomes'] as object,
      links: last?.payload['links'] as object,
    });
  });

  test('a run continues from a checkpoint that it has written, and may be interrupted while it is paused', async () => {
    const run = (type: string, status: string, more = {}) =>
      event('runtime', { kind: type, status, ...more }, { event_type: type });
    const checkpoint = run('run.checkpoint', 'paused', { checkpoint_id: 'chk_1' });
    const interrupt = run('run.interrupt', 'interrupted');
    const resume = (id: string) => run('run.resume', 'resuming', { checkpoint_id: id });
    expect(await told(start, interrupt, checkpoint, interrupt, checkpoint, resume('chk_1'))).toEqual([]);
    expect(await told(start, interrupt, checkpoint, resume('chk_2'))).toEqual([
      'warn checkpoint/unknown payload.checkpoint_id',
    ]);
  });
});

describe('what is rebuilt from events', () => {
  test('EV-066: the actions, from the acts', async () => {
    const done = event('act', { ...act.payload, action_id: 'act-1', 'x-cost': { eur: 0.5 } });
    const text = enveloped([start, plan, done, terminate])
      .map((one) => JSON.stringify(one))
      .join('\n');
    const { stdout } = await noesis(['project', writeLog(`${text}\n`), '-j'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({
      outcomes: { actions: [{ id: 'act-1', tool: 'vault', result_status: 'ok', 'x-cost': { eur: 0.5 } }] },
    });
  });

  test('EV-092: the plan, equal to that of the state', async () => {
    const { code } = await noesis(['project', good.id, '--diff'], { cwd });
    expect(code).toBe(0);
    expect(projectPlanState(enveloped([start, plan]) as never)).toMatchObject({
      steps: [{ id: 'step-1', kind: 'act', description: 'rotate', status: 'pending' }],
    });
    expect(projectPlanState([])).toBeNull();
  });

  test('EV-093: a difference of plans names the plan event, or the act that a status came from', async () => {
    const { dir, events } = good;
    const copy = writeTree({ 'events.jsonl': readFileSync(join(dir, 'events.jsonl'), 'utf8') });
    const state = JSON.parse(readFileSync(join(dir, 'state.json'), 'utf8')) as { plan: Plan };
    state.plan.source = 'somebody';
    for (const step of state.plan.steps) step.status = 'failed';
    writeFileSync(join(copy, 'state.json'), JSON.stringify(state));
    const { stdout } = await noesis(['project', copy, '--diff', '-j']);
    const { differences } = JSON.parse(stdout) as { differences: Difference[] };
    const phaseOf = (path: string) => {
      const line = differences.find((one) => one.path === path)?.evidence.line ?? 0;
      return events[line - 1]?.phase;
    };
    expect(phaseOf('plan.source')).toBe('plan');
    expect(phaseOf('plan.steps[0].status')).toBe('act');
  });
});
