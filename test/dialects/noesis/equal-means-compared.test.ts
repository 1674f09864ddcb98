import { renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diffEpisode, verifyEpisode } from '../../../src/library/index.ts';
import { event, start, timeOf } from '../../statements/events/logs.ts';
import {
  ACTION,
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
  writeState,
} from '../../statements/state/states.ts';

type Parts = Readonly<Record<string, unknown>>;

const observe = RUN[1] as Parts;
const differ = async (state: unknown, events: readonly Parts[]) =>
  (await diffEpisode(writeState(state, events))).differences.map(({ path }) => path);

describe('a state is equal only in what was compared', () => {
  test('with the last run.state_projection, even if terminate is the last line', async () => {
    const events = [start, observe, planned, acted, projected(), ended];
    expect(await differ(STATE, events)).toEqual([]);
    const forged = {
      ...withOutcomes({ summary: 'forged', metrics: { score: 1 } }),
      links: { ...LINKS, summary: 'other.json' },
    };
    const paths = ['outcomes.summary', 'outcomes.metrics.score', 'links.summary'];
    expect(await differ(forged, events)).toEqual(paths);
    expect((await told(forged, events)).filter((one) => one.startsWith('error projection/'))).toEqual([
      'error projection/outcomes outcomes.summary',
      'error projection/outcomes outcomes.metrics.score',
      'error projection/links links.summary',
    ]);
  });

  test.each([[null], [undefined], [3], ['']])(
    'with a run.state_projection whose own status is %j: its outcomes and links are compared',
    async (status) => {
      const whole = projected();
      const last = { ...whole, payload: { ...whole.payload, status } };
      const events = [start, observe, planned, acted, last, ended];
      const answer = await diffEpisode(writeState(STATE, events));
      expect(answer).toMatchObject({ equal: true, underivable: [] });
      const left = answer.not_compared.map(({ path }) => path);
      expect(left.filter((path) => /^(?:outcomes|links)/.test(path))).toEqual([]);
      expect(await told(STATE, events)).not.toContain(expect.stringContaining('projection/not-derivable'));
      const forged = { ...withOutcomes({ summary: 'forged' }), links: { ...LINKS, summary: 'other.json' } };
      expect(await differ(forged, events)).toEqual(['outcomes.summary', 'links.summary']);
    },
  );

  test('with the end of the run, if that event is older than an act', async () => {
    const resume = event('runtime', { kind: 'run.resume', status: 'resuming' }, { event_type: 'run.resume' });
    const pause = projected({ status: 'interrupted', summary: null, metrics: {} }, {});
    const events = [start, observe, planned, pause, resume, acted, ended];
    const own = withOutcomes({ actions: [{ ...ACTION, timestamp: timeOf(6) }] });
    const answer = await diffEpisode(writeState(own, events));
    expect(answer).toMatchObject({ equal: true, underivable: ['outcomes', 'links'] });
    const reason = 'the last run.state_projection is older than the state';
    for (const path of ['outcomes.summary', 'outcomes.metrics', 'links'])
      expect(answer.not_compared).toContainEqual({ path, reason, line: 4 });
    const forged = { ...own, outcomes: { ...(own['outcomes'] as object), status: 'error' } };
    expect(await differ(forged, events)).toEqual(['outcomes.status']);
    expect(await told(forged, events)).toContain('error consistency/status outcomes.status');
  });

  test('with the start event, if nothing else has the start', async () => {
    const events = RUN.slice(0, -1);
    const at = (started_at: string) => stateWith({ episode: { ...STATE.episode, started_at } });
    expect(await differ(at('2031-01-01T00:00:00Z'), events)).toEqual(['episode.started_at']);
    const { differences, not_compared: left } = await diffEpisode(writeState(at(timeOf(2)), events));
    expect(differences).toEqual([]);
    expect(left).toContainEqual(expect.objectContaining({ path: 'episode.started_at', line: 1 }));
  });

  test('of an act without a time is not compared with that of its action', async () => {
    const timeless = { ...acted, timestamp: undefined };
    const events = RUN.map((one) => (one === acted ? timeless : one));
    const answer = await diffEpisode(writeState(STATE, events));
    expect(answer).toMatchObject({ equal: true });
    expect(answer.not_compared).toContainEqual({
      path: 'outcomes.actions[0].timestamp',
      reason: 'the act has no time',
      line: 4,
    });
  });

  test('a wrong status names the act that has the step but no status', async () => {
    const { step_status: _, ...payload } = acted.payload;
    const events = RUN.map((one) => (one === acted ? event('act', payload) : one));
    expect((await diffEpisode(writeState(STATE, events))).differences).toEqual([
      {
        path: 'plan.steps[0].status',
        projected: 'pending',
        stored: 'done',
        evidence: { eventId: 'e3', line: 3 },
        named_by: { eventId: 'e4', line: 4 },
      },
    ]);
    const { findings } = await verifyEpisode(writeState(STATE, events));
    expect(findings.find(({ code }) => code === 'projection/plan')?.message).toContain(
      'the act on line 4 has its step_id and no step_status',
    );
  });
});

