import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readState, verifyEpisode } from '../../../src/library/index.ts';
import { noesis } from '../../support/cli.ts';
import { documentedState } from '../../support/documented-run.ts';
import { event, observe, start, timeOf } from '../events/logs.ts';
import {
  acted,
  ended,
  LINKS,
  planned,
  projected,
  RUN,
  STATE,
  stateWith,
  told,
  withOutcomes,
  withPlan,
  withStep,
  writeState,
} from './states.ts';

const without = (part: object, key: string) =>
  Object.fromEntries(Object.entries(part).filter(([name]) => name !== key));
const episodeWith = (parts: object) => stateWith({ episode: { ...STATE.episode, ...parts } });
const schema = (path: string) => `error state/schema ${path}`;
/** An optional field that is absent. */
const note = (path: string) => `info state/schema ${path}`;

/** A run that waits for an approval, and its state. */
const PAUSED = [
  start,
  observe,
  planned,
  event('runtime', { kind: 'run.interrupt', status: 'interrupted' }, { event_type: 'run.interrupt' }),
];
const pausedState = (links: object) => ({
  ...withPlan({ steps: [{ ...STATE.plan.steps[0], status: 'pending' }, STATE.plan.steps[1]] }),
  outcomes: { status: 'partial', summary: null, actions: [], metrics: {} },
  links,
});

describe('the root', () => {
  test('ST-001, ST-002: the states of a running and of a finished run are read and compared with the log', async () => {
    expect(await told()).toEqual([]);
    expect(await told(pausedState({ events: 'events.jsonl', learn: 'learn.jsonl' }), PAUSED)).toEqual([
      'info projection/not-derivable',
    ]);
    const { episode, goal, beliefs, plan, memory, outcomes, links } = await readState(writeState());
    expect({ episode, goal, beliefs, plan, memory, outcomes, links }).toEqual(
      without(without(STATE, 'version'), 'state_schema_version'),
    );
    for (const part of ['episode', 'goal', 'beliefs', 'plan', 'memory', 'outcomes'])
      expect(await told(without(STATE, part))).toContain(schema(part));
  });

  test('ST-003: has the versions that were ever written', async () => {
    expect(await told(stateWith({ version: '2.0', state_schema_version: 'x' }))).toEqual([
      'warn state/vocabulary version',
      'warn state/vocabulary state_schema_version',
    ]);
    for (const key of ['version', 'state_schema_version']) {
      expect(await told(without(STATE, key))).toEqual([schema(key)]);
      expect(await told(stateWith({ [key]: 1 }))).toEqual([schema(key)]);
    }
  });
});

describe('links', () => {
  const linked = (links: object) =>
    told(stateWith({ links }), [...RUN.slice(0, -1), projected(undefined, { ...links })]);

  test('ST-004, ST-005: are relative paths that lead to the files of their names', async () => {
    expect(await linked({ ...LINKS, events: './events.jsonl' })).toEqual([]);
    expect(await linked({ ...LINKS, summary: 'manifest.json', manifest: 'summary.json' })).toEqual([
      'warn state/links links.summary',
      'warn state/links links.manifest',
    ]);
    expect(await linked({ ...LINKS, learn: '../ep_other/learn.jsonl' })).toEqual([
      'warn state/links links.learn',
    ]);
    expect(await told(stateWith({ links: { ...LINKS, events: 7 } }))).toContain(schema('links.events'));
  });

  test('ST-006: of an unfinished run name no summary and no manifest', async () => {
    const derivable = 'info projection/not-derivable';
    expect(await told(pausedState(LINKS), PAUSED)).toEqual([
      derivable,
      'warn state/links links.summary',
      'warn state/links links.manifest',
    ]);
    expect(await told(pausedState({}), PAUSED)).toEqual([derivable]);
  });

  test('ST-007: of a finished run are complete', async () => {
    for (const key of Object.keys(LINKS))
      expect(await linked(without(LINKS, key)), key).toEqual([`warn state/links links.${key}`]);
  });
});

