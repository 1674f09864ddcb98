import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json/value.ts';
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
