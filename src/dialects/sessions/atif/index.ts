import type { JsonObject } from '../../../base/json/value.ts';
import type { Dialect } from '../../dialect.ts';
import { numberIn, textIn } from '../../kit/members.ts';
import { recordsOfList } from '../../kit/records-of-list.ts';
import { defineSession } from '../kit/define.ts';
import { READING, typeOf } from './records.ts';

const isTrajectory = (event: JsonObject): boolean =>
  textIn(event, 'schema_version')?.startsWith('ATIF-v') === true;

/** Trajectories in the Agent Trajectory Interchange Format (atif.md). */
export const atif: Dialect = defineSession({
  title: 'trajectory (ATIF)',
  isSession: (records) => records.some(isTrajectory),
  sessionIn: () => undefined,
  recordsIn: recordsOfList('steps', isTrajectory),
  homes: () => [],
  typeOf,
  ...READING,
  view: { id: ({ value }) => numberIn(value, 'step_id')?.toString() },
  rules: async () => (await import('./rules.ts')).RULES,
});