describe('the episode and its goal', () => {
  test('ST-008, ST-010, ST-012: an id, a start and a task are required', async () => {
    for (const key of ['id', 'started_at']) {
      expect(await told(stateWith({ episode: without(STATE.episode, key) }))).toContain(
        schema(`episode.${key}`),
      );
      expect(await told(episodeWith({ [key]: 7 }))).toContain(schema(`episode.${key}`));
    }
    expect(await told(episodeWith({ started_at: 'yesterday' }))).toContain(schema('episode.started_at'));
    expect(await told(stateWith({ goal: { type: 'task' } }))).toEqual([schema('goal.task')]);
    expect(await told(stateWith({ goal: { task: 'Rotate the keys' } }))).toEqual([note('goal.type')]);
    expect(await told(stateWith({ goal: { task: 5, type: 'task' } }))).toContain(schema('goal.task'));
  });

  test('ST-009: a seed, tags and an adapter are optional, each of its type', async () => {
    for (const [key, value] of [
      ['seed', '7'],
      ['tags', []],
      ['using', 7],
    ] as const)
      expect(await told(episodeWith({ [key]: value }))).toContain(schema(`episode.${key}`));
    expect(await told(stateWith({ episode: without(STATE.episode, 'using') }))).toEqual([]);
    for (const key of ['seed', 'tags'])
      expect(await told(stateWith({ episode: without(STATE.episode, key) }))).toEqual([
        note(`episode.${key}`),
      ]);
  });

  test('ST-011: the intuition mode is one of three words, or missing', async () => {
    for (const word of ['advisory', 'interventive', 'hybrid'])
      expect(await told(episodeWith({ intuition_mode: word }))).toEqual([]);
    expect(await told(episodeWith({ intuition_mode: 'eager' }))).toEqual([
      'error state/vocabulary episode.intuition_mode',
    ]);
  });
});

describe('beliefs and memory', () => {
  const belief = (parts: object) => told(stateWith({ beliefs: [{ ...STATE.beliefs[0], ...parts }] }));
  const memory = (parts: object) => told(stateWith({ memory: { ...STATE.memory, ...parts } }));
  const fact = (parts: object) => memory({ facts: [{ ...STATE.memory.facts[0], ...parts }] });

  test('ST-013: a belief states something, with a confidence from 0 to 1 and its provenance', async () => {
    for (const key of ['statement', 'confidence', 'provenance'])
      expect(await told(stateWith({ beliefs: [without(STATE.beliefs[0] ?? {}, key)] }))).toEqual([
        schema(`beliefs[0].${key}`),
      ]);
    for (const confidence of [-0.1, 1.2, '0.5'])
      expect(await belief({ confidence })).toEqual([schema('beliefs[0].confidence')]);
    for (const confidence of [0, 1]) expect(await belief({ confidence })).toEqual([]);
    expect(await belief({ provenance: { source: 'observe' } })).toEqual([]);
    expect(await belief({ timestamp: 7 })).toEqual([schema('beliefs[0].timestamp')]);
    expect(await told(stateWith({ beliefs: [without(STATE.beliefs[0] ?? {}, 'timestamp')] }))).toEqual([
      note('beliefs[0].timestamp'),
    ]);
  });

  test('ST-030: a fact has a key and a value of any kind', async () => {
    for (const value of [null, 7, 'x', [1], { a: 1 }]) expect(await fact({ value })).toEqual([]);
    for (const key of ['key', 'value'])
      expect(await memory({ facts: [without(STATE.memory.facts[0] ?? {}, key)] })).toEqual([
        schema(`memory.facts[0].${key}`),
      ]);
    expect(await memory({ facts: {} })).toEqual([schema('memory.facts')]);
    expect(await memory({ facts: undefined })).toEqual([note('memory.facts')]);
    expect(await fact({ type: undefined })).toEqual([note('memory.facts[0].type')]);
  });

  test('ST-031: its time and its provenance are texts, and so is the scratchpad', async () => {
    expect(await fact({ timestamp: timeOf(1), provenance: 'observe' })).toEqual([]);
    for (const key of ['timestamp', 'provenance'])
      expect(await fact({ [key]: 5 })).toEqual([schema(`memory.facts[0].${key}`)]);
    expect(await memory({ scratchpad: 'free text' })).toEqual([]);
    expect(await memory({ scratchpad: 5 })).toEqual([schema('memory.scratchpad')]);
  });
});

