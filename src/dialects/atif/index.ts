import { isObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Dialect } from '../dialect.ts';
import { numberIn, textIn } from '../excerpt.ts';
import { defineSession } from '../kit/session.ts';
import { READING, typeOf } from './records.ts';

const isTrajectory = (event: JsonObject): boolean =>
  textIn(event, 'schema_version')?.startsWith('ATIF-v') === true;

/** Everything but the steps, then the steps (atif.md §2). */
function recordsIn(document: JsonValue): readonly JsonValue[] | undefined {
  if (!isObject(document) || !isTrajectory(document)) return undefined;
  const { steps, ...root } = document;
  return Array.isArray(steps) ? [root, ...steps] : undefined;
}

/** Trajectories in the Agent Trajectory Interchange Format (atif.md). */
export const atif: Dialect = defineSession({
  name: 'atif',
  title: 'trajectory (ATIF)',
  isSession: (records) => records.some(isTrajectory),
  sessionIn: () => undefined,
  recordsIn,
  homes: () => [],
  typeOf,
  ...READING,
  view: { id: ({ value }) => numberIn(value, 'step_id')?.toString() },
  rules: async () => (await import('./rules.ts')).RULES,
});
