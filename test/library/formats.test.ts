import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { formatsInUse, withFormats } from '../../src/dialects/registry.ts';
import { appendEvent, diffEpisode, projectEpisode, verifyEpisode } from '../../src/library/index.ts';
import { writeTree } from '../support/temp.ts';

// Two calls of one program may have different settings, and run at the same time.

const line = (value: object) => `${JSON.stringify(value)}\n`;

const stream = (...events: readonly object[]) =>
  events
    .map((event, index) =>
      line({ streamId: 'f', sequence: index + 1, timestamp: `2026-04-01T10:00:0${index}.000Z`, ...event }),
    )
    .join('');

const EXARCHOS = stream(
  { type: 'workflow.started', schemaVersion: '1.0', data: { featureId: 'f', workflowType: 'feature' } },
  {
    type: 'workflow.transition',
    schemaVersion: '0.9',
    data: { featureId: 'f', from: 'ideate', target: 'plan', other: 'review', trigger: 'user' },
  },
);

/** Settings in which the older transition leads to the phase in this member. */
const leadingTo = (member: string) => ({
  exarchos: {
    upcast: [{ dialect: 'exarchos', from: '0.9', to: '1.0', rename: { [`data.${member}`]: 'data.to' } }],
  },
});

const OWN =
  line({ uuid: 'a', mark: 'x', ts: '2026-04-01T10:00:00Z' }) +
  line({ uuid: 'b', from: 'a', mark: 'x', ts: '2026-04-01T10:00:01Z' }) +
  line({ uuid: 'c', from: 'gone', mark: 'x', ts: '2026-04-01T10:00:02Z' });

/** Settings that describe the log of {@link OWN} as a format. */
const described = (name: string, parent?: string) => ({
  [name]: { detect: ['mark'], id: 'uuid', ...(parent !== undefined && { parent }) },
});

describe('calls of the library with different settings', () => {
  const dir = writeTree({ 'f.events.jsonl': EXARCHOS, 'own.jsonl': OWN });
  const log = join(dir, 'f.events.jsonl');
  const own = join(dir, 'own.jsonl');

  test('convert older events with their own steps while they run at the same time', async () => {
    const members = ['target', 'other', 'none', 'target', 'other'];
    const [states, reports] = await Promise.all([
      Promise.all(members.map((member) => projectEpisode(log, { settings: leadingTo(member) }))),
      Promise.all(members.map((member) => verifyEpisode(log, { settings: leadingTo(member), strict: true }))),
    ]);
    expect(states.map(({ state }) => state['phase'])).toEqual(['plan', 'review', 'ideate', 'plan', 'review']);
    expect(reports.map(({ verdict }) => verdict)).toEqual(['ok', 'ok', 'fail', 'ok', 'ok']);
    const [{ state }, plain] = await Promise.all([projectEpisode(log), verifyEpisode(log)]);
    expect(state['phase']).toBe('ideate');
    expect(plain.findings.map(({ code }) => code)).toContain('event/schema-version');
  });

  test('recognise formats of their own, and only those', async () => {
    const reports = await Promise.all([
      verifyEpisode(own, { settings: described('first', 'from') }),
      verifyEpisode(own, { settings: { ...described('second'), ...leadingTo('target') } }),
      verifyEpisode(own),
      verifyEpisode(own, { settings: described('third', 'from'), dialect: 'third' }),
    ]);
    expect(reports.map(({ dialect }) => dialect)).toEqual(['first', 'second', 'generic', 'third']);
    const dangling = reports.map(({ findings }) =>
      findings.some(({ code }) => code === 'lineage/missing-parent'),
    );
    expect(dangling).toEqual([true, false, false, true]);
  });

  test('leave nothing behind, and do not see the formats of another task', async () => {
    await withFormats({ named: { outer: { detect: ['mark'] } } }, async () => {
      const [inner, outer] = await Promise.all([
        verifyEpisode(own, { settings: described('inner') }),
        verifyEpisode(own),
      ]);
      expect([inner.dialect, outer.dialect]).toEqual(['inner', 'outer']);
      expect(withFormats({ named: {} }, () => formatsInUse().named)).toEqual({});
    });
    expect(formatsInUse().named).toEqual({});
  });

  test('append to a log whose older events only the steps of the call explain', async () => {
    const copy = join(writeTree({ 'f.events.jsonl': EXARCHOS }), 'f.events.jsonl');
    const event = {
      type: 'workflow.transition',
      data: { featureId: 'f', from: 'plan', to: 'delegate', trigger: 'x' },
    };
    await appendEvent(copy, event, { settings: leadingTo('target') });
    const { state } = await projectEpisode(copy, { settings: leadingTo('target') });
    expect(state['phase']).toBe('delegate');
  });

  test('refuse a format that is described wrongly', async () => {
    const settings = { own: { detect: 'mark' } };
    for (const call of [
      verifyEpisode(own, { settings }),
      projectEpisode(own, { settings }),
      diffEpisode(own, { settings }),
    ])
      await expect(call).rejects.toMatchObject({
        code: 'config-invalid',
        message: /own\.detect must be a list/,
      });
  });
});