describe('the plan and its steps', () => {
  const step = (parts: object) => {
    const { state, events } = withStep({ ...parts });
    return told(state, events);
  };

  test('ST-014: has a list of steps, which is required, and may have a rationale', async () => {
    expect(await told(stateWith({ plan: without(STATE.plan, 'steps') }))).toContain(schema('plan.steps'));
    expect(await told(withPlan({ steps: 'act:x' }))).toContain(schema('plan.steps'));
    expect(await told(withPlan({ rationale: 7 }))).toContain(schema('plan.rationale'));
    const { stdout } = await noesis(['project', writeState(), '-j']);
    expect(JSON.parse(stdout)).toMatchObject({ plan: { steps: [{ id: 'step-1' }, { id: 'step-2' }] } });
  });

  test('ST-017: a step has a unique id and a description', async () => {
    for (const key of ['id', 'description'])
      expect(
        await told(withPlan({ steps: [STATE.plan.steps[0], without(STATE.plan.steps[1] ?? {}, key)] })),
      ).toContain(schema(`plan.steps[1].${key}`));
    expect(await step({ id: 'step-1' })).toEqual([schema('plan.steps[1].id')]);
  });

  test('ST-018: a step is of one of six kinds', async () => {
    for (const kind of ['detect', 'analyze', 'plan', 'act', 'verify', 'review'])
      expect(await step({ kind })).toEqual([]);
    expect(
      await told(withPlan({ steps: [STATE.plan.steps[0], { ...STATE.plan.steps[1], kind: 'think' }] })),
    ).toContain('error state/vocabulary plan.steps[1].kind');
  });

  test('ST-019: a step has one of six statuses', async () => {
    for (const status of ['pending', 'running', 'done', 'skipped', 'failed', 'vetoed'])
      expect(await step({ status })).toEqual([]);
    expect(
      await told(withPlan({ steps: [STATE.plan.steps[0], { ...STATE.plan.steps[1], status: 'blocked' }] })),
    ).toContain('error state/vocabulary plan.steps[1].status');
  });

  test('ST-020: each status has its own mark, and an unknown word has none of them', async () => {
    const words = ['pending', 'running', 'done', 'skipped', 'failed', 'vetoed', 'blocked'];
    const steps = words.map((status, index) => ({
      id: `step-${index}`,
      kind: 'act',
      description: 'x',
      status,
    }));
    const { stdout } = await noesis(['state', writeState(withPlan({ steps }))]);
    const marks = words.map((word) => new RegExp(`(\\S) +step-\\d +act +${word} `).exec(stdout)?.[1]);
    expect(marks).not.toContain(undefined);
    expect(new Set(marks).size).toBe(words.length);
  });

  test('ST-021: a step may have a rationale, inputs and outputs', async () => {
    expect(await step({ rationale: 'r', inputs: { a: 1 }, outputs: { b: [] } })).toEqual([]);
    for (const [key, value] of [
      ['rationale', 7],
      ['inputs', []],
      ['outputs', 'x'],
    ] as const)
      expect(
        await told(withPlan({ steps: [STATE.plan.steps[0], { ...STATE.plan.steps[1], [key]: value }] })),
      ).toContain(schema(`plan.steps[1].${key}`));
  });
});

