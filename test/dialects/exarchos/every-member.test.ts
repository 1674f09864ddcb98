import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
import { NOT_COMPARED } from '../../../src/findings/projection/projector.ts';
import { unaccounted } from '../../support/every-member.ts';
import { project, sampleEvents, sampleJson } from './support.ts';

test.each(['demo-feature.state.json', 'demo-feature.state.after-reconcile.json'])(
  'a changed member of %s is a difference or is named as not compared',
  async (name) => {
    const state = (await sampleJson(name)) as JsonObject;
    const projector = project(await sampleEvents('demo-feature.events.jsonl'));
    expect(unaccounted(state, (edited) => projector.compare(edited))).toEqual([]);
  },
);

test('docs/limits.md names every member that a state may lose without a difference', async () => {
  const page = readFileSync('docs/limits.md', 'utf8');
  const [, said = ''] =
    /Of an Exarchos `<stream>\.state\.json` it does not compare([\s\S]*?)\n- \*\*/.exec(page) ?? [];
  const named = [...said.matchAll(/`([A-Za-z_]+)`/g)].map(([, name]) => name);
  const projector = project(await sampleEvents('demo-feature.events.jsonl'));
  for (const name of ['demo-feature.state.json', 'demo-feature.state.after-reconcile.json']) {
    const state = (await sampleJson(name)) as JsonObject;
    const silent = Object.keys(state).filter((key) => {
      const { [key]: _, ...rest } = state;
      return !projector.compare(rest).differences.some(({ path }) => path === key);
    });
    expect(silent).toContain('_eventSequence');
    // Fields that no event sets are named as a kind.
    const unset = projector
      .compare(state)
      .not_compared.filter(({ reason }) => reason === NOT_COMPARED.byNoesis);
    const kind = unset.map(({ path }) => path);
    expect(silent.filter((key) => !named.includes(key) && !kind.includes(key))).toEqual([]);
  }
});