describe('a plan of labels', () => {
  const steps = (status: string) => STATE.plan.steps.map((step) => ({ ...step, status }));
  const OLDER = {
    ...withPlan({ steps: steps('done'), source: 'agent', updated_at: timeOf(9) }),
    outcomes: { ...STATE.outcomes, actions: [] },
  };
  const { step_records: _, source: __, ...labels } = planned.payload;
  const unsaid = event('act', { input_excerpt: 'rotate', outcome: 'ok', tool: 'vault' });
  const alone = ['plan.steps[0].status', 'plan.steps[1].status', 'plan.updated_at'];
  const underivable = 'an older runtime wrote this log: it has no evidence for';

  /** The answers of `project --diff` and `verify` about the plan. */
  async function answers(events: readonly Parts[], state: Parts = OLDER) {
    const dir = writeState(state, events);
    const { differences, not_compared: left } = await diffEpisode(dir);
    const { findings } = await verifyEpisode(dir);
    return {
      differ: differences.map(({ path }) => path).filter((path) => path.startsWith('plan')),
      left: left.filter(({ path }) => path.startsWith('plan')),
      errors: findings
        .filter(({ code, severity }) => code === 'projection/plan' && severity === 'error')
        .map(({ path }) => path),
      notes: findings.filter(({ code }) => code === 'projection/not-derivable').map(({ message }) => message),
    };
  }

  test('of an older runtime: statuses and time are not compared, and both commands say so', async () => {
    for (const acts of [[], [unsaid]]) {
      const {
        differ: found,
        left,
        errors,
        notes,
      } = await answers([start, observe, event('plan', labels), ...acts, ended]);
      expect([found, errors]).toEqual([[], []]);
      const reason = 'an older runtime wrote this log, and set it only in the state';
      expect(left).toEqual(alone.map((path) => ({ path, reason, line: 3 })));
      expect(notes).toEqual([`${underivable} outcomes, links, plan.steps[].status, plan.updated_at`]);
    }
  });

  test.each([
    ['an act with a step_status', { ...labels }, acted],
    [
      'an act of another step with a step_status',
      { ...labels },
      event('act', { ...unsaid.payload, step_id: 'x', step_status: 'done' }),
    ],
    ['an act with an action_id', { ...labels }, event('act', { ...unsaid.payload, action_id: 'act-1' })],
    ['a plan that names its planner', { ...labels, source: 'agent' }, unsaid],
  ])('with %s: statuses and time are compared, and both commands differ', async (_name, payload, act) => {
    const given = act === acted ? alone.slice(1) : alone;
    const events = [start, observe, event('plan', payload), act, ended];
    expect(await answers(events)).toMatchObject({ differ: given, left: [], errors: given });
  });

  test('with a run.state_projection: statuses and time are compared', async () => {
    const events = [start, observe, event('plan', labels), unsaid, projected(), ended];
    expect(await answers(events)).toMatchObject({ differ: alone, left: [], errors: alone });
  });
});