describe('outcomes', () => {
  test('ST-032: the status is one of six words', async () => {
    const going = [start, observe, planned, acted];
    for (const status of ['ok', 'error', 'vetoed', 'aborted', 'partial', 'pending'])
      expect(await told({ ...withOutcomes({ status }), links: {} }, going)).toEqual([
        'info projection/not-derivable',
      ]);
    expect(await told({ ...withOutcomes({ status: 'fine' }), links: {} }, going)).toEqual([
      'info projection/not-derivable',
      'error state/vocabulary outcomes.status',
    ]);
    expect(await told(stateWith({ outcomes: without(STATE.outcomes, 'status') }))).toContain(
      schema('outcomes.status'),
    );
  });

  test('ST-033: actions are a list of records, extended by keys that begin with x-', async () => {
    expect(await told(stateWith({ outcomes: without(STATE.outcomes, 'actions') }))).toEqual([
      'error projection/actions outcomes.actions[0]',
      note('outcomes.actions'),
    ]);
    const unsaid = [start, observe, planned, ended, projected()];
    const idle = { ...withPlan({ steps: planned.payload.step_records }) };
    expect(await told({ ...idle, outcomes: without(STATE.outcomes, 'actions') }, unsaid)).toEqual([
      note('outcomes.actions'),
    ]);
    expect(await told(withOutcomes({ actions: {} }))).toContain(schema('outcomes.actions'));
    const noted = [...RUN];
    noted[3] = event('act', { ...acted.payload, 'x-cost': { eur: 1 }, provenance: { source: 'p' } });
    const action = { ...STATE.outcomes.actions[0], 'x-cost': { eur: 1 }, provenance: { source: 'p' } };
    expect(await told(withOutcomes({ actions: [action] }), noted)).toEqual([]);
    expect(await told(withOutcomes({ actions: [{ ...STATE.outcomes.actions[0], cost: 1 }] }))).toContain(
      'warn state/schema outcomes.actions[0].cost',
    );
  });

  test('ST-035: actions of the older form are read', async () => {
    const older = { ...STATE.outcomes.actions[0], input: 'x', output: { a: 1 }, duration_ms: 5 };
    expect(await told(withOutcomes({ actions: [older] }))).toEqual([]);
    // An act of a log of that form has no action_id.
    const { action_id: _, ...payload } = acted.payload;
    const events = RUN.map((one) => (one === acted ? event('act', payload) : one));
    const least = { tool: 'vault', input: 'x', output: 'y', timestamp: timeOf(4), duration_ms: 5 };
    expect(await told(withOutcomes({ actions: [least] }), events)).toEqual([
      ...['id', 'input_excerpt', 'kind', 'result_status'].map((key) => note(`outcomes.actions[0].${key}`)),
    ]);
    // The act contains the tool.
    expect(await told(withOutcomes({ actions: [{ ...least, tool: 'other' }] }), events)).toContain(
      'error projection/actions outcomes.actions[0].tool',
    );
  });

  test('ST-036: metrics, artifacts and an error are optional', async () => {
    expect(await told(withOutcomes({ artifacts: ['report.pdf'], error: null }))).toEqual([]);
    expect(await told(withOutcomes({ artifacts: 'report.pdf' }))).toEqual([schema('outcomes.artifacts')]);
    expect(await told(withOutcomes({ metrics: [] }))).toContain(schema('outcomes.metrics'));
  });
});

test('ST-043: members that the example of the documents leaves out are info, never a warning', async () => {
  const dir = writeState(documentedState('short'), [start]);
  const { findings } = await verifyEpisode(dir);
  const shape = findings.filter(({ code }) => code.startsWith('state/'));
  expect(shape.map(({ severity, path }) => `${severity} ${path}`)).toEqual(
    [
      'beliefs[0].timestamp',
      'memory.facts[0].type',
      ...['input_excerpt', 'kind', 'result_status'].map((key) => `outcomes.actions[0].${key}`),
    ].map((path) => `info ${path}`),
  );
});

test('ST-043: the example of the documents is read', async () => {
  const example = {
    ...without(STATE, 'links'),
    beliefs: [{ statement: 's', confidence: 0.9, provenance: 'observe' }],
    plan: { ...STATE.plan, source: 'direction' },
    outcomes: {
      status: 'ok',
      actions: [{ tool: 'vault', input: 'x', output: 'y', timestamp: timeOf(4), duration_ms: 5 }],
      artifacts: ['a.txt'],
      metrics: {},
      error: null,
    },
  };
  const dir = writeState(example, [start]);
  const { code, stdout, stderr } = await noesis(['state', dir]);
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('Rotate the keys');
  expect((await readState(dir)).plan.source).toBe('direction');
  expect(readFileSync(join(dir, 'state.json'), 'utf8')).toBe(JSON.stringify(example));
});