test('a paused run links its events and what it learned', async () => {
  const events = [
    start,
    observe,
    planned,
    projected({ status: 'interrupted', summary: null, metrics: {} }, {}),
  ];
  const paused = {
    ...withPlan({ steps: planned.payload.step_records }),
    outcomes: { status: 'partial', summary: null, metrics: {}, actions: [] },
    links: {},
  };
  expect((await told(paused, events)).filter((one) => one.includes('state/links'))).toEqual([
    'warn state/links links.events',
    'warn state/links links.learn',
  ]);
});

describe('an episode whose records have no ids', () => {
  const bare = RUN.map((one) => ({ ...one, episode_id: undefined }));
  const otherId = stateWith({ episode: { ...STATE.episode, id: 'ep_OTHER' } });
  const wrong = async (dir: string) =>
    (await verifyEpisode(dir)).findings
      .filter(({ code }) => code === 'consistency/episode-id')
      .map(({ file, line }) => `${file}:${line}`);

  test('is the one that its folder names', async () => {
    expect(await wrong(writeState(STATE, bare))).toEqual([]);
    expect(await wrong(writeState(otherId, bare))).toEqual(['state.json:1']);
  });

  test('is the one that its end names', async () => {
    const named = bare.map((one) =>
      one['phase'] === 'terminate'
        ? { ...one, payload: { status: 'ok', episode_id: STATE.episode.id, duration_ms: 4000 } }
        : one,
    );
    expect(await differ(otherId, named)).toEqual(['episode.id']);
    const dir = writeState(otherId, named);
    const elsewhere = join(dirname(dir), 'ep_OTHER');
    renameSync(dir, elsewhere);
    expect(await wrong(elsewhere)).toEqual(['events.jsonl:5', 'state.json:1']);
  });

  test('has its id and its duration at its end: without them there is one note', async () => {
    const notes = async (payload: object, events: readonly Parts[] = bare) => {
      const ended = events.map((one) => (one['phase'] === 'terminate' ? { ...one, payload } : one));
      const { findings } = await verifyEpisode(writeState(STATE, ended));
      return findings
        .filter(({ code }) => code === 'event/payload')
        .map(({ severity, line, message }) => `${severity} ${line} ${message}`);
    };
    const none = 'and no record has an episode_id';
    expect(await notes({ status: 'ok' })).toEqual([
      `info 5 terminate has no payload.episode_id and no payload.duration_ms, ${none}`,
    ]);
    expect(await notes({ status: 'ok', episode_id: STATE.episode.id })).toEqual([
      `info 5 terminate has no payload.duration_ms, ${none}`,
    ]);
    expect(await notes({ status: 'ok', duration_ms: 4000 })).toEqual([
      `info 5 terminate has no payload.episode_id, ${none}`,
    ]);
    expect(await notes({ status: 'ok', episode_id: STATE.episode.id, duration_ms: 4000 })).toEqual([]);
    expect(await notes({ status: 'ok' }, [...RUN])).toEqual([]);
    expect(
      await notes(
        { status: 'ok' },
        bare.filter((one) => one['phase'] !== 'terminate'),
      ),
    ).toEqual([]);
  });

  test('may be in a folder whose name is not an id', async () => {
    const dir = writeState(otherId, bare);
    const elsewhere = join(dirname(dir), 'a-copy');
    renameSync(dir, elsewhere);
    expect(await wrong(elsewhere)).toEqual([]);
  });
});

test('a duration that differs from the time between start and end is reported', async () => {
  const lasting = (duration_ms: number) =>
    RUN.map((one) =>
      one['phase'] === 'terminate' ? { ...one, payload: { status: 'ok', duration_ms } } : one,
    );
  expect(await told(STATE, lasting(4500))).toEqual([]);
  expect(await told(STATE, lasting(90_000))).toEqual(['info event/metrics']);
});
